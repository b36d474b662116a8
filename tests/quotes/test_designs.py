"""Designs in requests and quotes: frozen versions, and what was saved since."""

from __future__ import annotations

import re

import pytest
from django.urls import reverse
from django.utils import timezone

from fabrics.engine import FabricSpec
from fabrics.services import DesignError, remove_design, save_design, save_version
from fabrics.uses import uses_of
from quotes.content import build_content
from quotes.designs import newer_versions
from quotes.models import RequestLine, Revision
from quotes.services import baskets
from quotes.services.quotes import build_quote
from quotes.states import RequestStatus
from tests.factories import make_request

pytestmark = pytest.mark.django_db


def spec_of(gpus: int) -> FabricSpec:
    return FabricSpec.from_sizes(system="gb300-nvl72", fabric="quantum-x800", gpus=gpus)


def text_of(response) -> str:
    return re.sub(r"\s+", " ", response.content.decode())


@pytest.fixture
def lab(carol):
    return save_design(spec=spec_of(576), owner=carol, name="Lab")


@pytest.fixture
def asked(carol, lab):
    """A request of carol's for version 1 of her lab."""
    request = make_request(lines=0, user=carol)
    RequestLine.objects.create(request=request, design=lab, description=lab.name)
    return request


def test_a_request_holds_the_version_that_was_asked_for(lab, asked):
    save_version(design=lab.design, spec=spec_of(1152))

    line = asked.lines.get()
    assert (line.design, line.design.n) == (lab, 1)


def test_a_newer_version_takes_its_older_ones_place_in_the_basket(carol, lab):
    basket = baskets.make_basket(user=carol)
    baskets.add_design(basket=basket, design=lab)
    newer = save_version(design=lab.design, spec=spec_of(1152))

    baskets.add_design(basket=basket, design=newer)

    assert basket.lines.get().design == newer


def test_a_deleted_design_is_not_asked_for(carol, lab):
    remove_design(design=lab.design, now=timezone.now())

    with pytest.raises(baskets.QuoteError, match="was deleted"):
        baskets.add_design(basket=baskets.make_basket(user=carol), design=lab)


def test_the_owner_reads_what_changed_since_the_request(carol_client, lab, asked):
    save_version(design=lab.design, spec=spec_of(1152))

    text = text_of(carol_client.get(lab.design.get_absolute_url()))

    assert f"{asked.number}</a> asks for version 1." in text
    assert "Version 2 has 576 more GPUs, 8 more leaf switches" in text
    assert "It cannot be deleted" in text


def test_the_owner_reads_what_changed_since_the_quote_once_it_is_sent(
    carol_client, sam, lab, asked
):
    revision = build_quote(request=asked, by=sam, now=timezone.now())
    save_version(design=lab.design, spec=spec_of(1152))
    url = lab.design.get_absolute_url()
    assert "quotes version 1" not in text_of(carol_client.get(url))

    Revision.objects.filter(pk=revision.pk).update(status="sent")

    assert "rev 1</a> quotes version 1." in text_of(carol_client.get(url))


def test_the_desk_reads_it_on_the_request_and_in_the_builder(
    sam_client, sam, lab, asked
):
    revision = build_quote(request=asked, by=sam, now=timezone.now())
    pages = [
        reverse("desk:request", args=[asked.pk]),
        reverse("desk:quote", args=[revision.pk]),
    ]
    for page in pages:
        assert "has since saved version" not in text_of(sam_client.get(page))

    save_version(design=lab.design, spec=spec_of(1152))

    for page in pages:
        text = text_of(sam_client.get(page))
        assert "The customer has since saved version 2 of Lab." in text
        assert "8 more leaf switches" in text


def test_newer_versions_are_found_in_two_queries(lab, django_assert_num_queries):
    save_version(design=lab.design, spec=spec_of(1152))

    with django_assert_num_queries(2):
        (found,) = newer_versions([lab])
    assert (found.asked.n, found.newest.n) == (1, 2)
    with django_assert_num_queries(0):
        assert newer_versions([]) == []


def test_a_use_is_named_to_all_and_opened_only_by_its_own_people(
    carol, mallory, sam, lab, asked
):
    (told,) = uses_of(lab.design, mallory)
    assert (told.name, told.url) == (asked.number, "")
    assert uses_of(lab.design, carol)[0].url == reverse(
        "quotes:request", args=[asked.pk]
    )
    assert uses_of(lab.design, sam)[0].url == reverse("desk:request", args=[asked.pk])


def test_a_design_that_was_asked_for_cannot_be_deleted(lab, asked):
    with pytest.raises(DesignError, match=f"Lab stays: {asked.number} uses it"):
        remove_design(design=lab.design, now=timezone.now())


def test_spam_holds_no_design_back(lab, asked):
    asked.status = RequestStatus.SPAM
    asked.save()

    remove_design(design=lab.design, now=timezone.now())


def test_basket_request_and_desk_show_figures_parts_and_the_version(
    carol_client, sam_client, carol, lab, asked
):
    basket = baskets.make_basket(user=carol)
    baskets.add_design(basket=basket, design=lab)
    pages = [
        carol_client.get(reverse("quotes:basket")),
        carol_client.get(reverse("quotes:request", args=[asked.pk])),
        sam_client.get(reverse("desk:request", args=[asked.pk])),
    ]

    for page in pages:
        text = text_of(page)
        assert "Fabric design, version 1" in text
        assert "28.8 TB/s" in text
        assert "8 leaf + 4 spine" in text
        assert f'href="{lab.get_absolute_url()}"' in text


def test_a_sent_quote_keeps_the_drawing_of_its_version(sam, lab, asked):
    revision = build_quote(request=asked, by=sam, now=timezone.now())

    content = build_content(
        Revision.objects.with_lines().get(pk=revision.pk), now=timezone.now()
    )

    (design,) = content["designs"]
    assert (design["version"], design["drawing"]) == (1, lab.topology)
