"""What suppliers are asked and what they offer. All of it is for the desk alone.

An inquiry names no customer: a supplier sees its lines, our name and the day by which
to answer, and nothing of the other suppliers.
"""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal

from django.conf import settings
from django.core.validators import MinValueValidator
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone

from catalog.models import Product, Supplier
from quotes.models.quotes import Line, Revision
from quotes.models.requests import QuoteRequest
from quotes.states import InquiryStatus
from sourceit.clock import has_ended
from sourceit.models import User
from sourceit.money import HOME


class InquiryQuerySet(models.QuerySet["SupplierInquiry"]):
    def visible_to(self, user: User) -> InquiryQuerySet:
        """Inquiries for requests that the person may see; never a customer."""
        if not (user.is_staff and user.has_perm("quotes.use_desk")):
            return self.none()
        return self.filter(request__in=QuoteRequest.objects.visible_to(user))


class SupplierInquiry(models.Model):
    """The same question to several suppliers, for one request."""

    request = models.ForeignKey(
        QuoteRequest, on_delete=models.PROTECT, related_name="inquiries"
    )
    # Given when it is sent, so that drafts leave no gaps.
    number = models.CharField(max_length=20, blank=True)
    status = models.CharField(
        max_length=10, choices=InquiryStatus, default=InquiryStatus.DRAFT
    )
    reply_by = models.DateField("answer by", null=True, blank=True)
    message = models.TextField("message to the suppliers", max_length=2000, blank=True)
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+"
    )
    # The inquiry whose question this one asks again.
    again_of = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    created_at = models.DateTimeField(default=timezone.now)
    sent_at = models.DateTimeField(null=True, blank=True)
    closed_at = models.DateTimeField(null=True, blank=True)

    objects = InquiryQuerySet.as_manager()

    class Meta:
        ordering = ["-created_at", "-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["number"], condition=~Q(number=""), name="inquiry_number_once"
            ),
            models.CheckConstraint(
                condition=Q(status__in=InquiryStatus.values),
                name="inquiry_status_known",
            ),
        ]

    def __str__(self) -> str:
        return self.number or "Draft inquiry"

    def get_absolute_url(self) -> str:
        return reverse("desk:inquiry", args=[self.pk])

    @property
    def takes_offers(self) -> bool:
        return self.status in (InquiryStatus.SENT, InquiryStatus.AWARDED)


class InquiryLine(models.Model):
    """One thing asked for: a copy of the quote's line, without its price or note."""

    inquiry = models.ForeignKey(
        SupplierInquiry, on_delete=models.CASCADE, related_name="lines"
    )
    position = models.PositiveIntegerField(default=0)
    # The line it was copied from, where that is still there.
    source = models.ForeignKey(
        Line, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    product = models.ForeignKey(
        Product, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    maker = models.CharField(max_length=80, blank=True)
    mpn = models.CharField("part number", max_length=80, blank=True)
    description = models.CharField(max_length=500, blank=True)
    quantity = models.DecimalField(
        max_digits=12,
        decimal_places=3,
        validators=[MinValueValidator(Decimal("0.001"))],
    )
    unit = models.CharField(max_length=12, default="pc")
    note = models.CharField("note to the suppliers", max_length=500, blank=True)

    class Meta:
        ordering = ["position", "pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(quantity__gt=Decimal(0)),
                name="inquiry_line_quantity_positive",
            )
        ]

    def __str__(self) -> str:
        return f"{self.quantity.normalize():f} x {self.description or self.mpn}"


class SupplierInvite(models.Model):
    """One supplier that is asked. Without an e-mail it is asked by phone."""

    class Status(models.TextChoices):
        PENDING = "pending", "No answer yet"
        RECEIVED = "received", "Offer received"
        DECLINED = "declined", "Declined"

    inquiry = models.ForeignKey(
        SupplierInquiry, on_delete=models.CASCADE, related_name="invites"
    )
    supplier = models.ForeignKey(
        Supplier, on_delete=models.PROTECT, related_name="invites"
    )
    email = models.EmailField(blank=True)
    name = models.CharField("contact", max_length=120, blank=True)
    status = models.CharField(max_length=10, choices=Status, default=Status.PENDING)
    declined_reason = models.CharField(max_length=500, blank=True)
    answered_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["inquiry", "supplier"], name="invite_supplier_once"
            ),
            models.CheckConstraint(
                condition=Q(status__in=["pending", "received", "declined"]),
                name="invite_status_known",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.supplier} for {self.inquiry}"

    def is_late(self, now: datetime) -> bool:
        """True where the day to answer by is over and no answer came: it expired."""
        day = self.inquiry.reply_by
        is_pending = self.status == self.Status.PENDING
        return is_pending and day is not None and has_ended(day, now)


