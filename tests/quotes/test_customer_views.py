from __future__ import annotations

import re
import time
from uuid import uuid4

import pytest
from django.core import mail
from django.urls import reverse
from django.utils import timezone

from quotes.models import QuoteRequest
from quotes.services.requests import cancel_request
from quotes.states import RequestStatus, RevisionStatus
from sourceit.links import token_of
from sourceit.models import AccessLink
from tests.factories import make_product, make_request, make_revision

pytestmark = pytest.mark.django_db

DETAILS = {
    "name": "Carol Tan",
    "email": "carol@example.com",
    "company": "Example Research Pte Ltd",
    "consent": "on",
}


def start_form(client, monkeypatch) -> dict[str, str]:
    """Open the request form and wait as long as a person takes."""
    page = client.get(reverse("quotes:request_form"))
    hidden = {
        name: re.search(rf'name="{name}" value="([^"]+)"', page.content.decode())[1]
        for name in ("started", "submit_key")
    }
    later = time.time() + 5
    monkeypatch.setattr("quotes.views.requests.time.time", lambda: later)
    return {**DETAILS, **hidden}


def fill_basket(client, quantity: str = "4"):
    product = make_product(mpn="MSN3700-VS2F", name="NVIDIA Spectrum-2 SN3700")
    client.post(
        reverse("quotes:basket_add"), {"product": product.pk, "quantity": quantity}
    )
    return product


def test_the_whole_request(client, monkeypatch, django_capture_on_commit_callbacks):
    fill_basket(client)
    typed = start_form(client, monkeypatch)
    checked = client.post(reverse("quotes:request_check"), typed)
    assert "Check your request" in checked.content.decode()
    assert QuoteRequest.objects.get().status == RequestStatus.DRAFT

    with django_capture_on_commit_callbacks(execute=True):
        sent = client.post(reverse("quotes:request_send"), typed)

    asked = QuoteRequest.objects.get()
    assert asked.number == f"RFQ-{asked.submitted_at.year}-0001"
    assert asked.status == RequestStatus.SUBMITTED
    page = client.get(sent["Location"]).content.decode()
    assert f"Request {asked.number} received" in page
    letter = next(m for m in mail.outbox if m.to == ["carol@example.com"])
    mailed = re.search(r"/r/[\w-]{43}/", letter.body)[0]
    assert client.get(mailed).status_code == 200
    # Who types an address has not shown that it is theirs: this link is another.
    assert mailed != sent["Location"]
    assert {m.to[0] for m in mail.outbox} == {
        "carol@example.com",
        "sales@sourceit.com.sg",
    }


def test_the_acknowledgement_repeats_no_free_text(
    client, monkeypatch, django_capture_on_commit_callbacks
):
    fill_basket(client)
    typed = start_form(client, monkeypatch) | {
        "message": "BUY PILLS",
        "company": "http://spam.example",
        "name": "Click here",
    }

    with django_capture_on_commit_callbacks(execute=True):
        client.post(reverse("quotes:request_send"), typed)

    letter = next(m for m in mail.outbox if m.to == ["carol@example.com"])
    whole = letter.subject + letter.body + letter.alternatives[0][0]
    assert "PILLS" not in whole
    assert "spam.example" not in whole
    assert "Click here" not in whole


def test_sent_twice_is_one_request(client, monkeypatch) -> None:
    fill_basket(client)
    typed = start_form(client, monkeypatch)

    first = client.post(reverse("quotes:request_send"), typed)
    second = client.post(reverse("quotes:request_send"), typed)

    assert first["Location"] == second["Location"]
    assert QuoteRequest.objects.count() == 1


def test_a_script_is_refused(client, monkeypatch) -> None:
    fill_basket(client)
    typed = start_form(client, monkeypatch)

    trapped = client.post(
        reverse("quotes:request_send"), {**typed, "website": "http://x.example"}
    )
    monkeypatch.undo()
    hurried = client.post(reverse("quotes:request_send"), typed)

    assert (trapped.status_code, hurried.status_code) == (422, 422)
    assert QuoteRequest.objects.get().status == RequestStatus.DRAFT


def test_a_flood_from_one_address_is_slowed(client, monkeypatch) -> None:
    statuses = []
    for _ in range(8):
        client.post(
            reverse("quotes:basket_add_text"), {"description": "A", "quantity": "1"}
        )
        typed = start_form(client, monkeypatch)
        statuses.append(client.post(reverse("quotes:request_send"), typed).status_code)

    assert statuses == [302] * 6 + [429] * 2


