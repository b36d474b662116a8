"""How a quote is delivered: the rule, its place, and whether in parts."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

INCOTERMS = "Incoterms 2020"


class Incoterm(models.TextChoices):
    """The rules of Incoterms 2020 (International Chamber of Commerce, 2019)."""

    EXW = "EXW", "EXW, ex works"
    FCA = "FCA", "FCA, free carrier"
    CPT = "CPT", "CPT, carriage paid to"
    CIP = "CIP", "CIP, carriage and insurance paid to"
    DAP = "DAP", "DAP, delivered at place"
    DPU = "DPU", "DPU, delivered at place unloaded"
    DDP = "DDP", "DDP, delivered duty paid"
    FAS = "FAS", "FAS, free alongside ship"
    FOB = "FOB", "FOB, free on board"
    CFR = "CFR", "CFR, cost and freight"
    CIF = "CIF", "CIF, cost, insurance and freight"


class Partial(models.TextChoices):
    """Whether lines may come in several shipments; empty says nothing of it."""

    YES = "yes", "Allowed"
    NO = "no", "Not allowed"


PARTIAL_WORDS: dict[str, str] = {
    Partial.YES: "Partial shipment allowed.",
    Partial.NO: "Partial shipment not allowed.",
}


class Delivered(models.Model):
    """What of a revision is about delivery; `delivery_terms` is what else is said."""

    incoterm = models.CharField(
        f"rule of {INCOTERMS}",
        max_length=3,
        choices=Incoterm,
        blank=True,
        default=Incoterm.DAP,
    )
    delivery_place = models.CharField(
        "named place", max_length=80, blank=True, default="Singapore"
    )
    partial_shipment = models.CharField(
        "partial shipment", max_length=3, choices=Partial, blank=True, default=""
    )
    delivery_terms = models.CharField(
        "more on delivery", max_length=120, blank=True, default=""
    )

    class Meta:
        abstract = True

    @property
    def delivery_words(self) -> str:
        """The delivery as it is printed: "DAP Singapore, Incoterms 2020. Crane by you."

        Empty where nothing is said.
        """
        rule = ""
        if self.incoterm:
            rule = f"{self.incoterm} {self.delivery_place}".strip() + f", {INCOTERMS}"
        partial = PARTIAL_WORDS.get(self.partial_shipment, "")
        said = [part for part in (rule, partial, self.delivery_terms.strip()) if part]
        return ". ".join(part.rstrip(".") for part in said) + (
            "." if len(said) > 1 else ""
        )


DELIVERY_CHECKS = [
    models.CheckConstraint(
        condition=Q(incoterm__in=["", *Incoterm.values]),
        name="revision_incoterm_known",
    ),
    models.CheckConstraint(
        condition=Q(partial_shipment__in=["", *Partial.values]),
        name="revision_partial_known",
    ),
]
