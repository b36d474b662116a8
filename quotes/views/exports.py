"""A quotation's lines as files, for those who may read it."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.views.decorators.http import require_safe

from quotes.bought import accepted_content
from quotes.content import content_of
from quotes.exports import lines_csv, lines_xlsx
from quotes.models import Revision
from quotes.services.answers import acceptance_of
from quotes.views.builder import staff_only
from quotes.views.secret import Reader, account_required, answer_link_required
from sourceit.http import AuthenticatedHttpRequest, HttpRequest


def _content_of(revision: Revision) -> dict[str, Any]:
    """Return what was bought, once it was; else what is offered (one query)."""
    acceptance = acceptance_of(revision)
    if acceptance is not None:
        return accepted_content(acceptance)
    return content_of(revision, now=timezone.now())


def _sent_content(revision: Revision) -> dict[str, Any]:
    if revision.content is None:
        raise Http404
    return _content_of(revision)


def _csv(request: HttpRequest, reader: Reader, revision: Revision) -> HttpResponse:
    return lines_csv(_sent_content(revision))


def _xlsx(request: HttpRequest, reader: Reader, revision: Revision) -> HttpResponse:
    return lines_xlsx(_sent_content(revision))


answer_csv = require_safe(answer_link_required(_csv))
answer_xlsx = require_safe(answer_link_required(_xlsx))
my_quote_csv = require_safe(account_required(_csv))
my_quote_xlsx = require_safe(account_required(_xlsx))


@require_safe
@staff_only
def quote_csv(request: AuthenticatedHttpRequest, pk: int) -> HttpResponse:
    """The lines as the customer has them, or would have of a draft; or as bought."""
    return lines_csv(_for_staff(request, pk))


@require_safe
@staff_only
def quote_xlsx(request: AuthenticatedHttpRequest, pk: int) -> HttpResponse:
    """The same as an Excel file."""
    return lines_xlsx(_for_staff(request, pk))


def _for_staff(request: AuthenticatedHttpRequest, pk: int) -> dict[str, Any]:
    visible = Revision.objects.visible_to(request.user).with_lines()
    return _content_of(get_object_or_404(visible, pk=pk))
