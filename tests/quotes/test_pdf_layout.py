"""Structure, page breaks and hostile text of the printed quotation. No database."""

from __future__ import annotations

import io
import json
from datetime import UTC, datetime

import pikepdf
import pytest
from pypdf import PdfReader

from bench.pdf import make_content
from fabrics.drawing import topology_svg
from fabrics.engine import FabricSpec, size
from quotes import pdf as quote_pdf
from quotes.pdf import render_quote
from sourceit.pdf import Pdf

NOW = datetime(2026, 12, 1, 2, tzinfo=UTC)
HEAD = "No. Item Quantity Unit price GST Amount"


def render(content, *, is_draft: bool = False) -> Pdf:
    pdf = render_quote(content, is_draft=is_draft, created=NOW)
    assert pdf.warnings == ()
    return pdf


def pages_of(pdf: Pdf) -> list[str]:
    reader = PdfReader(io.BytesIO(pdf.data))
    return [" ".join(page.extract_text().split()) for page in reader.pages]


def elements_of(pdf: pikepdf.Pdf):
    waiting = list(pdf.Root.StructTreeRoot.K)
    while waiting:
        element = waiting.pop()
        if isinstance(element, pikepdf.Dictionary) and "/S" in element:
            yield element
            waiting.extend(element.get("/K", []))


def tags_of(pdf: pikepdf.Pdf, kind: str) -> list[pikepdf.Object]:
    return [element for element in elements_of(pdf) if str(element.S) == f"/{kind}"]


@pytest.fixture(scope="module")
def sixty() -> Pdf:
    return render(make_content(60))


@pytest.mark.parametrize(("lines", "fewest", "most"), [(1, 2, 2), (12, 2, 3)])
def test_short_quotes_have_few_pages(lines, fewest, most):
    assert fewest <= render(make_content(lines)).pages <= most


def test_sixty_lines_have_a_bounded_number_of_pages(sixty):
    assert 4 <= sixty.pages <= 8


def test_three_hundred_lines_are_all_there():
    pages = pages_of(render(make_content(300)))
    text = " ".join(pages)

    assert all(f"980-9IAH1-{n:05d}" in text for n in range(300))
    assert 15 <= len(pages) <= 30


def test_the_table_head_is_on_each_page_of_the_table(sixty):
    for page in pages_of(sixty):
        if "980-9IAH1-" in page:
            assert page.index(HEAD) < page.index("980-9IAH1-")


def test_every_page_says_what_it_belongs_to(sixty):
    pages = pages_of(sixty)

    for number, page in enumerate(pages, start=1):
        assert "Quotation Q-2026-0042 rev 1 · valid until 15 Dec 2026" in page
        assert f"Page {number} of {len(pages)}" in page


@pytest.mark.parametrize("lines", [4, 5, 6, 7, 8, 17])
def test_totals_and_acceptance_are_never_torn_or_alone(lines):
    pages = pages_of(render(make_content(lines)))

    totals = next(page for page in pages if "Subtotal before GST" in page)
    assert "Totals GST is worked out" in totals
    assert f"980-9IAH1-{lines - 1:05d}" in totals
    acceptance = next(page for page in pages if "How to accept" in page)
    assert "Company stamp" in acceptance[acceptance.index("How to accept") :]


def test_one_h1_and_headed_cells(sixty):
    with pikepdf.open(io.BytesIO(sixty.data)) as pdf:
        assert len(tags_of(pdf, "H1")) == 1
        cells = tags_of(pdf, "TD")
        assert len(cells) > 60 * 6
        assert tags_of(pdf, "TH")
        assert tags_of(pdf, "Caption") or tags_of(pdf, "H2")


def test_pictures_have_a_text(sixty):
    with pikepdf.open(io.BytesIO(sixty.data)) as pdf:
        figures = tags_of(pdf, "Figure")
        assert [str(figure.Alt) for figure in figures] == [
            "QR code: https://example.com/q/Q-2026-0042/"
        ]


def test_all_fonts_are_embedded_subsets(sixty):
    with pikepdf.open(io.BytesIO(sixty.data)) as pdf:
        for page in pdf.pages:
            for font in page.resources.get("/Font", {}).values():
                described = font.DescendantFonts[0].FontDescriptor
                assert "+Inter" in str(described.FontName)
                assert {"/FontFile2", "/FontFile3"} & set(described.keys())


