"""What of a revision is about its money as a whole: the discount on all of it."""

from __future__ import annotations

from decimal import Decimal

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Q

from quotes.pricing import Discount
from sourceit.money import ZERO


class Discounted(models.Model):
    """A discount on the whole quote: in percent or as an amount, never both.

    The amount is before GST, in the revision's currency.
    """

    discount_percent = models.DecimalField(
        "discount on the whole, %",
        max_digits=7,
        decimal_places=4,
        default=ZERO,
        blank=True,
        validators=[MinValueValidator(Decimal(0)), MaxValueValidator(Decimal(100))],
    )
    discount_amount = models.DecimalField(
        "or an amount off the whole, before GST",
        max_digits=15,
        decimal_places=2,
        default=ZERO,
        blank=True,
        validators=[MinValueValidator(Decimal(0))],
    )

    class Meta:
        abstract = True

    @property
    def discount(self) -> Discount:
        """The discount as the sums read it."""
        return Discount(percent=self.discount_percent, amount=self.discount_amount)


DISCOUNT_CHECKS = [
    models.CheckConstraint(
        condition=Q(discount_percent__gte=Decimal(0))
        & Q(discount_percent__lte=Decimal(100)),
        name="revision_discount_in_range",
    ),
    models.CheckConstraint(
        condition=Q(discount_amount__gte=Decimal(0)),
        name="revision_discount_amount_not_negative",
    ),
    models.CheckConstraint(
        condition=Q(discount_percent=Decimal(0)) | Q(discount_amount=Decimal(0)),
        name="revision_one_discount",
    ),
]
