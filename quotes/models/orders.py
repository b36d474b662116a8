"""An order: what was accepted, confirmed to the customer and bought from suppliers."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone

from catalog.models import Supplier
from quotes.models.evidence import Acceptance
from quotes.models.quotes import Line
from quotes.models.requests import QuoteRequest
from sourceit.models import Document, User


class OrderQuerySet(models.QuerySet["Order"]):
    def visible_to(self, user: User) -> OrderQuerySet:
        """Orders of requests the person may see; customers only confirmed ones."""
        requests = QuoteRequest.objects.visible_to(user)
        mine = self.filter(acceptance__revision__quote__request__in=requests)
        if user.is_staff and user.has_perm("quotes.use_desk"):
            return mine
        return mine.exclude(confirmed_at=None)


class Order(models.Model):
    """One acceptance turned into an order. The database refuses a second of it.

    `content` is the confirmation as the customer gets it, made of the frozen content of
    the quotation and the lines that were accepted; today's prices play no part.
    """

    acceptance = models.OneToOneField(
        Acceptance, on_delete=models.PROTECT, related_name="order"
    )
    number = models.CharField(max_length=20, unique=True)
    content = models.JSONField()
    content_sha256 = models.CharField(max_length=64, db_index=True)
    currency = models.CharField(max_length=3)
    net = models.DecimalField(max_digits=15, decimal_places=2)
    gst = models.DecimalField(max_digits=15, decimal_places=2)
    gross = models.DecimalField(max_digits=15, decimal_places=2)
    document = models.ForeignKey(
        Document, null=True, blank=True, on_delete=models.PROTECT
    )
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+"
    )
    created_at = models.DateTimeField(default=timezone.now)
    # When the confirmation was put on its way to the customer.
    confirmed_at = models.DateTimeField(null=True, blank=True)
    # When a change that the customer accepted took its place.
    replaced_at = models.DateTimeField(null=True, blank=True)

    objects = OrderQuerySet.as_manager()

    class Meta:
        ordering = ["-created_at", "-pk"]

    def __str__(self) -> str:
        return self.number

    def get_absolute_url(self) -> str:
        return reverse("desk:order", args=[self.pk])


class OrderLine(models.Model):
    """A copy of one accepted line, keyed by that line and never by its part number.

    `unit_cost` None means not known; cost and supplier are for the desk alone.
    """

    order = models.ForeignKey(Order, on_delete=models.CASCADE, related_name="lines")
    source = models.ForeignKey(Line, on_delete=models.PROTECT, related_name="+")
    number = models.PositiveIntegerField()
    kind = models.CharField(max_length=12)
    maker = models.CharField(max_length=80, blank=True)
    mpn = models.CharField("part number", max_length=80, blank=True)
    description = models.CharField(max_length=500, blank=True)
    quantity = models.DecimalField(max_digits=12, decimal_places=3)
    unit = models.CharField(max_length=12)
    unit_price = models.DecimalField(max_digits=15, decimal_places=4)
    discount_percent = models.DecimalField(max_digits=7, decimal_places=4)
    net = models.DecimalField(max_digits=15, decimal_places=2)
    tax = models.CharField(max_length=24)
    lead_time = models.CharField(max_length=200, blank=True)
    unit_cost = models.DecimalField(
        max_digits=15, decimal_places=4, null=True, blank=True
    )
    supplier = models.ForeignKey(
        Supplier,
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="order_lines",
    )
    supplier_part = models.CharField("their part number", max_length=80, blank=True)

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["order", "source"], name="order_line_once"),
            models.CheckConstraint(
                condition=Q(quantity__gt=0), name="order_line_quantity_positive"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.quantity.normalize():f} x {self.description or self.mpn}"
