"""The builder's page: the table of lines and the details of a draft."""

from __future__ import annotations

from functools import wraps
from typing import Any

from django.contrib import messages
from django.db.models import Prefetch, prefetch_related_objects
from django.http import Http404, HttpResponse, QueryDict
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST
from django_htmx.http import HttpResponseClientRedirect

from quotes.designs import newer_versions
from quotes.desk_forms import DetailsForm, FillForm, LineForm, first_errors
from quotes.desk_review import review_of
from quotes.desk_sheet import ROW_FIELDS, Row, Sheet, lay_out, margin_shown, typed_texts
from quotes.errors import QuoteError
from quotes.models import Line, QuoteTemplate, Revision
from quotes.services import lines as line_services
from quotes.services.around import look_around
from quotes.services.bids import bids_for
from quotes.services.checks import find_problems
from quotes.services.lines import EditConflict
from quotes.services.quotes import save_details
from quotes.services.rates import rates_on
from quotes.services.rules import reasons_for
from quotes.services.screening import standing_of
from quotes.services.validity import validity_cap
from quotes.states import RevisionStatus
from quotes.views.sending import show_quote
from sourceit.access import View, desk_permission_required
from sourceit.clock import SINGAPORE, singapore_date
from sourceit.http import AuthenticatedHttpRequest
from sourceit.money import MoneyError
from sourceit.posted import read_id

TEMPLATE = "quotes/desk/builder.html"
staff_only = desk_permission_required()
builder_only = desk_permission_required("quotes.build_quote")


def tell_refusal(view: View) -> View:
    """Go back to the quote with the reason when a write is refused.

    Somebody sent the quote, or threw it away, while this page was open.
    """

    @wraps(view)
    def guarded(
        request: AuthenticatedHttpRequest, pk: int, *args: Any, **options: Any
    ) -> HttpResponseBase:
        try:
            return view(request, pk, *args, **options)
        except QuoteError as error:
            messages.error(request, str(error))
        if request.htmx:
            return HttpResponseClientRedirect(reverse("desk:quote", args=[pk]))
        return redirect("desk:quote", pk)

    return guarded


def get_revision(request: AuthenticatedHttpRequest, pk: int) -> Revision:
    """Return a revision the person may see, with what a page of it needs, or 404."""
    found = Revision.objects.visible_to(request.user).select_related(
        "quote__request__owner", "author", "terms", "document", "edited_by", "sent_by"
    )
    revision = get_object_or_404(found, pk=pk)
    load_lines(revision)
    return revision


def load_lines(revision: Revision) -> None:
    """Load lines with their products, sections and notices (three queries at most)."""
    products = Line.objects.select_related("product", "special_bid").defer(
        "product__specs", "product__drawing"
    )
    prefetch_related_objects([revision], Prefetch("lines", products), "sections")


def get_line(request: AuthenticatedHttpRequest, pk: int, line_pk: int) -> Line:
    """Return a line of a revision the person may see, or 404 (one query)."""
    visible = Revision.objects.visible_to(request.user)
    lines = Line.objects.filter(revision__in=visible, revision=pk).select_related(
        "revision__quote__request", "revision__terms"
    )
    return get_object_or_404(lines, pk=line_pk)


def get_editable(request: AuthenticatedHttpRequest, pk: int) -> Revision:
    """Return a draft with its lines; what was sent is not found by any write."""
    revision = get_revision(request, pk)
    if not revision.is_editable:
        raise Http404
    return revision


def to_builder(revision: Revision, anchor: str = "", **query: Any) -> HttpResponse:
    """Go back to the builder, to the place that was worked on."""
    address = reverse("desk:quote", args=[revision.pk])
    if query:
        params = QueryDict(mutable=True)
        params.update({name: str(value) for name, value in query.items()})
        address += f"?{params.urlencode()}"
    return redirect(f"{address}#{anchor}" if anchor else address)


