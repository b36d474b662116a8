from __future__ import annotations

import pytest
from django.core import mail
from django.core.management import call_command

from quotes.choosing import has_choices
from quotes.models import QuoteRequest, Revision
from quotes.states import RequestStatus, RevisionStatus
from sourceit.models import Delivery, User


@pytest.mark.django_db
def test_the_demo_has_work_in_every_state_and_seeds_once(
    django_capture_on_commit_callbacks,
) -> None:
    call_command("load_catalogue", verbosity=0)
    with django_capture_on_commit_callbacks(execute=True):
        call_command("seed", verbosity=0)
    requests = QuoteRequest.objects.count()
    call_command("seed", verbosity=0)

    assert QuoteRequest.objects.count() == requests
    assert set(QuoteRequest.objects.values_list("status", flat=True)) >= {
        RequestStatus.SUBMITTED,
        RequestStatus.IN_PROGRESS,
        RequestStatus.QUOTED,
        RequestStatus.WON,
        RequestStatus.LOST,
    }
    assert Revision.objects.exclude(document=None).count() == 6
    dollars = Revision.objects.get(currency="USD").content
    assert dollars["totals"]["discount_percent"] == "1.5"
    assert dollars["totals"]["sgd"]["gross"]
    choices = Revision.objects.get(lines__kind="alternative")
    assert has_choices(choices.content)
    waiting = Revision.objects.get(status=RevisionStatus.PENDING_APPROVAL)
    assert "margin" in waiting.approvals.get().reasons[0]["words"]
    assert mail.outbox == []
    assert not Delivery.objects.exclude(status=Delivery.Status.SENT).exists()


@pytest.mark.django_db
def test_every_demo_login_works(client) -> None:
    from quotes.demo import PASSWORD, make_people

    for email in make_people():
        assert client.login(username=email, password=PASSWORD)
        assert User.objects.get(email=email).emailaddress_set.get().verified
