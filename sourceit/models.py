"""What every app shares: people, documents, e-mail, events, links, numbers."""

from __future__ import annotations

import uuid
from datetime import datetime
from typing import Any, ClassVar

from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.contrib.auth.models import PermissionsMixin
from django.contrib.contenttypes.fields import GenericForeignKey
from django.contrib.contenttypes.models import ContentType
from django.core.files.storage import Storage, storages
from django.db import models
from django.db.models import Q
from django.db.models.functions import Lower
from django.utils import timezone


class UserManager(BaseUserManager["User"]):
    def get_by_natural_key(self, username: str | None) -> User:
        """Find a person by e-mail, whatever its upper and lower case."""
        return self.get(email__iexact=username or "")

    def create_user(
        self, email: str, password: str | None = None, **fields: Any
    ) -> User:
        user = self.model(email=email.strip().lower(), **fields)
        user.set_password(password)
        user.save()
        return user

    def create_superuser(self, email: str, password: str | None = None) -> User:
        return self.create_user(email, password, is_staff=True, is_superuser=True)


class User(AbstractBaseUser, PermissionsMixin):
    """Somebody who signs in by e-mail: a customer, or staff with one or more roles."""

    email = models.EmailField(unique=True)
    name = models.CharField(max_length=120, blank=True)
    job_title = models.CharField(max_length=120, blank=True)
    phone = models.CharField(max_length=40, blank=True)
    is_staff = models.BooleanField("works here", default=False)
    is_active = models.BooleanField(default=True)
    date_joined = models.DateTimeField(default=timezone.now)

    objects = UserManager()

    USERNAME_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = []

    class Meta:
        ordering = ["email"]
        constraints = [
            models.UniqueConstraint(
                Lower("email"),
                name="user_email_once",
                violation_error_message="Somebody with this e-mail exists already.",
            )
        ]

    def __str__(self) -> str:
        return self.name or self.email

    def get_full_name(self) -> str:
        return str(self)

    def get_short_name(self) -> str:
        return str(self).split(" ")[0]


class Organisation(models.Model):
    """A customer's company. Sent documents hold copies, so edits never reach them."""

    name = models.CharField(max_length=200)
    uen = models.CharField("UEN", max_length=20, blank=True)
    is_gst_registered = models.BooleanField(null=True, blank=True)
    address = models.TextField(blank=True)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name


class Membership(models.Model):
    """What a person may do for a company: a viewer reads, a buyer also accepts."""

    class Role(models.TextChoices):
        VIEWER = "viewer", "Viewer"
        BUYER = "buyer", "Buyer"

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="memberships")
    organisation = models.ForeignKey(
        Organisation, on_delete=models.CASCADE, related_name="memberships"
    )
    role = models.CharField(max_length=10, choices=Role, default=Role.BUYER)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["user", "organisation"], name="membership_once"
            ),
            models.CheckConstraint(
                condition=Q(role__in=["viewer", "buyer"]), name="membership_role_known"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user}, {self.get_role_display()} of {self.organisation}"


class Contact(models.Model):
    """A person at a customer, with or without an account."""

    organisation = models.ForeignKey(
        Organisation,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="contacts",
    )
    name = models.CharField(max_length=120)
    email = models.EmailField()
    phone = models.CharField(max_length=40, blank=True)
    job_title = models.CharField(max_length=120, blank=True)

    class Meta:
        ordering = ["name"]
        indexes = [models.Index(Lower("email"), name="contact_email_lower")]

    def __str__(self) -> str:
        return f"{self.name} <{self.email}>"


class TaxRate(models.Model):
    """The standard GST rate from a date on. Old rows stay: old documents need them."""

    percent = models.DecimalField(max_digits=5, decimal_places=2)
    valid_from = models.DateField(unique=True)
    source = models.CharField(max_length=200)

    class Meta:
        ordering = ["valid_from"]

    def __str__(self) -> str:
        return f"{self.percent.normalize():f}% from {self.valid_from}"