def lay_out_now(revision: Revision) -> Sheet:
    """Lay a revision out at today's rate, with its problems.

    Without a rate it opens all the same: the checks say so.
    """
    now = timezone.now()
    around = look_around(revision, now)
    sheet = lay_out(revision, around.gst_now)
    sheet.cap = validity_cap(revision, now, has_ending_prices=around.has_ending_prices)
    screening = standing_of(revision.quote.request, revision.lines.all())
    sheet.problems = find_problems(
        revision, now, around=around, sums=sheet.sums, screening=screening
    )
    sheet.mark_outside_bids()
    if revision.status == RevisionStatus.DRAFT:
        sheet.reasons = reasons_for(revision, screening=screening)
    return sheet


def show_builder(
    request: AuthenticatedHttpRequest,
    sheet: Sheet,
    *,
    form: DetailsForm | None = None,
    message: str = "",
    pasted: str = "",
    status: int = 200,
) -> HttpResponse:
    """Render the builder, with typed texts and messages where something was wrong."""
    revision = sheet.revision
    annexes = revision.designs.select_related("design")
    context = {
        "revision": revision,
        "sheet": sheet,
        **review_of(revision, request.user),
        "form": form or DetailsForm(instance=revision),
        "message": message,
        "pasted": pasted,
        "bids": bids_for(revision, timezone.now()),
        "newer": newer_versions(annex.design for annex in annexes),
        "fx_rates": rates_on(singapore_date(timezone.now())).values(),
        "undo": request.GET.get("undo", ""),
        "fill_form": FillForm(),
        "quote_templates": QuoteTemplate.objects.filter(removed_at=None),
        "faulty_rows": [row for row in sheet.rows if row.errors or row.conflict],
    }
    return render(request, TEMPLATE, context, status=status)


def save_all(request: AuthenticatedHttpRequest, revision: Revision) -> HttpResponse:
    """Save what the whole form changed: the builder's way without JavaScript.

    Good rows are saved; bad ones come back with what was typed and what is wrong.
    """
    sheet = lay_out_now(revision)
    form = DetailsForm(request.POST, instance=get_fresh(revision))
    conflict = details_conflict(request, revision)
    faults = [row for row in sheet.rows if not save_row(request, row)]
    are_details_good = not conflict and form.is_valid()
    if are_details_good and form.has_changed():
        write_details(request, revision, form)
    if not faults and are_details_good:
        return to_builder(revision, "saved")
    again = lay_out_now(get_revision(request, revision.pk))
    for row in faults:
        keep_typed(again, row, request.POST)
    has_conflict = conflict or any(row.conflict for row in faults)
    return show_builder(
        request,
        again,
        form=form,
        message=conflict or "Some of it is not saved. See what is marked below.",
        status=409 if has_conflict else 422,
    )


def get_fresh(revision: Revision) -> Revision:
    """Return another copy for a form to write on; the first stays as it is stored."""
    return Revision.objects.get(pk=revision.pk)


def keep_typed(sheet: Sheet, faulty: Row, post: QueryDict) -> None:
    """Put what was typed into a row, with what was wrong with it."""
    row = next((row for row in sheet.rows if row.line.pk == faulty.line.pk), None)
    if row is None:
        return
    row.errors, row.conflict = faulty.errors, faulty.conflict
    row.theirs = row.texts if row.conflict else {}
    row.texts = typed_texts(row, post)


def save_row(request: AuthenticatedHttpRequest, row: Row) -> bool:
    """Save the fields of a row that differ from what is stored; True if all is well."""
    post, prefix = request.POST, row.line.pk
    typed = typed_texts(row, post)
    names = [name for name in ROW_FIELDS if typed[name].strip() != row.texts[name]]
    if not names or f"{prefix}-version" not in post:
        return True
    return save_fields(request, row, names)


