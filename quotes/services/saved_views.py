"""A person's own views of the pipeline: keep, take away, put back."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime

from django.db import IntegrityError, transaction

from quotes.errors import QuoteError
from quotes.models import SavedView
from sourceit.models import User

MOST = 12


def save_view(*, user: User, name: str, query: str) -> SavedView:
    """Keep a choice of filters under a name of the person's own.

    Raises:
        QuoteError: there is no name, it is taken, or there are twelve views already.
    """
    name = " ".join(name.split())[:40]
    if not name:
        raise QuoteError("Enter a name for the view.")
    if SavedView.objects.filter(user=user, removed_at=None).count() >= MOST:
        raise QuoteError(f"You have {MOST} views. Take one away first.")
    with _one_of_a_name():
        return SavedView.objects.create(user=user, name=name, query=query)


def remove_view(*, view: SavedView, now: datetime) -> None:
    """Take a view away; `restore_view` puts it back."""
    view.removed_at = now
    view.save(update_fields=["removed_at"])


def restore_view(*, view: SavedView) -> None:
    """Put a view back.

    Raises:
        QuoteError: another view has taken its name meanwhile.
    """
    view.removed_at = None
    with _one_of_a_name():
        view.save(update_fields=["removed_at"])


@contextmanager
def _one_of_a_name() -> Iterator[None]:
    try:
        with transaction.atomic():
            yield
    except IntegrityError as error:
        raise QuoteError("You have a view of that name. Choose another.") from error