class Counter(models.Model):
    """The last number given in a series and year; taken by `sourceit.numbers`."""

    series = models.CharField(max_length=10)
    year = models.PositiveSmallIntegerField()
    value = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["series", "year"], name="counter_once")
        ]

    def __str__(self) -> str:
        return f"{self.series}-{self.year}: {self.value}"


class Subject(models.Model):
    """Adds a link to any object: what an event, document, delivery or link is about."""

    subject_type = models.ForeignKey(ContentType, on_delete=models.PROTECT)
    subject_id = models.PositiveBigIntegerField()
    subject = GenericForeignKey("subject_type", "subject_id")

    class Meta:
        abstract = True


class Event(Subject):
    """One thing that happened. Rows are only ever added; a timeline is this table."""

    kind = models.CharField(max_length=60)
    text = models.CharField(max_length=500)
    by = models.ForeignKey(User, null=True, blank=True, on_delete=models.SET_NULL)
    # Who it was in words: a guest has no account, and accounts can be deleted.
    by_name = models.CharField(max_length=200, blank=True)
    at = models.DateTimeField(default=timezone.now)
    before = models.CharField(max_length=40, blank=True)
    after = models.CharField(max_length=40, blank=True)
    detail = models.JSONField(default=dict, blank=True)
    # Customers see only what is not internal.
    is_internal = models.BooleanField(default=True)

    class Meta:
        ordering = ["at", "pk"]
        indexes = [models.Index(fields=["subject_type", "subject_id", "at"])]

    def __str__(self) -> str:
        return f"{self.kind} at {self.at:%Y-%m-%d %H:%M}"


class Document(Subject):
    """A file made once and kept: rendered, hashed, never rendered again."""

    class Status(models.TextChoices):
        WAITING = "waiting", "Waiting to be made"
        RENDERING = "rendering", "Being made"
        READY = "ready", "Ready"
        FAILED = "failed", "Could not be made"

    kind = models.CharField(max_length=40)
    name = models.CharField(max_length=120)
    status = models.CharField(max_length=10, choices=Status, default=Status.WAITING)
    file = models.FileField(upload_to="documents/%Y/%m", blank=True)
    sha256 = models.CharField(max_length=64, blank=True)
    size = models.PositiveIntegerField(default=0)
    pages = models.PositiveIntegerField(default=0)
    error = models.CharField(max_length=500, blank=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    claimed_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["subject_type", "subject_id", "kind"], name="document_once"
            ),
            models.CheckConstraint(
                condition=Q(status__in=["waiting", "rendering", "ready", "failed"]),
                name="document_status_known",
            ),
        ]

    def __str__(self) -> str:
        return self.name


def private_storage() -> Storage:
    """Where people's files are kept: a folder that no web server hands out."""
    return storages["private"]