def save_fields(
    request: AuthenticatedHttpRequest, row: Row, names: list[str], *, every: bool = True
) -> bool:
    """Check and save the named fields of a row; say on the row what went wrong.

    The order of `names` is the order in which they were typed.
    """
    line, prefix = row.line, str(row.line.pk)
    shown = {"margin_percent": margin_shown(line)}
    form = LineForm(
        request.POST, instance=line, prefix=prefix, initial=shown, names=names
    )
    if not form.is_valid():
        row.errors = first_errors(form)
        return False
    changed = form.changed_data if every else names
    changes = {name: form.cleaned_data[name] for name in names if name in changed}
    try:
        line_services.save_line(
            line=line,
            changes=changes,
            version=_version(request.POST, prefix),
            by=request.user,
            now=timezone.now(),
        )
    except EditConflict as error:
        row.conflict, row.line = str(error), error.line
        return False
    except (MoneyError, QuoteError) as error:
        row.errors = {names[-1]: str(error)}
        return False
    return True


def _version(post: QueryDict, prefix: str) -> int:
    text = post.get(f"{prefix}-version", "")
    return read_id(text)


@require_http_methods(["GET", "HEAD", "POST"])
@staff_only
@tell_refusal
def quote(request: AuthenticatedHttpRequest, pk: int) -> HttpResponse:
    """Show a draft in the builder (POST saves all of it), or what was sent."""
    revision = get_revision(request, pk)
    can_build = request.user.has_perm("quotes.build_quote")
    if request.method == "POST":
        if not (can_build and revision.is_editable):
            raise Http404
        return save_all(request, revision)
    if can_build and revision.is_editable:
        return show_builder(request, lay_out_now(revision))
    return show_quote(request, revision)


@require_POST
@builder_only
@tell_refusal
def quote_details(request: AuthenticatedHttpRequest, pk: int) -> HttpResponse:
    """Save the details on their own; htmx gets the outputs they change."""
    revision = get_editable(request, pk)
    form = DetailsForm(request.POST, instance=get_fresh(revision))
    conflict = details_conflict(request, revision)
    if conflict or not form.is_valid():
        status = 409 if conflict else 422
        if request.htmx:
            return answer_details(revision, form, conflict, status=status)
        return show_builder(
            request, lay_out_now(revision), form=form, message=conflict, status=status
        )
    write_details(request, revision, form)
    if request.htmx:
        fresh = get_revision(request, pk)
        return answer_details(fresh, DetailsForm(instance=fresh), "", status=200)
    return to_builder(revision, "details")


def answer_details(
    revision: Revision, form: DetailsForm, conflict: str, *, status: int
) -> HttpResponse:
    """Answer htmx with the errors, the fingerprint, the checks and the saved note."""
    context = {
        "sheet": lay_out_now(revision),
        "revision": revision,
        "form": form,
        "message": conflict,
        "saved_at": None if form.is_bound else timezone.now(),
        "is_swap": True,
    }
    html = render_to_string("quotes/desk/_details_saved.html", context)
    return HttpResponse(html, status=status)


def write_details(
    request: AuthenticatedHttpRequest, revision: Revision, form: DetailsForm
) -> None:
    """Write the fields that the form changed."""
    changed = [name for name in form.changed_data if name != "notices"]
    save_details(
        revision=revision,
        changes={name: form.cleaned_data[name] for name in changed},
        notices=form.cleaned_data["notices"],
        by=request.user,
        now=timezone.now(),
    )


def details_conflict(request: AuthenticatedHttpRequest, revision: Revision) -> str:
    """Say who changed the details since the form was loaded; empty if nobody did."""
    stamp = request.POST.get("stamp", "")
    if stamp == DetailsForm(instance=revision).stamp:
        return ""
    at = revision.edited_at
    when = f" at {at.astimezone(SINGAPORE):%H:%M}" if at else ""
    return f"{revision.edited_by or 'Somebody'} changed the details{when}."
