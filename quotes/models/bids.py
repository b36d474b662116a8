"""A maker's special price for one end user. For the desk alone, as all of a cost is."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal

from django.conf import settings
from django.core.validators import MinValueValidator
from django.db import models
from django.db.models import F, Q
from django.urls import reverse
from django.utils import timezone

from sourceit.clock import has_ended, singapore_date
from sourceit.money import HOME


def same_part(one: str, other: str) -> bool:
    """True where two part numbers name the same part, in either case."""
    return bool(one.strip()) and one.strip().casefold() == other.strip().casefold()


class SpecialBid(models.Model):
    """What a maker grants for one end user, between two days, on a list of parts.

    Unit costs of its parts are in `currency`, before tax.
    """

    maker = models.CharField("maker", max_length=80)
    number = models.CharField("bid number", max_length=60)
    end_user = models.CharField("end user", max_length=200)
    currency = models.CharField(max_length=3, default=HOME)
    valid_from = models.DateField("from", null=True, blank=True)
    valid_until = models.DateField("until")
    note = models.TextField(max_length=2000, blank=True)
    # Counts edits; one made on an older version is refused.
    version = models.PositiveIntegerField(default=1)
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+"
    )
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["-valid_until", "maker", "number"]
        constraints = [
            models.UniqueConstraint(
                fields=["maker", "number"], name="special_bid_number_once"
            ),
            models.CheckConstraint(
                condition=Q(valid_from=None) | Q(valid_from__lte=F("valid_until")),
                name="special_bid_days_in_order",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.maker} {self.number}"

    def get_absolute_url(self) -> str:
        return reverse("desk:bid", args=[self.pk])

    def has_begun(self, now: datetime) -> bool:
        return self.valid_from is None or self.valid_from <= singapore_date(now)

    def has_ended(self, now: datetime) -> bool:
        return has_ended(self.valid_until, now)

    def runs(self, now: datetime) -> bool:
        """True from the beginning of its first day to the end of its last."""
        return self.has_begun(now) and not self.has_ended(now)

    def part_of(self, mpn: str) -> SpecialBidPart | None:
        """Return the bid's part of a number; reads `parts` (prefetch them)."""
        return next((p for p in self.parts.all() if same_part(p.mpn, mpn)), None)


class SpecialBidPart(models.Model):
    """One part of a bid: at most so many of it, each at that cost."""

    bid = models.ForeignKey(SpecialBid, on_delete=models.CASCADE, related_name="parts")
    position = models.PositiveSmallIntegerField(default=0)
    mpn = models.CharField("part number", max_length=80)
    quantity = models.DecimalField(
        "at most",
        max_digits=12,
        decimal_places=3,
        validators=[MinValueValidator(Decimal("0.001"))],
    )
    unit_cost = models.DecimalField(
        max_digits=15, decimal_places=4, validators=[MinValueValidator(Decimal(0))]
    )

    class Meta:
        ordering = ["position", "pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(quantity__gt=Decimal(0)) & Q(unit_cost__gte=Decimal(0)),
                name="special_bid_part_positive",
            )
        ]

    def __str__(self) -> str:
        return f"{self.quantity.normalize():f} x {self.mpn}"
