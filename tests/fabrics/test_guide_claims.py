"""The guide says what its claims say, and states no figure without one."""

from __future__ import annotations

import csv
import io
import re
from dataclasses import dataclass, field
from html.parser import HTMLParser

import pytest
from django.urls import reverse

from fabrics.guide import TABLE_HEADINGS, claims, comparison

pytestmark = pytest.mark.django_db

BLOCKS = {"p", "td", "dd", "dt", "summary", "li"}
VOID = {"br", "meta", "link", "input", "img", "hr"}
# A figure is not part of a name: not "GB300", "ConnectX-8", "RoCEv2" or "Q3400".
FIGURE = re.compile(r"(?<![\w.,-])\d+(?:[.,:]\d+)*")


@dataclass
class Block:
    """The words of one paragraph or cell, without its marks, and what it cites."""

    section: str
    css: str
    text: str = ""
    cited: set[int] = field(default_factory=set)

    @property
    def figures(self) -> set[str]:
        return set(FIGURE.findall(self.text))


class Page(HTMLParser):
    """Reads the blocks of the guide's article, by section."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.blocks: list[Block] = []
        self.open: list[tuple[str, Block | None]] = []
        self.section = ""
        self.cite_depth = 0
        start, end = html.index("<article"), html.index("</article>")
        self.feed(html[start:end])

    def handle_starttag(self, tag, attrs):
        named = dict(attrs)
        if tag == "section":
            self.section = named["id"]
        if tag in VOID or tag in ("use", "rect"):
            return
        block = None
        if tag in BLOCKS:
            block = Block(self.section, named.get("class") or "")
            self.blocks.append(block)
        if "cite" in (named.get("class") or "").split():
            self.cite_depth = len(self.open) + 1
            if self.inner and "#claim-" in named["href"]:
                self.inner.cited.add(int(named["href"].rpartition("-")[2]))
        self.open.append((tag, block))

    def handle_endtag(self, tag):
        while self.open and self.open.pop()[0] != tag:
            pass
        if len(self.open) < self.cite_depth:
            self.cite_depth = 0

    def handle_data(self, data):
        if self.inner and not self.cite_depth:
            self.inner.text += data

    @property
    def inner(self) -> Block | None:
        return next((block for _tag, block in reversed(self.open) if block), None)


@pytest.fixture
def page(client) -> Page:
    return Page(client.get(reverse("fabrics:guide")).content.decode())


def test_the_reader_of_the_page_finds_its_parts(page):
    found = {block.section for block in page.blocks}

    assert {
        *("short", "table", "traffic", "both", "ethernet", "others"),
        *("station", "calculator", "questions", "sources"),
    } <= found
    assert len(page.blocks) > 60


@pytest.mark.parametrize("key", list(claims()))
def test_every_figure_of_a_claim_stands_where_the_claim_is_cited(page, key):
    claim = claims()[key]
    said = [b for b in page.blocks if claim.number in b.cited]
    wanted = set(FIGURE.findall(f"{claim.subject} {claim.value}"))

    assert said, "nobody cites it"
    told = set().union(*(block.figures for block in said))
    assert wanted <= told


@pytest.mark.parametrize("key", list(claims()))
def test_the_list_of_sources_has_every_claim_with_source_and_date(page, key):
    claim = claims()[key]
    item = [b for b in page.blocks if b.section == "sources" and b.css == ""]
    listed = " ".join(block.text for block in item)

    assert claim.value[1:] in listed
    assert f"{claim.source}, {claim.date or 'no date given'}." in listed


def test_no_figure_is_stated_without_a_claim(page):
    """The list of sources and the reader's own numbers are no statements of ours."""
    for block in page.blocks:
        if block.section in ("sources", "calculator") or "origin" in block.css:
            continue
        assert not block.figures or block.cited, block.text


def test_no_figure_stands_beside_claims_that_do_not_say_it(page):
    numbered = {claim.number: claim for claim in claims().values()}
    for block in page.blocks:
        if block.section in ("sources", "calculator") or "origin" in block.css:
            continue
        said = [numbered[number] for number in block.cited]
        words = " ".join(f"{claim.subject} {claim.value}" for claim in said)
        allowed = set(FIGURE.findall(words)) | {"1"}
        assert block.figures <= allowed, block.text


def test_every_row_of_the_table_shows_its_sources_and_their_dates(client, page):
    cells = [b for b in page.blocks if b.section == "table" and "origin" in b.css]

    assert len(cells) == len(comparison()) >= 8
    for cell, row in zip(cells, comparison(), strict=True):
        assert row.nvlink.claims
        assert row.infiniband.claims
        assert all(claim.origin in cell.text for claim in row.sources)


def test_the_table_is_to_be_had_as_data(client):
    response = client.get(reverse("fabrics:guide"), {"table": "csv"})
    read = list(csv.reader(io.StringIO(response.content.decode("utf-8-sig"))))

    assert response["Content-Type"].startswith("text/csv")
    assert read[0] == [*TABLE_HEADINGS, "Source and date"]
    assert [row[0] for row in read[1:]] == [row.fact for row in comparison()]
    speed = next(row for row in read if row[0].startswith("Speed"))
    assert "900 GB/s" in speed[1]
    assert "accessed 6 Nov 2026" in speed[3]
    assert any("(vendor's claim)" in row[3] for row in read)
