"""What an acceptance bought: the frozen content with the lines that count. No database.

The one place that knows which lines and totals a yes stands for; the record, the order
and its confirmation ask here.
"""

from __future__ import annotations

from quotes.content import Content
from quotes.models import Acceptance
from sourceit.clock import singapore_date


def bought_content(acceptance: Acceptance) -> Content:
    """Return the quotation's frozen content as it was accepted, without options."""
    content = acceptance.revision.content
    assert content is not None, "only what was sent is accepted"
    return {**content, "options": [], "choices": [], **(acceptance.chosen or {})}


def accepted_content(acceptance: Acceptance) -> Content:
    """Return what was bought with its day in Singapore, for a file that says so."""
    day = singapore_date(acceptance.at)
    return {**bought_content(acceptance), "accepted_on": day.isoformat()}


def totals_of(acceptance: Acceptance) -> Content:
    """Return a content's totals, those of what was chosen, to be shown as such."""
    content = bought_content(acceptance)
    shown = ("totals", "currency", "fx")
    return {name: content.get(name) for name in shown}


def chosen_lines(acceptance: Acceptance | None) -> Content | None:
    """Return what was bought where that is not what was quoted; else None."""
    if acceptance is None or not acceptance.choice_words:
        return None
    return bought_content(acceptance)


def bought_lines(acceptance: Acceptance) -> list[Content]:
    """Return the frozen entries that count, in their order."""
    content = bought_content(acceptance)
    return [line for section in content["sections"] for line in section["lines"]]
