"""The desk sees what the same customer asked for before, and what is the same."""

from __future__ import annotations

import pytest
from django.urls import reverse

from quotes.models import RequestLine
from quotes.services.earlier import earlier_of
from quotes.states import RequestStatus
from tests.factories import make_organisation, make_product, make_request

pytestmark = pytest.mark.django_db
OTHER = {"email": "else@example.org", "company": "Else Pte Ltd"}


def found(request) -> list:
    return [one.request for one in earlier_of(request, request.lines_asked())]


def test_the_same_customer_is_known_by_any_of_four_things():
    organisation = make_organisation()
    now = make_request(organisation=organisation, uen="201912345A")
    by_email = make_request(**OTHER | {"email": "Carol@Example.com"})
    by_company = make_request(**OTHER | {"company": "example research pte ltd"})
    by_uen = make_request(uen="201912345A", **OTHER)
    by_organisation = make_request(organisation=organisation, **OTHER)
    make_request(**OTHER)
    make_request(status=RequestStatus.SPAM)
    make_request(status=RequestStatus.DRAFT, number="")

    assert set(found(now)) == {by_email, by_company, by_uen, by_organisation}


def test_two_without_a_uen_or_company_have_nothing_in_common():
    one = make_request(company="", uen="")
    make_request(email="else@example.org", company="", uen="")

    assert found(one) == []


def test_the_same_items_are_marked_and_open_ones_come_first():
    product = make_product(mpn="MSN3700-VS2F")
    now, same, other = (make_request(lines=0) for _ in range(3))
    for request, words in ((now, "SN3700"), (same, "A switch")):
        RequestLine.objects.create(
            request=request, product=product, mpn=product.mpn, description=words
        )
    RequestLine.objects.create(request=other, description="Fibre")

    rows = earlier_of(now, now.lines_asked())

    assert [(row.request, row.same) for row in rows] == [
        (same, ["MSN3700-VS2F"]),
        (other, []),
    ]


def test_the_desk_page_shows_them_in_a_fixed_number_of_queries(
    sam_client, django_assert_max_num_queries
):
    counts = []
    for rows in (2, 4):
        requests = [make_request(lines=rows) for _ in range(rows)]
        path = reverse("desk:request", args=[requests[0].pk])
        with django_assert_max_num_queries(40) as queries:
            page = sam_client.get(path).content.decode()
        assert "Same: PART-0, PART-1" in page
        counts.append(len(queries))

    assert counts[1] <= counts[0]