class SupplierOffer(models.Model):
    """One version of what a supplier offers; a new one replaces it, none is changed.

    Amounts are in `currency`, before GST. `freight` is for the whole of it.
    """

    invite = models.ForeignKey(
        SupplierInvite, on_delete=models.PROTECT, related_name="offers"
    )
    version = models.PositiveSmallIntegerField(default=1)
    reference = models.CharField("their reference", max_length=80, blank=True)
    currency = models.CharField(max_length=3, default=HOME)
    freight = models.DecimalField(
        "freight and charges for all of it",
        max_digits=15,
        decimal_places=2,
        default=Decimal(0),
        validators=[MinValueValidator(Decimal(0))],
    )
    valid_until = models.DateField()
    note = models.TextField(max_length=2000, blank=True)
    created_at = models.DateTimeField(default=timezone.now)
    # None: the supplier itself, by its secret link.
    entered_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="+",
    )
    replaced_at = models.DateTimeField(null=True, blank=True)
    # The supplier takes it back, or the desk does.
    withdrawn_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["invite", "version"]
        constraints = [
            models.UniqueConstraint(
                fields=["invite", "version"], name="offer_version_once"
            ),
            models.UniqueConstraint(
                fields=["invite"],
                condition=Q(replaced_at=None, withdrawn_at=None),
                name="offer_one_stands",
            ),
            models.CheckConstraint(
                condition=Q(freight__gte=Decimal(0)), name="offer_freight_not_negative"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.invite.supplier}, version {self.version}"

    @property
    def stands(self) -> bool:
        """True where no newer version took its place and nobody took it back."""
        return self.replaced_at is None and self.withdrawn_at is None

    def has_ended(self, now: datetime) -> bool:
        return has_ended(self.valid_until, now)


class OfferLine(models.Model):
    """The price of one thing asked for. What is not offered has no row.

    `price` is for a pack of `pack` units, in the offer's currency; `price_breaks` are
    for packs alike, from so many units on. `least` is the fewest units sold.
    """

    offer = models.ForeignKey(
        SupplierOffer, on_delete=models.CASCADE, related_name="lines"
    )
    asked = models.ForeignKey(
        InquiryLine, on_delete=models.PROTECT, related_name="offered"
    )
    price = models.DecimalField(
        max_digits=15, decimal_places=4, validators=[MinValueValidator(Decimal(0))]
    )
    pack = models.DecimalField(
        "units in a pack", max_digits=12, decimal_places=3, default=Decimal(1)
    )
    least = models.DecimalField(
        "fewest units sold", max_digits=12, decimal_places=3, default=Decimal(0)
    )
    # [{"from": "10", "unit_price": "95.0000"}]
    price_breaks = models.JSONField(default=list, blank=True)
    lead_weeks_min = models.PositiveSmallIntegerField(null=True, blank=True)
    lead_weeks_max = models.PositiveSmallIntegerField(null=True, blank=True)
    # Another part than was asked for, or what to know about this one.
    note = models.CharField(max_length=500, blank=True)

    class Meta:
        ordering = ["asked", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["offer", "asked"], name="offer_line_once"),
            models.CheckConstraint(
                condition=Q(price__gte=Decimal(0)), name="offer_price_not_negative"
            ),
            models.CheckConstraint(
                condition=Q(pack__gt=Decimal(0)) & Q(least__gte=Decimal(0)),
                name="offer_pack_positive",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.asked} from {self.offer}"


class OfferRisk(models.Model):
    """A sent quote's line whose offer ended, went, or became dearer: the owner's task.

    The customer's quote does not change by it. `effect` is what it does to the margin
    of the line, in S$ (below zero: less); None where that is not known.
    """

    class Kind(models.TextChoices):
        ENDED = "ended", "Offer ended"
        GONE = "gone", "Not offered any more"
        DEARER = "dearer", "Dearer now"

    revision = models.ForeignKey(
        Revision, on_delete=models.CASCADE, related_name="risks"
    )
    line = models.ForeignKey(Line, on_delete=models.CASCADE, related_name="risks")
    offer = models.ForeignKey(
        SupplierOffer, on_delete=models.PROTECT, related_name="risks"
    )
    kind = models.CharField(max_length=10, choices=Kind)
    words = models.CharField(max_length=300)
    effect = models.DecimalField(max_digits=15, decimal_places=2, null=True, blank=True)
    found_at = models.DateTimeField(default=timezone.now)
    settled_at = models.DateTimeField(null=True, blank=True)
    settled_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="+",
    )
    reason = models.CharField(max_length=200, blank=True)

    class Meta:
        ordering = ["found_at", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["line", "offer", "kind"], name="offer_risk_once"
            )
        ]

    def __str__(self) -> str:
        return self.words
