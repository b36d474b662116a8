"""What of a line a customer may choose: one of several, a quantity, a price by it."""

from __future__ import annotations

from decimal import Decimal

from django.core.validators import MinValueValidator
from django.db import models
from django.db.models import Q


class Choosable(models.Model):
    """The part of a line that leaves something open to the customer.

    A standard line and the alternatives with the same `choice` are one choice, of which
    exactly one counts: the standard line unless the customer picks another. A quantity
    may be chosen from `quantity_min` to `quantity_max` in steps; all three None means
    that it is fixed, and a minimum of 0 that the line may be left out.
    """

    choice = models.CharField("one of", max_length=60, blank=True)
    quantity_min = models.DecimalField(
        max_digits=12,
        decimal_places=3,
        null=True,
        blank=True,
        validators=[MinValueValidator(Decimal(0))],
    )
    quantity_max = models.DecimalField(
        max_digits=12, decimal_places=3, null=True, blank=True
    )
    quantity_step = models.DecimalField(
        max_digits=12, decimal_places=3, null=True, blank=True
    )
    # [{"from": "10", "unit_price": "95.0000"}], by rising quantity.
    price_breaks = models.JSONField(default=list, blank=True)
    # Other quantities that the customer asked a price for, going up. They are offered
    # as breaks to fill in and are no part of what is quoted.
    asked_quantities = models.JSONField(default=list, blank=True)

    class Meta:
        abstract = True

    @property
    def has_range(self) -> bool:
        """True where the customer may choose the quantity."""
        return self.quantity_min is not None and self.quantity_max is not None

    @property
    def unpriced_quantities(self) -> list[int]:
        """Quantities that a price was asked for and that have no break of their own."""
        priced = {Decimal(one["from"]) for one in self.price_breaks}
        return [each for each in self.asked_quantities if each not in priced]


RANGE_CHECKS = [
    models.CheckConstraint(
        condition=Q(quantity_min=None) | Q(quantity_min__gte=Decimal(0)),
        name="line_quantity_min_not_negative",
    ),
    models.CheckConstraint(
        condition=Q(quantity_step=None) | Q(quantity_step__gt=Decimal(0)),
        name="line_quantity_step_positive",
    ),
]
