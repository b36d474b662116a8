"""Why a request or a quote was closed: short lists, so that the desk can count them.

A list is (key, words for the desk); a declined request also has words for its customer.
"""

from __future__ import annotations

WITHDRAWN = (
    ("price", "A price or cost was wrong"),
    ("supply", "It cannot be supplied any more"),
    ("terms", "A term or an address was wrong"),
    ("customer", "The customer asked for it"),
    ("other", "Another reason"),
)
LOST = (
    ("price", "The price"),
    ("lead_time", "The lead time"),
    ("elsewhere", "Bought elsewhere"),
    ("stopped", "The project stopped"),
    ("silent", "No answer"),
    ("other", "Another reason"),
)
DECLINED = (
    ("range", "Not what we sell"),
    ("supply", "Nobody can supply it"),
    ("time", "Not by the date they need it"),
    ("export", "Export rules"),
    ("details", "Details that we asked for did not come"),
    ("double", "The same as another request"),
    ("other", "Another reason"),
)
# What the customer is told; the desk's own note stays at the desk.
DECLINED_TOLD = {
    "range": "We do not supply what you asked for.",
    "supply": "We found no source for what you asked for.",
    "time": "We cannot deliver by the date that you gave.",
    "export": "Export rules do not let us supply it to this end user or place.",
    "details": "We did not get the details that we need to quote.",
    "double": "It is the same as another request of yours, which we are answering.",
    "other": "We are not able to quote for this one.",
}
ON_BEHALF = (
    ("po", "They sent a purchase order"),
    ("signed", "They sent the signed quotation"),
    ("email", "They accepted by e-mail"),
)


def words_of(reasons: tuple[tuple[str, str], ...], key: str, note: str) -> str:
    """Write a reason down: "The price: 4% above the other offer"."""
    words = dict(reasons)[key]
    return f"{words}: {note}" if note else words
