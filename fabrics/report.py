"""The printed report of a version: frozen figures, parts and drawings to a PDF.

Nothing is sized and no database is asked. The same version gives the same bytes.
"""

from __future__ import annotations

from django.conf import settings
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.text import slugify

from fabrics.engine import FabricSpec, SpecError
from fabrics.figures import design_name, part_lines, read_design
from fabrics.forms import spec_query
from fabrics.frozen import RACK, printed
from fabrics.models import DesignVersion
from sourceit.pdf import Pdf, render_pdf


def render_report(version: DesignVersion) -> Pdf:
    """Print a version: summary, parts with working and source, checks, drawings."""
    drawings = printed(version.drawings)
    racks = {name: svg for name, svg in drawings.items() if name.startswith(RACK)}
    context = {
        "version": version,
        "result": version.result,
        "view": read_design(version.result),
        "rows": part_lines(version.result),
        "drawings": {name: svg for name, svg in drawings.items() if name not in racks},
        "racks": racks,
        "url": again_url(version),
        "sales_phone": settings.SALES_PHONE,
        "sales_email": settings.SALES_EMAIL,
    }
    html = render_to_string("pdf/design.html", context)
    identifier = f"design-{version.design_id}-{version.n}"
    return render_pdf(html, identifier=identifier, created=version.created_at)


def again_url(version: DesignVersion) -> str:
    """The address that sizes the same question again.

    The design's own address is a secret of whoever holds it, and a file is passed on.
    """
    try:
        query = spec_query(FabricSpec.from_json(version.spec))
    except SpecError:  # a question that today's engine no longer takes
        query = ""
    return f"{settings.SITE_URL}{reverse('fabrics:configure')}?{query}"


def file_name(version: DesignVersion) -> str:
    name = slugify(design_name(version.result))
    return f"SourceIT-Design-{name}-v{version.n}.pdf"
