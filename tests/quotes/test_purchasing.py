"""What to buy of whom for an order, for the desk alone."""

from __future__ import annotations

import csv
import io
from decimal import Decimal

import pytest
from django.urls import reverse
from django.utils import timezone
from pypdf import PdfReader
from python_calamine import CalamineWorkbook

from catalog.models import Supplier, SupplierPart
from quotes.models import Line, Order, OrderLine, Revision
from quotes.services.orders import (
    CONFIRMATION,
    convert_quote,
)
from quotes.services.purchasing import NO_SUPPLIER, purchase_lists
from quotes.states import RequestStatus
from sourceit.models import Delivery, Document
from tests.factories import (
    make_bought,
    make_line,
    make_order,
    make_product,
    make_request,
    make_revision,
)
from tests.quotes.answering import accept, address_of, dispatch
from tests.quotes.answering import quick_pdf as quick_pdf

pytestmark = pytest.mark.django_db
SECRET_SUPPLIER = "Hidden Distribution Pte Ltd"


@pytest.fixture(autouse=True)
def _own_media(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path


@pytest.fixture
def bought(sam) -> Revision:
    return make_bought(sam, lines=2)


def convert(revision: Revision, by) -> Order:
    return convert_quote(revision=revision, by=by, now=timezone.now())


def url(name: str, *args) -> str:
    return reverse(f"desk:{name}", args=args)


@pytest.fixture
def order(sam) -> Order:
    product = make_product(mpn="MSN3700-VS2F")
    supplier = Supplier.objects.create(name=SECRET_SUPPLIER, email="x@hidden.example")
    SupplierPart.objects.create(
        supplier=supplier, product=product, part_number="HD-77", is_preferred=True
    )
    asked = make_request(owner=sam, status=RequestStatus.IN_PROGRESS)
    draft = make_revision(request=asked, author=sam, lines=0)
    make_line(draft, product=product, quantity=Decimal(2))
    make_line(draft, position=1, description="Labour", mpn="")
    sent = dispatch(draft)
    accept(sent)
    Line.objects.filter(description="Labour").update(unit_cost=None)
    return make_order(sent, sam)


def test_lines_are_grouped_by_supplier(order) -> None:
    known, unknown = purchase_lists(order)

    assert (known.name, unknown.name) == (SECRET_SUPPLIER, NO_SUPPLIER)
    assert known.lines[0].supplier_part == "HD-77"
    assert known.cost == Decimal("42469.12")
    assert unknown.cost is None, "an unknown cost is not zero"


def test_a_line_gets_a_supplier_at_the_desk(order, sam_client) -> None:
    labour = order.lines.get(supplier=None)
    page = sam_client.get(url("purchase", order.pk)).content.decode()
    assert NO_SUPPLIER in page

    sam_client.post(
        url("purchase_assign", order.pk), {"line": labour.pk, "new_name": "Crew  Ltd"}
    )
    again = sam_client.post(
        url("purchase_assign", order.pk), {"line": labour.pk, "new_name": "crew ltd"}
    )

    labour.refresh_from_db()
    assert labour.supplier.name == "Crew Ltd"
    assert Supplier.objects.count() == 2
    assert again.status_code == 302
    assert NO_SUPPLIER not in sam_client.get(url("purchase", order.pk)).content.decode()


@pytest.mark.parametrize(
    ("typed", "words"),
    [({}, "Tick the lines first."), ({"line": "1"}, "enter the name of a new one")],
)
def test_an_assignment_needs_lines_and_a_supplier(
    order, sam_client, typed, words
) -> None:
    typed = {**typed, "line": order.lines.first().pk} if typed else typed

    response = sam_client.post(url("purchase_assign", order.pk), typed)

    assert response.status_code == 409
    assert words in response.content.decode()


def test_another_orders_line_is_not_assigned(order, bought, sam, sam_client) -> None:
    foreign = make_order(bought, sam).lines.first()

    sam_client.post(
        url("purchase_assign", order.pk), {"line": foreign.pk, "new_name": "Crew"}
    )

    foreign.refresh_from_db()
    assert foreign.supplier is None


def test_the_list_is_a_file_for_spreadsheets(order, sam_client) -> None:
    OrderLine.objects.filter(supplier=None).update(description="=1+1")

    text = sam_client.get(url("purchase_csv", order.pk)).content.decode("utf-8-sig")
    rows = list(csv.reader(io.StringIO(text)))
    data = sam_client.get(url("purchase_xlsx", order.pk)).content
    book = CalamineWorkbook.from_filelike(io.BytesIO(data))
    sheet = book.get_sheet_by_index(0).to_python()

    assert rows[1][1] == SECRET_SUPPLIER
    assert rows[1][9:11] == ["21234.56", "42469.12"]
    assert rows[2][6] == "'=1+1"
    assert sheet[1][:2] == rows[1][:2]
    assert sheet[2][6] == "'=1+1"


def test_no_customer_learns_supplier_or_cost(client, order, sam) -> None:
    revision = order.acceptance.revision
    secrets = [SECRET_SUPPLIER, "hidden.example", "HD-77", "21,234", "42,469", "42469"]
    pages = [
        client.get(address_of(revision, name)).content.decode()
        for name in ("answer", "answer_record_json")
    ]
    pages += [str(revision.content), str(order.content)]
    pages += [
        f"{one.email_subject} {one.body_text} {one.body_html}"
        for one in Delivery.objects.exclude(kind__endswith="_desk")
    ]
    for document in Document.objects.filter(kind__in=[CONFIRMATION]):
        with document.file.open("rb") as file:
            for page in PdfReader(io.BytesIO(file.read())).pages:
                pages.append(page.extract_text())

    for page in pages:
        assert [word for word in secrets if word in page] == []


@pytest.mark.parametrize(
    "name",
    ["order", "purchase", "purchase_csv", "purchase_xlsx", "order_document"],
)
def test_no_customer_opens_the_desks_pages(order, client, carol_client, name) -> None:
    for verb in ("get", "head", "post", "put", "patch", "delete"):
        for who, refusals in ((client, (302, 405)), (carol_client, (404, 405))):
            response = getattr(who, verb)(url(name, order.pk))
            assert response.status_code in refusals
