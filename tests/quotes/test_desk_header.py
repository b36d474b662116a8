"""The desk's header: what each role works in daily, and the rest under More."""

from __future__ import annotations

import re

import pytest
from django.urls import reverse

from sourceit.access import APPROVER, CATALOGUE_EDITOR, SALES
from tests.factories import make_staff

pytestmark = pytest.mark.django_db


def areas(client, *roles: str) -> tuple[list[str], list[str]]:
    """Sign in with roles; return the names in the row, and those under More."""
    client.force_login(make_staff("", *roles))
    page = client.get(reverse("desk:mailbox")).content.decode()
    header = re.search(r'<nav aria-label="Desk">(.*?)</nav>', page, re.DOTALL)[1]
    row, more = header.split("<details")
    return tuple(re.findall(r"<a [^>]*>([^<]*)</a>", part) for part in (row, more))


@pytest.mark.parametrize(
    ("roles", "row", "more"),
    [
        (
            [SALES],
            "Templates",
            ["Rules", "Working days", "Exchange rates", "Mailbox", "Shop"],
        ),
        ([APPROVER], "Rules", ["Templates", "Exchange rates", "Mailbox", "Shop"]),
        (
            [SALES, APPROVER, CATALOGUE_EDITOR],
            "Templates",
            ["Rules", "Working days", "Exchange rates", "Mailbox", "Catalogue", "Shop"],
        ),
    ],
)
def test_a_role_has_its_areas_in_a_short_row_and_the_rest_under_more(
    client, roles, row, more
) -> None:
    assert areas(client, *roles) == (["Pipeline", "Orders", "Suppliers", row], more)


def test_the_page_that_is_open_is_marked_under_more(sam_client) -> None:
    address = reverse("desk:mailbox")
    page = sam_client.get(address).content.decode()

    assert f'<a href="{address}" aria-current="page">Mailbox</a>' in page