class Upload(Subject):
    """A file that somebody sent with a request, a message or an order of theirs.

    `sourceit.uploads` checks, stores and hands it out. Its stored name is random; the
    sender's own name is only shown. A removed one can be put back for a while.
    """

    kind = models.CharField(max_length=40)
    name = models.CharField(max_length=120)
    file = models.FileField(upload_to="uploads/%Y/%m", storage=private_storage)
    content_type = models.CharField(max_length=100)
    size = models.PositiveIntegerField()
    sha256 = models.CharField(max_length=64)
    uploaded_by = models.ForeignKey(
        User, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    # A guest has no account.
    uploaded_by_name = models.CharField(max_length=200, blank=True)
    uploaded_at = models.DateTimeField(default=timezone.now)
    removed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["uploaded_at", "pk"]
        indexes = [models.Index(fields=["subject_type", "subject_id", "kind"])]

    def __str__(self) -> str:
        return self.name


class AccessLinkQuerySet(models.QuerySet["AccessLink"]):
    def in_force(self, now: datetime) -> AccessLinkQuerySet:
        return self.filter(revoked_at=None).filter(
            Q(expires_at=None) | Q(expires_at__gt=now)
        )


class AccessLink(Subject):
    """A secret link for one recipient and purpose. Only the token's hash is stored.

    The token is derived from the row's id under the secret key (`sourceit.links`), so a
    reminder can write it again though the database could not give it away.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    purpose = models.CharField(max_length=20)
    email = models.EmailField()
    name = models.CharField(max_length=120, blank=True)
    token_sha256 = models.CharField(max_length=64, unique=True)
    created_at = models.DateTimeField(default=timezone.now)
    expires_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)

    objects = AccessLinkQuerySet.as_manager()

    class Meta:
        indexes = [models.Index(fields=["subject_type", "subject_id"])]

    def __str__(self) -> str:
        return f"{self.purpose} link for {self.email}"


class ViewLog(models.Model):
    """A link was opened. The one thing that a GET may write."""

    link = models.ForeignKey(AccessLink, on_delete=models.CASCADE, related_name="views")
    at = models.DateTimeField(default=timezone.now)
    agent = models.CharField(max_length=200, blank=True)
    is_scanner = models.BooleanField(default=False)

    class Meta:
        ordering = ["at"]

    def __str__(self) -> str:
        return f"{self.link} at {self.at:%Y-%m-%d %H:%M}"


class Delivery(Subject):
    """One e-mail and its fate; the row is queued in the transaction of its cause.

    `claimed` is before the mail server was spoken to and can be taken up again;
    `sending` is while it is spoken to: a worker that dies there leaves a message that
    may have gone, which a person decides about (`unknown`), never a second copy.
    `bounced` was handed over and came back later (`sourceit.bounces`). The states that
    a person must look at are `LOST`.
    """

    class Status(models.TextChoices):
        QUEUED = "queued", "Queued"
        CLAIMED = "claimed", "Being prepared"
        SENDING = "sending", "Being sent"
        SENT = "sent", "Sent"
        FAILED = "failed", "Failed"
        UNKNOWN = "unknown", "May have been sent"
        BOUNCED = "bounced", "Came back"
        CANCELLED = "cancelled", "Cancelled"

    LOST = (Status.FAILED, Status.UNKNOWN, Status.BOUNCED)

    kind = models.CharField(max_length=40)
    recipient = models.EmailField()
    cc = models.JSONField(default=list, blank=True)
    reply_to = models.EmailField(blank=True)
    # Rendered when queued; the secret link's token is written in only while sending.
    email_subject = models.CharField(max_length=200)
    body_text = models.TextField()
    body_html = models.TextField(blank=True)
    link = models.ForeignKey(
        AccessLink, null=True, blank=True, on_delete=models.SET_NULL
    )
    document = models.ForeignKey(
        Document, null=True, blank=True, on_delete=models.PROTECT
    )
    status = models.CharField(max_length=10, choices=Status, default=Status.QUEUED)
    send_after = models.DateTimeField(default=timezone.now)
    attempts = models.PositiveSmallIntegerField(default=0)
    error = models.CharField(max_length=500, blank=True)
    message_id = models.CharField(max_length=200, blank=True)
    # When the sweep last put it on the queue, so that a dead worker's pile stays small.
    nudged_at = models.DateTimeField(null=True, blank=True)
    claimed_at = models.DateTimeField(null=True, blank=True)
    sent_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(default=timezone.now)
    # Distinguishes lawful repeats of one kind, such as two asked changes.
    occasion = models.CharField(max_length=40, blank=True)

    class Meta:
        verbose_name_plural = "deliveries"
        constraints = [
            models.UniqueConstraint(
                fields=["subject_type", "subject_id", "recipient", "kind", "occasion"],
                name="delivery_once",
            ),
            models.CheckConstraint(
                condition=Q(
                    status__in=[
                        "queued",
                        "claimed",
                        "sending",
                        "sent",
                        "failed",
                        "unknown",
                        "bounced",
                        "cancelled",
                    ]
                ),
                name="delivery_status_known",
            ),
        ]
        indexes = [models.Index(fields=["status", "send_after"])]

    def __str__(self) -> str:
        return f"{self.kind} to {self.recipient}: {self.get_status_display()}"
