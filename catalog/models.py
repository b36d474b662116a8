"""What the shop sells: collections, products, and notices about price and supply."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal

from django.core.validators import RegexValidator
from django.db import models
from django.db.models import F, Q
from django.urls import reverse
from django.utils import timezone


class Collection(models.Model):
    """A shelf of the shop, such as "Switches"."""

    name = models.CharField(max_length=80, unique=True)
    slug = models.SlugField(unique=True)
    summary = models.CharField(max_length=300, blank=True)
    position = models.PositiveSmallIntegerField(default=0)

    class Meta:
        ordering = ["position", "name"]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("catalog:collection", args=[self.slug])


class ProductQuerySet(models.QuerySet["Product"]):
    def on_show(self) -> ProductQuerySet:
        """Products that customers may see, with their collection loaded."""
        return self.filter(is_on_show=True).select_related("collection")


class Product(models.Model):
    """Something sold, or a part found for the customer ("we source it").

    `price` None means price on request: the price is then absent everywhere, never 0.
    """

    class Supply(models.TextChoices):
        AVAILABLE_TO_ORDER = "available_to_order", "Available to order"
        LIMITED = "limited", "Limited supply"
        LONG_LEAD_TIME = "long_lead_time", "Long lead time"
        ON_REQUEST = "on_request", "On request"
        BY_SOURCING = "by_sourcing", "We source it"
        DISCONTINUED = "discontinued", "Discontinued"

    class Form(models.TextChoices):
        """What the drawing shows; the details are in `drawing`."""

        SWITCH = "switch", "Rack switch"
        TOWER = "tower", "Deskside tower"
        SERVER = "server", "Rack server"
        RACK = "rack", "Whole rack"
        CARD = "card", "Card"
        MODULE = "module", "Optical module"
        CABLE = "cable", "Cable"
        APPLIANCE = "appliance", "Appliance"

    collection = models.ForeignKey(
        Collection, on_delete=models.PROTECT, related_name="products"
    )
    name = models.CharField(max_length=200)
    slug = models.SlugField(max_length=200, unique=True)
    maker = models.CharField(max_length=80)
    mpn = models.CharField("manufacturer part number", max_length=80)
    summary = models.CharField(max_length=300, blank=True)
    price = models.DecimalField(
        max_digits=15,
        decimal_places=4,
        null=True,
        blank=True,
        help_text="Empty means price on request.",
    )
    currency = models.CharField(max_length=3, default="SGD")
    price_includes_gst = models.BooleanField(default=True)
    listed_on = models.DateField(null=True, blank=True)
    supply = models.CharField(max_length=20, choices=Supply, default=Supply.ON_REQUEST)
    # [{"title": "Network", "rows": [["Ports", "32 x 200 GbE", "source or empty"]]}]
    specs = models.JSONField(default=list, blank=True)
    form = models.CharField(max_length=10, choices=Form)
    # Numbers the drawing is made from, such as {"units": 1, "ports": 32}.
    drawing = models.JSONField(default=dict, blank=True)
    source = models.CharField(max_length=300, blank=True)
    is_controlled = models.BooleanField(
        "controlled item", default=False, help_text="Asks end user and end use."
    )
    # What a new line of a quote starts with, where nothing else is typed.
    warranty = models.CharField(
        max_length=120, blank=True, help_text="Length, kind, and who serves it."
    )
    lead_weeks_min = models.PositiveSmallIntegerField(
        "lead time from, weeks", null=True, blank=True, help_text="0 is in stock."
    )
    lead_weeks_max = models.PositiveSmallIntegerField(
        "lead time to, weeks", null=True, blank=True
    )
    lead_source = models.CharField(
        "source of the lead time",
        max_length=120,
        blank=True,
        help_text="Printed with it, so say it in words for the customer.",
    )
    lead_as_of = models.DateField("day of that source", null=True, blank=True)
    origin = models.CharField("country of origin", max_length=60, blank=True)
    hs_code = models.CharField(
        "HS code",
        max_length=12,
        blank=True,
        validators=[
            RegexValidator(
                r"^[0-9][0-9.]{3,11}$", "Enter digits and points, such as 8517.62."
            )
        ],
    )
    is_on_show = models.BooleanField(default=True)
    position = models.PositiveIntegerField(default=0)
    created_at = models.DateTimeField(default=timezone.now)
    updated_at = models.DateTimeField(auto_now=True)

    objects = ProductQuerySet.as_manager()

    class Meta:
        ordering = ["position", "name"]
        constraints = [
            models.UniqueConstraint(fields=["maker", "mpn"], name="product_mpn_once"),
            models.CheckConstraint(
                condition=Q(price=None) | Q(price__gt=Decimal(0)),
                name="product_price_positive",
                violation_error_message=(
                    "Enter a price above zero, or leave it empty for price on request."
                ),
            ),
            models.CheckConstraint(
                condition=Q(lead_weeks_min=None)
                | Q(lead_weeks_max=None)
                | Q(lead_weeks_min__lte=F("lead_weeks_max")),
                name="product_lead_in_order",
                violation_error_message=(
                    "The lead time's first week is after its last."
                ),
            ),
        ]
        indexes = [models.Index(fields=["mpn"])]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("catalog:product", args=[self.slug])

    @property
    def is_priced(self) -> bool:
        """False means price on request."""
        return self.price is not None

    @property
    def has_lead_time(self) -> bool:
        return self.lead_weeks_min is not None or self.lead_weeks_max is not None


class NoticeQuerySet(models.QuerySet["Notice"]):
    def in_force(self, now: datetime) -> NoticeQuerySet:
        """Notices switched on whose time has come and has not passed."""
        return self.filter(
            Q(starts_at=None) | Q(starts_at__lte=now),
            Q(ends_at=None) | Q(ends_at__gt=now),
            is_active=True,
        )


class Notice(models.Model):
    """A word about price or supply: one row feeds banner, item, quote and e-mail."""

    class Kind(models.TextChoices):
        PRICE = "price", "Price"
        SUPPLY = "supply", "Supply"
        SERVICE = "service", "Service"

    class Severity(models.TextChoices):
        WARNING = "warning", "Warning"
        INFO = "info", "Information"

    kind = models.CharField(max_length=10, choices=Kind)
    severity = models.CharField(max_length=10, choices=Severity, default=Severity.INFO)
    title = models.CharField(max_length=80)
    text = models.CharField(max_length=500)
    priority = models.PositiveSmallIntegerField(
        default=10, help_text="Lower comes first."
    )
    # No scope at all means the whole site.
    collection = models.ForeignKey(
        Collection, null=True, blank=True, on_delete=models.CASCADE
    )
    product = models.ForeignKey(
        Product, null=True, blank=True, on_delete=models.CASCADE, related_name="notices"
    )
    maker = models.CharField(max_length=80, blank=True)
    starts_at = models.DateTimeField(null=True, blank=True)
    ends_at = models.DateTimeField(null=True, blank=True)
    is_active = models.BooleanField(default=True)
    # Counts edits, so that a dismissed notice that was edited comes back.
    version = models.PositiveSmallIntegerField(default=1)

    objects = NoticeQuerySet.as_manager()

    class Meta:
        ordering = ["priority", "pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(ends_at=None)
                | Q(starts_at=None)
                | Q(ends_at__gt=F("starts_at")),
                name="notice_ends_after_start",
                violation_error_message="The end must be after the start.",
            )
        ]

    def __str__(self) -> str:
        return self.title

    @property
    def is_site_wide(self) -> bool:
        return not (self.collection_id or self.product_id or self.maker)

    def concerns(self, product: Product) -> bool:
        """True where the notice's scope takes in `product`; site-wide ones do."""
        return (
            self.is_site_wide
            or self.product_id == product.pk
            or (
                self.collection_id is not None
                and self.collection_id == product.collection_id
            )
            or (self.maker != "" and self.maker == product.maker)
        )


class Supplier(models.Model):
    """Whom the goods are bought from. Known to the desk alone."""

    name = models.CharField(max_length=120, unique=True)
    contact_name = models.CharField(max_length=120, blank=True)
    email = models.EmailField(blank=True)
    phone = models.CharField(max_length=40, blank=True)
    currency = models.CharField(max_length=3, default="SGD")
    note = models.TextField(max_length=1000, blank=True)

    class Meta:
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name


class SupplierPart(models.Model):
    """A product as a supplier sells it; `cost`, in its currency, None: not known."""

    supplier = models.ForeignKey(
        Supplier, on_delete=models.CASCADE, related_name="parts"
    )
    product = models.ForeignKey(
        Product, on_delete=models.CASCADE, related_name="supplier_parts"
    )
    part_number = models.CharField("their part number", max_length=80, blank=True)
    cost = models.DecimalField(max_digits=15, decimal_places=4, null=True, blank=True)
    # The one that a new line takes, where there are several.
    is_preferred = models.BooleanField(default=False)

    class Meta:
        ordering = ["-is_preferred", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["supplier", "product"], name="supplier_part_once"
            )
        ]

    def __str__(self) -> str:
        return f"{self.product} from {self.supplier}"
