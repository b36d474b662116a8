"""A request for quotation: first a basket, then frozen once it is sent."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone

from catalog.models import Product
from fabrics.models import DesignVersion
from quotes.states import OPEN_REQUESTS, RequestStatus
from sourceit.models import Contact, Organisation, User

MAX_QUANTITY = 1_000_000
MAX_LINES = 1_000


class QuoteRequestQuerySet(models.QuerySet["QuoteRequest"]):
    def sent(self) -> QuoteRequestQuerySet:
        """Everything a customer has sent, without baskets and spam."""
        return self.exclude(status__in=[RequestStatus.DRAFT, RequestStatus.SPAM])

    def open(self) -> QuoteRequestQuerySet:
        return self.filter(status__in=OPEN_REQUESTS)

    def visible_to(self, user: User) -> QuoteRequestQuerySet:
        """Sent requests of the person and of their organisations; staff see all."""
        if user.is_staff and user.has_perm("quotes.use_desk"):
            return self.exclude(status=RequestStatus.DRAFT)
        organisations = user.memberships.values("organisation")
        return self.sent().filter(Q(user=user) | Q(organisation__in=organisations))


class QuoteRequest(models.Model):
    """What a customer asks for. Contact details are copies, never references alone."""

    number = models.CharField(max_length=20, blank=True)
    status = models.CharField(
        max_length=20, choices=RequestStatus, default=RequestStatus.DRAFT
    )
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="requests",
    )
    organisation = models.ForeignKey(
        Organisation, null=True, blank=True, on_delete=models.SET_NULL
    )
    contact = models.ForeignKey(
        Contact, null=True, blank=True, on_delete=models.SET_NULL
    )

    name = models.CharField(max_length=120, blank=True)
    email = models.EmailField(blank=True)
    phone = models.CharField(max_length=40, blank=True)
    job_title = models.CharField(max_length=120, blank=True)
    company = models.CharField(max_length=200, blank=True)
    uen = models.CharField("UEN", max_length=20, blank=True)
    is_gst_registered = models.BooleanField(null=True, blank=True)
    billing_address = models.TextField(max_length=500, blank=True)
    delivery_address = models.TextField(max_length=500, blank=True)
    reference = models.CharField("your reference", max_length=80, blank=True)
    needed_by = models.DateField(null=True, blank=True)
    budget = models.CharField(max_length=80, blank=True)
    end_user = models.CharField(max_length=200, blank=True)
    end_use = models.CharField(max_length=500, blank=True)
    final_country = models.CharField("country of final use", max_length=80, blank=True)
    message = models.TextField(max_length=4000, blank=True)
    consent_at = models.DateTimeField(null=True, blank=True)
    # The form's own key: the same form sent twice is one request.
    submit_key = models.UUIDField(null=True, blank=True, unique=True)

    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="owned_requests",
    )
    close_reason = models.CharField(max_length=200, blank=True)
    created_at = models.DateTimeField(default=timezone.now)
    submitted_at = models.DateTimeField(null=True, blank=True)
    replied_at = models.DateTimeField(null=True, blank=True)
    # The reply clock (`quotes.services.clock`): since when it runs, the working time
    # that was left then, and so when a reply is due. It stands still without a start.
    clock_from = models.DateTimeField(null=True, blank=True)
    clock_left = models.DurationField(null=True, blank=True)
    reply_due_at = models.DateTimeField(null=True, blank=True)
    closed_at = models.DateTimeField(null=True, blank=True)

    objects = QuoteRequestQuerySet.as_manager()

    class Meta:
        verbose_name = "request"
        ordering = ["-submitted_at", "-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["number"],
                condition=~Q(number=""),
                name="request_number_once",
            ),
            models.CheckConstraint(
                condition=Q(status__in=RequestStatus.values),
                name="request_status_known",
            ),
            models.CheckConstraint(
                condition=Q(status="draft") | ~Q(number=""),
                name="request_sent_has_number",
            ),
        ]
        indexes = [
            models.Index(fields=["status", "submitted_at"]),
            models.Index(fields=["status", "reply_due_at"]),
        ]

    def __str__(self) -> str:
        return self.number or "Basket"

    def get_absolute_url(self) -> str:
        return reverse("quotes:request", args=[self.pk])

    @property
    def customer_name(self) -> str:
        return self.company or self.name

    def lines_asked(self) -> list[RequestLine]:
        """The lines that were not taken out, with what they point at (one query)."""
        rows = self.lines.select_related("product", "design__design")
        return list(rows.filter(removed_at=None))

    def is_replied(self) -> bool:
        return self.replied_at is not None


class RequestLine(models.Model):
    """One thing asked for: a catalogue item, free text, or a fabric design."""

    request = models.ForeignKey(
        QuoteRequest, on_delete=models.CASCADE, related_name="lines"
    )
    position = models.PositiveIntegerField(default=0)
    product = models.ForeignKey(
        Product, null=True, blank=True, on_delete=models.SET_NULL
    )
    design = models.ForeignKey(
        DesignVersion, null=True, blank=True, on_delete=models.PROTECT
    )
    maker = models.CharField(max_length=80, blank=True)
    mpn = models.CharField("part number", max_length=80, blank=True)
    description = models.CharField(max_length=500)
    quantity = models.PositiveIntegerField(
        default=1,
        validators=[MinValueValidator(1), MaxValueValidator(MAX_QUANTITY)],
    )
    # Other quantities a price was asked for, from least to most.
    more_quantities = models.JSONField(default=list, blank=True)
    target_price = models.DecimalField(
        max_digits=15,
        decimal_places=4,
        null=True,
        blank=True,
        validators=[MinValueValidator(Decimal(0))],
        help_text="What the customer hopes to pay for one, if they said.",
    )
    note = models.CharField(max_length=500, blank=True)
    # The list it came in with, so that the whole of it can be taken out again.
    batch = models.UUIDField(null=True, blank=True)
    # Taken out of the basket but still there to put back (undo).
    removed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["position", "pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(quantity__gte=1), name="request_line_quantity_positive"
            )
        ]

    def __str__(self) -> str:
        return f"{self.quantity} x {self.description}"

    @property
    def quantities(self) -> str:
        """What is asked for, as it is typed: "10, 50, 100"."""
        return ", ".join(str(n) for n in (self.quantity, *self.more_quantities))

    def remove(self, now: datetime) -> None:
        self.removed_at = now
        self.save(update_fields=["removed_at"])