HOSTILE = (
    '<script>alert(1)</script><img src="file:///etc/passwd">'
    "<link rel=stylesheet href=http://127.0.0.1:1/x.css> {{ settings.SECRET_KEY }} "
    "http://169.254.169.254/latest/ "
    + "W" * 300
    + " שלום مرحبا \u202eevil\u202c \U0001f600 \x00\x07\x0b end"
)


@pytest.fixture
def _no_network(monkeypatch):
    def refuse(*args):
        raise AssertionError("the renderer must not reach the network")

    monkeypatch.setattr("socket.socket.connect", refuse)


@pytest.mark.usefixtures("_no_network")
def test_hostile_text_is_printed_as_text_and_nothing_is_fetched():
    content = make_content(1)
    content["message"] = HOSTILE
    content["buyer"] = dict.fromkeys(
        ("company", "name", "email", "reference", "billing_address"), HOSTILE
    )
    line = content["sections"][0]["lines"][0]
    line |= {"description": HOSTILE, "note": HOSTILE, "mpn": HOSTILE, "maker": HOSTILE}
    content["sections"][0]["title"] = HOSTILE
    content["notices"] = [{"title": HOSTILE, "text": HOSTILE}]
    content["terms"] = {
        "version": HOSTILE,
        "clauses": [{"title": HOSTILE, "text": HOSTILE}],
    }

    text = " ".join(pages_of(render(content)))

    assert "<script>alert(1)</script>" in text
    assert "{{ settings.SECRET_KEY }}" in text
    assert "root:" not in text
    assert "evil" in text


def test_text_starts_between_the_margins_with_the_longest_numbers():
    content = make_content(2)
    for line in content["sections"][0]["lines"]:
        line |= {
            "quantity": "999999.125",
            "unit": "metre",
            "unit_price": "99999999999.9999",
            "net": "9999999999999.99",
            "discount_percent": "12.3456",
        }
    content["totals"] |= {"net": "9999999999999.99", "gross": "9999999999999.99"}

    for left, width in text_starts(render(content)):
        assert 38 <= left <= width - 38


def text_starts(pdf: Pdf):
    """Yield (left edge, page width) in points of each piece of text."""
    for page in PdfReader(io.BytesIO(pdf.data)).pages:
        places: list[tuple[float, str]] = []
        page.extract_text(
            visitor_text=lambda text, cm, tm, _font, _size, places=places: (
                places.append((cm[4] + tm[4] * cm[0], text)) if text.strip() else None
            )
        )
        for left, _text in places:
            yield left, float(page.mediabox.width)


def test_a_draft_is_marked_on_every_page():
    pdf = render(make_content(40) | {"number": ""}, is_draft=True)

    with pikepdf.open(io.BytesIO(pdf.data)) as opened:
        assert all("/XObject" in page.resources for page in opened.pages)
    assert "Draft, not an offer" in pages_of(pdf)[0]


def test_a_fabric_design_is_an_annex_with_a_wide_drawing():
    spec = FabricSpec.from_sizes(system="gb300-nvl72", fabric="quantum-x800", gpus=576)
    result = json.loads(json.dumps(size(spec).to_json()))
    design = {
        "id": "1",
        "name": "Cluster A",
        "spec": result["spec"],
        "result": result,
        "drawing": topology_svg(size(spec)),
        "engine_version": "1.0.0",
    }
    pdf = render(make_content(1) | {"designs": [design]})

    text = " ".join(pages_of(pdf))
    assert "Annex 1. Fabric design: Cluster A" in text
    assert "8 leaf + 4 spine" in text
    for check in result["checks"]:
        assert squeezed(check["message"]) in squeezed(text)
    last = PdfReader(io.BytesIO(pdf.data)).pages[-1]
    assert last.mediabox.width > last.mediabox.height
    assert "Leaf 8" in last.extract_text()


