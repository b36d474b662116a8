"""A quote and its revisions. What was sent is frozen: copies, hashes, no look-ups."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone

from catalog.models import Notice, Product, Supplier
from fabrics.models import DesignVersion
from quotes.models.choices import RANGE_CHECKS, Choosable
from quotes.models.delivery import DELIVERY_CHECKS, Delivered
from quotes.models.money import DISCOUNT_CHECKS, Discounted, Exchanged
from quotes.models.requests import QuoteRequest
from quotes.models.terms import Terms
from quotes.pricing import Kind, Tax, line_net
from quotes.states import EDITABLE, UNSENT, RevisionStatus
from sourceit.clock import has_ended
from sourceit.models import Document, User


class Quote(models.Model):
    """The thread of revisions that answers a request."""

    request = models.ForeignKey(
        QuoteRequest, on_delete=models.PROTECT, related_name="quotes"
    )
    # Given at the first send, so that drafts leave no gaps.
    number = models.CharField(max_length=20, blank=True)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["pk"]
        permissions = [
            ("use_desk", "Can work at the desk"),
            ("build_quote", "Can build quotes"),
            ("send_quote", "Can send quotes"),
            ("approve_quote", "Can approve quotes"),
            ("void_acceptance", "Can void an acceptance"),
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["number"], condition=~Q(number=""), name="quote_number_once"
            )
        ]

    def __str__(self) -> str:
        return self.number or f"Draft quote for {self.request}"


class RevisionQuerySet(models.QuerySet["Revision"]):
    def with_lines(self) -> RevisionQuerySet:
        """Everything that adding up and printing need, in a fixed number of queries."""
        return self.select_related(
            "quote__request",
            "quote__request__owner",
            "author",
            "terms",
            "document",
            "amends",
        ).prefetch_related("sections", "lines", "designs__design", "notices")

    def shown_to_customer(self) -> RevisionQuerySet:
        """Revisions that were sent; a draft is never shown by any door."""
        return self.exclude(status__in=UNSENT)

    def visible_to(self, user: User) -> RevisionQuerySet:
        """Sent revisions of requests the person may see; staff also see drafts."""
        mine = self.filter(quote__request__in=QuoteRequest.objects.visible_to(user))
        if user.is_staff and user.has_perm("quotes.use_desk"):
            return mine
        return mine.shown_to_customer()


class Revision(Delivered, Discounted, Exchanged):
    """One state of a quote: a draft that is edited, or a sent one that never changes.

    Once frozen, `content` is all that customers' pages, the PDF, e-mails and exports
    read: it is built by `quotes.content` and holds no cost, margin or internal note.
    """

    quote = models.ForeignKey(Quote, on_delete=models.PROTECT, related_name="revisions")
    n = models.PositiveSmallIntegerField("revision", default=1)
    status = models.CharField(
        max_length=20, choices=RevisionStatus, default=RevisionStatus.DRAFT
    )
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+"
    )
    valid_until = models.DateField(null=True, blank=True)
    payment_terms = models.CharField(
        max_length=120, blank=True, default="30 days from invoice"
    )
    excluded = models.CharField(
        "not included",
        max_length=500,
        blank=True,
        default="Installation, cabling labour, software licences and support "
        "unless listed as a line.",
    )
    message = models.TextField("message to the customer", max_length=2000, blank=True)
    internal_note = models.TextField(max_length=2000, blank=True)
    terms = models.ForeignKey(Terms, null=True, blank=True, on_delete=models.PROTECT)
    notices = models.ManyToManyField(Notice, blank=True)

    to_email = models.EmailField(blank=True)
    to_name = models.CharField(max_length=120, blank=True)
    cc = models.JSONField(default=list, blank=True)
    send_after = models.DateTimeField(null=True, blank=True)
    sent_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="+",
    )

    # Written once, at dispatch.
    frozen_at = models.DateTimeField(null=True, blank=True)
    sent_at = models.DateTimeField(null=True, blank=True)
    content = models.JSONField(null=True, blank=True)
    content_sha256 = models.CharField(max_length=64, blank=True)
    net = models.DecimalField(max_digits=15, decimal_places=2, null=True, blank=True)
    gst = models.DecimalField(max_digits=15, decimal_places=2, null=True, blank=True)
    gross = models.DecimalField(max_digits=15, decimal_places=2, null=True, blank=True)
    document = models.ForeignKey(
        Document, null=True, blank=True, on_delete=models.PROTECT
    )

    closed_reason = models.CharField(max_length=500, blank=True)
    # The accepted revision that this one would change; that one stays in force until
    # this one is accepted.
    amends = models.ForeignKey(
        "self",
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="amendments",
    )
    created_at = models.DateTimeField(default=timezone.now)
    # Counts edits of anything on it: what was reviewed is what may be sent.
    row_version = models.PositiveIntegerField(default=1)
    edited_at = models.DateTimeField(null=True, blank=True)
    edited_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="+",
    )

    objects = RevisionQuerySet.as_manager()

    class Meta:
        ordering = ["quote", "n"]
        constraints = [
            *DISCOUNT_CHECKS,
            *DELIVERY_CHECKS,
            models.UniqueConstraint(fields=["quote", "n"], name="revision_once"),
            models.UniqueConstraint(
                fields=["quote"],
                condition=Q(
                    status__in=["draft", "pending_approval", "approved", "sending"]
                ),
                name="revision_one_open_draft",
            ),
            models.CheckConstraint(
                condition=Q(status__in=RevisionStatus.values),
                name="revision_status_known",
            ),
        ]
        indexes = [models.Index(fields=["status", "send_after"])]

    def __str__(self) -> str:
        return f"{self.quote} rev {self.n}"

    def get_absolute_url(self) -> str:
        return reverse("desk:quote", args=[self.pk])

    @property
    def is_editable(self) -> bool:
        return self.status in EDITABLE

    def lines_in_order(self) -> list[Line]:
        """The lines as numbered: those without a section, then section by section.

        Reads `lines` and `sections`: two queries unless they were prefetched.
        """
        order = {section.pk: i for i, section in enumerate(self.sections.all())}
        return sorted(
            self.lines.all(),
            key=lambda line: (
                order.get(line.section_id or 0, -1),
                line.position,
                line.pk,
            ),
        )

    def has_expired(self, now: datetime) -> bool:
        """True after the last day of validity in Singapore, while still unanswered."""
        if self.status != RevisionStatus.SENT or self.valid_until is None:
            return False
        return has_ended(self.valid_until, now)


class Section(models.Model):
    """A named part of a revision, with a subtotal."""

    revision = models.ForeignKey(
        Revision, on_delete=models.CASCADE, related_name="sections"
    )
    title = models.CharField(max_length=120)
    position = models.PositiveIntegerField(default=0)

    class Meta:
        ordering = ["position", "pk"]

    def __str__(self) -> str:
        return self.title


class Line(Choosable):
    """One priced line. Everything on it is a copy; `product` only remembers its source.

    `unit_price` None means not priced yet, `unit_cost` None means cost not known; both
    are before GST, at four decimals: the price in the revision's currency, the cost
    in S$.
    """

    class PriceSource(models.TextChoices):
        """Which of price and margin was typed last, and so leads when cost changes."""

        PRICE = "price", "Price"
        MARGIN = "margin", "Margin"

    KINDS = [(kind.value, kind.value.capitalize()) for kind in Kind]
    TAXES = [(tax.value, tax.value.replace("_", " ").capitalize()) for tax in Tax]

    revision = models.ForeignKey(
        Revision, on_delete=models.CASCADE, related_name="lines"
    )
    section = models.ForeignKey(
        Section,
        null=True,
        blank=True,
        on_delete=models.CASCADE,
        related_name="lines",
    )
    position = models.PositiveIntegerField(default=0)
    kind = models.CharField(max_length=12, choices=KINDS, default=Kind.STANDARD)
    product = models.ForeignKey(
        Product, null=True, blank=True, on_delete=models.SET_NULL
    )
    # Whom it would be bought from; None is not known yet. For the desk alone.
    supplier = models.ForeignKey(
        Supplier, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    # The offer that its cost stands on, until the cost is typed. For the desk alone.
    offer_line = models.ForeignKey(
        "quotes.OfferLine",
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="used_by",
    )
    # The special bid that its cost stands on. For the desk alone.
    special_bid = models.ForeignKey(
        "quotes.SpecialBid",
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="lines",
    )
    maker = models.CharField(max_length=80, blank=True)
    mpn = models.CharField("part number", max_length=80, blank=True)
    description = models.CharField(max_length=500, blank=True)
    quantity = models.DecimalField(
        max_digits=12,
        decimal_places=3,
        default=Decimal(1),
        validators=[MinValueValidator(Decimal("0.001"))],
    )
    unit = models.CharField(max_length=12, default="pc")
    unit_price = models.DecimalField(
        max_digits=15, decimal_places=4, null=True, blank=True
    )
    unit_cost = models.DecimalField(
        max_digits=15,
        decimal_places=4,
        null=True,
        blank=True,
        validators=[MinValueValidator(Decimal(0))],
    )
    # The margin as typed, kept when it leads; None when the price leads.
    margin_percent = models.DecimalField(
        max_digits=7, decimal_places=2, null=True, blank=True
    )
    price_source = models.CharField(
        max_length=8, choices=PriceSource, default=PriceSource.PRICE
    )
    discount_percent = models.DecimalField(
        max_digits=7,
        decimal_places=4,
        default=Decimal(0),
        validators=[MinValueValidator(Decimal(0)), MaxValueValidator(Decimal(100))],
    )
    tax = models.CharField(max_length=24, choices=TAXES, default=Tax.STANDARD)
    lead_weeks_min = models.PositiveSmallIntegerField(null=True, blank=True)
    lead_weeks_max = models.PositiveSmallIntegerField(null=True, blank=True)
    lead_source = models.CharField(max_length=120, blank=True)
    lead_as_of = models.DateField(null=True, blank=True)
    warranty = models.CharField(max_length=120, blank=True)
    our_part = models.CharField("our part number", max_length=40, blank=True)
    origin = models.CharField("country of origin", max_length=60, blank=True)
    hs_code = models.CharField("HS code", max_length=12, blank=True)
    note = models.CharField("note to the customer", max_length=500, blank=True)
    # The maker may re-price or cancel until shipment; printed and ticked.
    may_be_repriced = models.BooleanField(default=False)
    # Counts edits; an edit made on an older row is a conflict, not an overwrite.
    row_version = models.PositiveIntegerField(default=1)
    edited_at = models.DateTimeField(null=True, blank=True)
    edited_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="+",
    )

    class Meta:
        ordering = ["position", "pk"]
        constraints = [
            *RANGE_CHECKS,
            models.CheckConstraint(
                condition=Q(kind__in=[kind.value for kind in Kind]),
                name="line_kind_known",
            ),
            models.CheckConstraint(
                condition=Q(tax__in=[tax.value for tax in Tax]), name="line_tax_known"
            ),
            models.CheckConstraint(
                condition=Q(quantity__gt=Decimal(0)), name="line_quantity_positive"
            ),
            models.CheckConstraint(
                condition=Q(discount_percent__gte=Decimal(0))
                & Q(discount_percent__lte=Decimal(100)),
                name="line_discount_in_range",
            ),
        ]
        # For what a part was quoted at before.
        indexes = [models.Index(fields=["mpn"])]

    def __str__(self) -> str:
        return f"{self.quantity.normalize():f} x {self.description or self.mpn}"

    @property
    def net(self) -> Decimal | None:
        """The line's amount before GST, to the cent; None while it is not priced."""
        return line_net(self)

    @property
    def cost(self) -> Decimal | None:
        """The line's whole cost in the revision's currency, unrounded; None if unknown.

        Needs `revision` loaded where it is in another currency.
        """
        rate = self.revision.home_rate
        if self.unit_cost is None or rate is None:
            return None
        cost = self.unit_cost * self.quantity
        return cost if rate == 1 else cost / rate


class RevisionDesign(models.Model):
    """The version of a fabric design that a revision carries as an annex."""

    revision = models.ForeignKey(
        Revision, on_delete=models.CASCADE, related_name="designs"
    )
    design = models.ForeignKey(
        DesignVersion, on_delete=models.PROTECT, related_name="+"
    )
    # How many of the design were asked for.
    quantity = models.PositiveIntegerField(default=1)
    position = models.PositiveSmallIntegerField(default=0)

    class Meta:
        ordering = ["position", "pk"]

    def __str__(self) -> str:
        return str(self.design)
