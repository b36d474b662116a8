"""Baskets that guests left: forgotten with what they hold."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.contrib.contenttypes.models import ContentType
from django.db import transaction

from quotes.errors import QuoteError
from quotes.models import QuoteRequest
from quotes.services.baskets import hold_basket
from quotes.states import RequestStatus
from sourceit.models import Upload
from sourceit.uploads import remove_upload

# Far beyond the two weeks of a guest's session: nobody can open it any more.
KEEP_BASKETS = timedelta(days=90)
# As many as one run takes; the next takes more.
AT_ONCE = 500


def forget_baskets(now: datetime) -> int:
    """Delete guests' baskets that were begun long ago and never sent; return how many.

    Their files are taken away, and deleted by the tidying of files. A basket that is
    being sent meanwhile, or that an account owns, stays.
    """
    left = QuoteRequest.objects.filter(
        status=RequestStatus.DRAFT, user=None, created_at__lt=now - KEEP_BASKETS
    )
    return sum(_forget(basket, now) for basket in left.order_by("pk")[:AT_ONCE])


@transaction.atomic
def _forget(basket: QuoteRequest, now: datetime) -> bool:
    try:
        hold_basket(basket)
    except QuoteError:
        return False
    of_type = ContentType.objects.get_for_model(QuoteRequest)
    files = Upload.objects.filter(subject_type=of_type, subject_id=basket.pk)
    for upload in files.filter(removed_at=None):
        remove_upload(upload, now)
    basket.delete()
    return True