@pytest.mark.parametrize(
    "asked",
    [
        {"system": "gb300-nvl72", "fabric": "quantum-x800", "gpus": 9216},
        {"system": "dgx-b300", "fabric": "spectrum-x", "gpus": 1024},
        {"system": "host-200g", "fabric": "spectrum-2", "hosts": 20},
    ],
)
def test_every_kind_of_design_prints_without_a_gap(asked):
    spec = FabricSpec.from_sizes(**asked)
    result = json.loads(json.dumps(size(spec).to_json()))
    design = {
        "id": "1",
        "name": "Cluster",
        "spec": result["spec"],
        "result": result,
        "drawing": topology_svg(size(spec)),
        "engine_version": "1.0.0",
    }

    text = " ".join(pages_of(render(make_content(1) | {"designs": [design]})))

    assert "None" not in text
    assert all(line["opn"] in text for line in result["bom"])
    assert "Topology of Cluster" in text


def squeezed(text: str) -> str:
    return "".join(text.split())


def test_a_design_that_is_sized_otherwise_today_keeps_its_drawing():
    spec = FabricSpec.from_sizes(system="gb300-nvl72", fabric="quantum-x800", gpus=576)
    result = json.loads(json.dumps(size(spec).to_json()))
    result["compute"]["spine"] = 5
    design = {
        "id": "1",
        "name": "Cluster A",
        "spec": result["spec"],
        "result": result,
        "drawing": topology_svg(size(spec)),
        "engine_version": "0.9.0",
    }

    text = " ".join(pages_of(render(make_content(1) | {"designs": [design]})))

    assert "Annex 1" in text
    assert "Topology of" in text


def render_in_small_parts(content) -> Pdf:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(quote_pdf, "PART_LINES", 20)
        return render(content)


@pytest.fixture(scope="module")
def long() -> Pdf:
    return render_in_small_parts(make_content(70))


def test_a_long_quote_is_joined_of_parts_and_numbered_through(long):
    pages = pages_of(long)
    text = " ".join(pages)

    assert len(pages) == long.pages
    for number, page in enumerate(pages, start=1):
        assert f"Page {number} of {len(pages)}" in page
        assert page.count("valid until 15 Dec 2026") >= 1
    assert all(text.count(f"980-9IAH1-{n:05d}") == 1 for n in range(70))
    assert text.count("Subtotal Section") == 4
    assert text.count("Subtotal before GST") == 1


def test_a_joined_structure_is_whole(long):
    with pikepdf.open(io.BytesIO(long.data)) as pdf:
        pages = {page.obj.objgen for page in pdf.pages}
        nums = list(pdf.Root.StructTreeRoot.ParentTree.Nums)
        keys = [int(key) for key in nums[::2]]
        assert keys == sorted(set(keys))
        assert [int(page.obj.StructParents) for page in pdf.pages] == [
            key for key, value in zip(keys, nums[1::2], strict=True) if is_list(value)
        ]
        heads, named, cells = [], set(), 0
        for element in elements_of(pdf):
            assert "/Pg" not in element or element.Pg.objgen in pages
            heads += [str(element.ID)] if "/ID" in element else []
            if str(element.S) == "/TD":
                cells += 1
                named |= {str(head) for head in element.A.get("/Headers", [])}
        assert len(heads) == len(set(heads))
        assert named <= set(heads)
        assert cells >= 70 * 6
        assert len(tags_of(pdf, "H1")) == 1
        assert not pdf.check_pdf_syntax()


def is_list(value) -> bool:
    return isinstance(value, pikepdf.Array)


def test_a_joined_quote_has_bookmarks_title_and_the_same_bytes_twice(long):
    assert long.data == render_in_small_parts(make_content(70)).data
    with pikepdf.open(io.BytesIO(long.data)) as pdf:
        assert str(pdf.docinfo.Title) == "Quotation Q-2026-0042 rev 1"
        assert str(pdf.Root.Lang) == "en-SG"
        with pdf.open_outline() as outline:
            (whole,) = outline.root
            titles = [item.title for item in whole.children]
    assert titles[3:8] == [*(f"Section {n}" for n in (1, 2, 3, 4)), "Totals"]
    assert titles[-1] == "How to accept"


def test_only_a_section_longer_than_a_part_is_cut():
    content = make_content(50)
    lines = [line for part in content["sections"] for line in part["lines"]]
    content["sections"] = [{"title": "All", "net": "1.00", "lines": lines}]

    text = " ".join(pages_of(render_in_small_parts(content)))

    assert text.count("All, continued") == 2
    assert all(text.count(f"980-9IAH1-{n:05d}") == 1 for n in range(50))
