"""What guests leave behind goes in time; what is anybody's stays."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from quotes.models import QuoteRequest, RequestLine
from quotes.services.tidying import KEEP_BASKETS, forget_baskets
from quotes.states import RequestStatus
from quotes.tasks import tidy_baskets
from sourceit.models import Upload
from sourceit.uploads import KEEP_REMOVED, store_upload, tidy_uploads
from tests.factories import make_request
from tests.files import PDF_BYTES, upload

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 12, 1, 4, 0, tzinfo=UTC)
OLD = NOW - KEEP_BASKETS - timedelta(seconds=1)


@pytest.fixture(autouse=True)
def _own_media(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path


def make_basket(**fields):
    defaults = {"status": RequestStatus.DRAFT, "number": "", "created_at": OLD}
    return make_request(**(defaults | fields))


def test_an_old_basket_of_a_guest_goes_with_its_lines_and_files():
    basket = make_basket()
    kept = store_upload(
        upload("plan.pdf", PDF_BYTES), subject=basket, kind="request", by=None, now=OLD
    )

    assert forget_baskets(NOW) == 1

    assert not QuoteRequest.objects.exists()
    assert not RequestLine.objects.exists()
    tidy_uploads(NOW + KEEP_REMOVED + timedelta(seconds=1))
    assert not Upload.objects.exists()
    assert not kept.file.storage.exists(kept.file.name)


@pytest.mark.parametrize(
    "fields",
    [
        {"created_at": NOW - KEEP_BASKETS},
        {"status": RequestStatus.SUBMITTED, "number": "RFQ-2026-0001"},
        {"status": RequestStatus.CANCELLED, "number": "RFQ-2026-0001"},
    ],
)
def test_what_is_newer_or_was_sent_stays(fields):
    make_basket(**fields)

    assert forget_baskets(NOW) == 0
    assert QuoteRequest.objects.get().lines.exists()


def test_a_basket_of_an_account_stays(sam):
    make_basket(user=sam)

    tidy_baskets()

    assert QuoteRequest.objects.exists()


def test_one_that_is_sent_meanwhile_stays(monkeypatch):
    basket = make_basket()
    found = QuoteRequest.objects.filter(pk=basket.pk)

    def send_first(held):
        found.update(status=RequestStatus.SUBMITTED, number="RFQ-2026-0001")
        return hold(held)

    from quotes.services import tidying

    hold = tidying.hold_basket
    monkeypatch.setattr(tidying, "hold_basket", send_first)

    assert forget_baskets(NOW) == 0
    assert found.exists()
