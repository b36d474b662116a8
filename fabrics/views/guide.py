"""NVLink and InfiniBand explained, with a calculator for the reader's numbers."""

from __future__ import annotations

from django.http import HttpResponse
from django.urls import reverse
from django.utils.safestring import mark_safe
from django.views.decorators.http import require_safe

from fabrics.calculator import TrafficForm
from fabrics.drawing import nvlink_svg
from fabrics.forms import FabricForm
from fabrics.guide import TABLE_HEADINGS, claims, comparison, comparison_rows
from sourceit.cells import csv_response
from sourceit.htmx import render_page, wants_partial
from sourceit.http import HttpRequest

SOURCES = "Source and date"


@require_safe
def guide(request: HttpRequest) -> HttpResponse:
    """The page; `table=csv` asks for its table as a file.

    The reader's numbers stand in the address, so that a link carries them.
    """
    if request.GET.get("table") == "csv":
        headings = (*TABLE_HEADINGS, SOURCES)
        return csv_response("nvlink-infiniband.csv", headings, comparison_rows())
    has_asked = "collective" in request.GET
    form = TrafficForm(request.GET if has_asked else TrafficForm.START)
    status = 200 if form.is_valid() else 422
    url = reverse("fabrics:guide")
    numbers_url = f"{url}?{form.query}#calculator"
    context = {
        "form": form,
        "claims": claims(),
        "headings": (*TABLE_HEADINGS, SOURCES),
        "rows": comparison(),
        "share_url": request.build_absolute_uri(url),
        "numbers_url": request.build_absolute_uri(numbers_url),
        "nvlink": mark_safe(_nvlink_drawing()),
    }
    response = render_page(
        request, "fabrics/guide.html", context, partial="estimate", status=status
    )
    if wants_partial(request) and status == 200:
        response["HX-Replace-Url"] = numbers_url
    return response


def _nvlink_drawing() -> str:
    """One NVLink domain of the design that the configurator starts on."""
    form = FabricForm.of_page({})
    form.is_valid()
    return nvlink_svg(form.engine_design) or ""