@pytest.mark.parametrize(
    ("field", "value", "words"),
    [
        ("email", "nobody", "Enter an e-mail address"),
        ("company", "", "Enter the company"),
        ("needed_by", "1 Jan 2020", "This date is past"),
        ("needed_by", "soon", "Enter a date like"),
        ("phone", "call me", "Enter a phone number"),
        ("message", "x" * 5000, "at most 4000 characters"),
    ],
)
def test_a_mistake_is_told_and_nothing_is_lost(
    client, monkeypatch, field, value, words
) -> None:
    fill_basket(client)
    typed = start_form(client, monkeypatch) | {"reference": "PR-77", field: value}

    response = client.post(reverse("quotes:request_check"), typed)

    page = response.content.decode()
    assert response.status_code == 422
    assert words in page
    assert "<title>Error: " in page
    assert "PR-77" in page


def test_a_doubtful_uen_is_a_warning_only(client, monkeypatch) -> None:
    fill_basket(client)
    typed = start_form(client, monkeypatch) | {"uen": "t08ll-0001a"}

    response = client.post(reverse("quotes:request_check"), typed)

    assert response.status_code == 200
    assert "The UEN T08LL0001A does not look right" in response.content.decode()


def test_controlled_items_ask_for_the_end_use(client, monkeypatch) -> None:
    product = make_product(is_controlled=True)
    client.post(reverse("quotes:basket_add"), {"product": product.pk})
    typed = start_form(client, monkeypatch)

    response = client.post(reverse("quotes:request_check"), typed)

    assert response.status_code == 422
    assert "Enter who will use the goods." in response.content.decode()


def test_a_secret_page_is_kept_out_of_caches_and_logs(client, monkeypatch) -> None:
    fill_basket(client)
    sent = client.post(reverse("quotes:request_send"), start_form(client, monkeypatch))

    page = client.get(sent["Location"])

    assert page["Referrer-Policy"] == "no-referrer"
    assert "noindex" in page["X-Robots-Tag"]
    assert "no-store" in page["Cache-Control"]
    # Under no-referrer alone, browsers send "Origin: null" with this page's forms.
    assert '<meta name="referrer" content="same-origin">' in page.content.decode()


def test_unknown_revoked_and_wrong_purpose_links_are_not_found(client) -> None:
    from sourceit.links import issue_link, revoke_links

    asked = make_request()
    link = issue_link(asked, purpose="track", email="carol@example.com")
    token = token_of(link)
    assert client.get(reverse("quotes:answer", args=[token])).status_code == 404
    assert client.get(reverse("quotes:track", args=["x" * 43])).status_code == 404

    revoke_links(asked, purpose="track")

    assert client.get(reverse("quotes:track", args=[token])).status_code == 404
    assert token not in str(AccessLink.objects.values_list())


def test_the_customer_cancels_by_post_only(client) -> None:
    from sourceit.links import issue_link

    asked = make_request()
    token = token_of(issue_link(asked, purpose="track", email=asked.email))
    cancel = reverse("quotes:track_cancel", args=[token])

    assert "Cancel request" in client.get(cancel).content.decode()
    asked.refresh_from_db()
    assert asked.status == RequestStatus.SUBMITTED
    client.post(cancel)

    asked.refresh_from_db()
    assert asked.status == RequestStatus.CANCELLED


def test_signed_in_people_see_their_own_requests_only(
    carol_client, carol, mallory_client
) -> None:
    asked = make_request(user=carol)
    page = reverse("quotes:request", args=[asked.pk])

    assert (
        asked.number in carol_client.get(reverse("quotes:my_requests")).content.decode()
    )
    assert carol_client.get(page).status_code == 200
    assert mallory_client.get(page).status_code == 404
    assert (
        asked.number
        not in mallory_client.get(reverse("quotes:my_requests")).content.decode()
    )


def test_the_contact_form_becomes_a_request(client, monkeypatch) -> None:
    page = client.get(reverse("quotes:contact"))
    started = re.search(r'name="started" value="([^"]+)"', page.content.decode())[1]
    later = time.time() + 5
    monkeypatch.setattr("quotes.views.requests.time.time", lambda: later)

    response = client.post(
        reverse("quotes:contact"),
        {
            **DETAILS,
            "message": "Two racks, please.\nBy March.",
            "started": started,
            "submit_key": str(uuid4()),
        },
    )

    asked = QuoteRequest.objects.get()
    assert asked.message == "Two racks, please.\nBy March."
    assert asked.lines.get().description == "Two racks, please."
    assert client.get(response["Location"]).status_code == 200


def test_cancelling_a_request_withdraws_its_quotes(client) -> None:
    asked = make_request(status=RequestStatus.QUOTED)
    revision = make_revision(request=asked, status=RevisionStatus.SENT)

    cancel_request(request=asked, by=None, now=timezone.now())

    revision.refresh_from_db()
    assert revision.status == RevisionStatus.WITHDRAWN
