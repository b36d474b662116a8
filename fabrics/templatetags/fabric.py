"""A frozen design inside other pages: quotes, requests, the basket."""

from __future__ import annotations

from typing import Any

from django import template
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

from fabrics.engine import Source
from fabrics.figures import DesignView, SourceRef, read_design
from fabrics.frozen import shown
from fabrics.guide import Claim

register = template.Library()


@register.simple_tag
def cite(source: SourceRef | None) -> SafeString:
    """A number that leads to the document in the page's list of sources."""
    if source is None:
        return SafeString("")
    return format_html(
        '&nbsp;<a class="cite" href="#source-{}" title="{}">'
        '<span class="vh">Source </span>{}</a>',
        source.number,
        source.text,
        source.number,
    )


@register.simple_tag
def rule(chapter: str) -> SafeString:
    """A mark that leads to the rule by which a figure is worked out."""
    if not chapter:
        return SafeString("")
    words = chapter.replace("-", " ")
    return format_html(
        '&nbsp;<a class="cite" href="{}#{}" title="Rule: {}">'
        '<span class="vh">Rule, {}</span><span aria-hidden="true">§</span></a>',
        reverse("fabrics:rules"),
        chapter,
        words,
        words,
    )


@register.simple_tag
def document(source: Source) -> SafeString:
    """A document by title and edition, as a link where it has an address."""
    if not source.url:
        return format_html("{}", str(source))
    return format_html('<a href="{}" rel="noreferrer">{}</a>', source.url, str(source))


@register.simple_tag
def claim(fact: Claim) -> SafeString:
    """Where a fact of the guide comes from, and whether it is its vendor's word."""
    tag = ' <span class="tag warn">Vendor\'s claim</span>' if fact.vendor_claim else ""
    return format_html(
        '&nbsp;<a class="cite" href="#claim-{}" title="{}">'
        '<span class="vh">Source </span>{}</a>{}',
        fact.number,
        fact.origin,
        fact.number,
        mark_safe(tag),
    )


@register.filter
def as_design(result: dict[str, Any]) -> DesignView | None:
    """Read a frozen design; None for one that holds parts alone."""
    return read_design(result) if "compute" in result else None


@register.filter
def drawn(svg: str) -> SafeString:
    """Show a drawing that was kept with a design (see `fabrics.frozen`)."""
    return shown(svg)
