"""What is said about a request, both ways, and what the desk notes for itself."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from quotes.models.requests import QuoteRequest

MAX_MESSAGE = 4000


class MessageQuerySet(models.QuerySet["Message"]):
    def shown_to_customer(self) -> MessageQuerySet:
        """Everything but the desk's own notes: what a customer's output may hold."""
        return self.exclude(kind=Message.Kind.NOTE)


class Message(models.Model):
    """One message about a request; its files are `Upload` rows whose subject it is."""

    class Kind(models.TextChoices):
        CUSTOMER = "customer", "From the customer"
        QUESTION = "question", "A question to the customer"
        TOLD = "told", "To the customer"
        NOTE = "note", "A note for the desk"

    request = models.ForeignKey(
        QuoteRequest, on_delete=models.CASCADE, related_name="messages"
    )
    kind = models.CharField(max_length=10, choices=Kind)
    text = models.TextField(max_length=MAX_MESSAGE)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="+",
    )
    by_name = models.CharField(max_length=200)
    at = models.DateTimeField(default=timezone.now)

    objects = MessageQuerySet.as_manager()

    class Meta:
        ordering = ["at", "pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(kind__in=["customer", "question", "told", "note"]),
                name="message_kind_known",
            )
        ]
        indexes = [models.Index(fields=["request", "at"])]

    def __str__(self) -> str:
        return f"{self.by_name}, {self.at:%Y-%m-%d %H:%M}"

    @property
    def is_note(self) -> bool:
        return self.kind == self.Kind.NOTE

    @property
    def is_ours(self) -> bool:
        return self.kind != self.Kind.CUSTOMER
