"""The part of an accept page that chooses: read what was posted, and its total."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render

from quotes.choice_forms import ChoiceForm
from quotes.choosing import AS_QUOTED, Choice, has_choices
from quotes.errors import QuoteError
from quotes.models import Revision
from quotes.services.answers import Yes
from quotes.services.choices import settle_choice
from sourceit.htmx import wants_partial
from sourceit.http import HttpRequest

UPDATE = "update"
# A total that no choice has: a page that shows none cannot be accepted unseen.
UNSEEN = Decimal(-1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Picked:
    """What was picked on an accept page; `form` None where there is nothing to pick."""

    form: ChoiceForm | None
    choice: Choice
    chosen: dict[str, Any] | None
    error: str
    total_shown: Decimal | None

    @property
    def yes(self) -> Yes:
        return Yes(choice=self.choice, total_shown=self.total_shown)

    @property
    def is_lawful(self) -> bool:
        return not self.error

    def context(self, revision: Revision) -> dict[str, Any]:
        """What the page shows of it: the fields, and the totals that it comes to."""
        content = revision.content or {}
        return {
            "choice_form": self.form,
            "choice_error": self.error,
            "chosen": self.chosen and {**content, **self.chosen},
        }


def read_choice(request: HttpRequest, revision: Revision) -> Picked:
    """Read the choice that was posted, or start with what was quoted."""
    content = revision.content or {}
    is_post = request.method == "POST"
    if not has_choices(content):
        return Picked(
            form=None, choice=AS_QUOTED, chosen=None, error="", total_shown=None
        )
    form = ChoiceForm(request.POST if is_post else None, content=content)
    choice, chosen, error = AS_QUOTED, None, ""
    if is_post and not form.is_valid():
        error = "Mend what is marked, to see the total."
    elif is_post:
        choice = form.choice
    if not error:
        try:
            chosen = settle_choice(revision, choice)
        except QuoteError as refusal:
            error = str(refusal)
    return Picked(
        form=form,
        choice=choice,
        chosen=chosen,
        error=error,
        total_shown=_total_shown(request),
    )


def _total_shown(request: HttpRequest) -> Decimal:
    try:
        shown = Decimal(request.POST.get("total_shown", ""))
    except InvalidOperation:
        return UNSEEN
    return shown if shown.is_finite() else UNSEEN


def is_update(request: HttpRequest) -> bool:
    """True where the total was asked for, and not the acceptance."""
    return request.method == "POST" and UPDATE in request.POST


def answer_update(
    request: HttpRequest, revision: Revision, picked: Picked
) -> HttpResponse | None:
    """Answer htmx with the totals alone; None for whoever needs the whole page."""
    if not wants_partial(request):
        return None
    context = picked.context(revision)
    return render(request, "quotes/_choose.html#chosen", context)
