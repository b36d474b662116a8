"""What of a revision is about its money as a whole: its discount and its currency."""

from __future__ import annotations

from decimal import Decimal

from django.core.validators import (
    MaxValueValidator,
    MinValueValidator,
    RegexValidator,
)
from django.db import models
from django.db.models import Q

from quotes.pricing import Discount
from sourceit.money import HOME, ZERO


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


class FxRate(models.Model):
    """What one unit of a currency is in S$ from a day on, and who says so."""

    currency = models.CharField(
        max_length=3,
        validators=[RegexValidator(r"^[A-Z]{3}$", "Enter three capitals: USD.")],
    )
    rate = models.DecimalField("S$ for one", max_digits=14, decimal_places=6)
    on = models.DateField("of")
    source = models.CharField(max_length=120, help_text="Printed: the bank's or MAS's.")
    locked_until = models.DateField(
        null=True,
        blank=True,
        help_text="The last day on which the rate is held; a quote ends by then.",
    )

    class Meta:
        ordering = ["currency", "-on"]
        constraints = [
            models.UniqueConstraint(fields=["currency", "on"], name="fx_rate_once"),
            models.CheckConstraint(
                condition=Q(rate__gt=Decimal(0)), name="fx_rate_positive"
            ),
            models.CheckConstraint(
                condition=~Q(currency=HOME), name="fx_rate_not_of_home"
            ),
        ]

    def __str__(self) -> str:
        return f"1 {self.currency} = S${self.rate.normalize():f}, {self.on:%-d %b %Y}"


class Exchanged(models.Model):
    """The rate that a quote in another currency stands on; copied, never looked up.

    `fx_rate` is S$ for one unit, None for a quote in S$. Costs are always in S$.
    """

    currency = models.CharField(max_length=3, default=HOME)
    fx_rate = models.DecimalField(
        max_digits=14, decimal_places=6, null=True, blank=True
    )
    fx_source = models.CharField(max_length=120, blank=True)
    fx_on = models.DateField(null=True, blank=True)
    fx_locked_until = models.DateField(null=True, blank=True)

    class Meta:
        abstract = True

    @property
    def is_foreign(self) -> bool:
        return self.currency != HOME

    @property
    def home_rate(self) -> Decimal | None:
        """S$ for one unit of the quote's currency; None where it is not known."""
        return self.fx_rate if self.is_foreign else Decimal(1)
