"""What each paper of a quote says of its money, read back from what people see."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from html.parser import HTMLParser
from typing import Any

from python_calamine import CalamineWorkbook

AMOUNT = re.compile(r"(-?)(?:S\$|US\$|€)?(-?[0-9][0-9,]*\.[0-9]{2})(?![0-9])")
TOTALS = ("net", "gst", "rounding", "gross")


@dataclass(frozen=True, slots=True, kw_only=True)
class Story:
    """Amounts as a paper states them; None for what it does not speak of.

    `lines` are number and net of each line that counts, in no order.
    """

    net: Decimal | None = None
    gst: Decimal | None = None
    rounding: Decimal | None = None
    gross: Decimal
    sgd: tuple[Decimal, ...] | None = None
    lines: frozenset[tuple[int, Decimal]] | None = None

    def differences(self, other: Story) -> dict[str, Any]:
        """Name what this one states otherwise than the other."""
        stated = {name: getattr(self, name) for name in self.__slots__}
        return {
            name: (value, getattr(other, name))
            for name, value in stated.items()
            if value is not None and value != getattr(other, name)
        }


class Page(HTMLParser):
    """The table rows, and the names and values, of a page or paper."""

    VOID = frozenset({"br", "col", "hr", "img", "input", "link", "meta"})

    def __init__(self, html: str) -> None:
        super().__init__()
        self.rows: list[list[str]] = []
        self.pairs: list[tuple[str, str]] = []
        self._caption = ""
        self.captions: list[str] = []
        self._cell: list[str] | None = None
        self._name = ""
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        if tag == "tr":
            self.rows.append([])
            self.captions.append(self._caption)
        elif tag == "table":
            self._caption = ""
        if tag in ("td", "th", "dt", "dd", "caption"):
            self._cell = []
        elif self._cell is not None:
            self._cell.append(" ")

    def handle_data(self, data: str) -> None:
        if self._cell is not None:
            self._cell.append(data)

    def handle_endtag(self, tag: str) -> None:
        if self._cell is None or tag not in ("td", "th", "dt", "dd", "caption"):
            return
        text = " ".join("".join(self._cell).split())
        self._cell = None
        if tag in ("td", "th") and self.rows:
            self.rows[-1].append(text)
        elif tag == "dt":
            self._name = text
        elif tag == "dd":
            self.pairs.append((self._name, text))
        elif tag == "caption":
            self._caption = text


def amounts_in(text: str) -> list[Decimal]:
    """Return the amounts with two decimals that a text states, in its order."""
    found = AMOUNT.findall(text)
    return [Decimal(f"{sign}{digits}".replace(",", "")) for sign, digits in found]


def amount_in(text: str) -> Decimal:
    (amount,) = amounts_in(text)
    return amount


def story_of(content: Mapping[str, Any]) -> Story:
    """What a frozen content says: all other papers are held against it."""
    totals, sgd = content["totals"], content["totals"].get("sgd")
    entries = (line for part in content["sections"] for line in part["lines"])
    return Story(
        **{name: Decimal(totals[name]) for name in TOTALS},
        sgd=tuple(Decimal(sgd[name]) for name in ("net", "gst", "gross"))
        if sgd
        else None,
        lines=frozenset((int(e["number"]), Decimal(e["net"])) for e in entries),
    )


def read_page(html: str) -> Story:
    """Read a page of the customer or of the desk: its tables and list of totals."""
    as_quoted = r'<details class="stack" id="as-quoted">.*?</details>'
    page = Page(re.sub(as_quoted, "", html, flags=re.S))
    return _page(page, lines_in(page))


def read_builder(html: str) -> Story:
    """Read the builder, where a line's amount stands in an output of its row."""
    page = Page(html)
    rows = (row for row in page.rows if len(row) == 10 and row[0].isdigit())
    tags = ("Optional", "Alternative", "Rounding")
    lines = frozenset(
        (int(row[0]), amount_in(row[8])) for row in rows if not row[2].startswith(tags)
    )
    return _page(page, lines)


def _page(page: Page, lines: frozenset[tuple[int, Decimal]]) -> Story:
    words: dict[str, str] = {}
    gst = Decimal(0)
    for name, value in page.pairs:
        if name.startswith("GST "):
            gst += amount_in(value)
        words.setdefault(re.split(r"[%,]| At | in S\$", name)[0], value)
    home = words.get("In Singapore dollars") or words.get("In S$")
    return Story(
        net=amount_in(words["Before GST"]),
        gst=gst,
        rounding=amount_in(words.get("Rounding", "0.00")),
        gross=amount_in(words.get("Total with GST") or words["Total"]),
        sgd=_home(amounts_in(home)) if home else None,
        lines=lines,
    )


def lines_in(page: Page) -> frozenset[tuple[int, Decimal]]:
    """Return number and amount of the lines in the tables of what is counted."""
    beside = ("Options, not in the total", "One of:", "Prices by quantity")
    rows = zip(page.rows, page.captions, strict=True)
    return frozenset(
        (int(row[0]), amounts_in(row[-1])[-1])
        for row, caption in rows
        if len(row) == 6 and row[0].isdigit() and not caption.startswith(beside)
    )


def _home(found: list[Decimal]) -> tuple[Decimal, ...]:
    """Put total, net, GST into the order net, GST, total."""
    gross, net, gst = found[:3]
    return (net, gst, gross)


def read_paper(html: str) -> Story:
    """Read what the quotation or the order confirmation prints (its HTML)."""
    page = Page(html)
    words = {row[0]: row[-1] for row in page.rows if len(row) == 2}
    gst = next(
        value for name, value in words.items() if re.match(r"GST( \d+%)?$", name)
    )
    home = re.search(r"In Singapore dollars: (.*?)</strong>", html, re.S)
    counted = html.split('<section class="totals">')[0].split("Options, not in")[0]
    lines = (row for row in Page(counted).rows if len(row) >= 6 and row[0].isdigit())
    return Story(
        net=amount_in(words["Subtotal before GST"]),
        gst=amount_in(gst),
        rounding=amount_in(words.get("Rounding", "0.00")),
        gross=amount_in(words["Total including GST"]),
        sgd=tuple(amounts_in(home[1])) if home else None,
        lines=frozenset((int(row[0]), amount_in(row[-1])) for row in lines),
    )


def read_record(html: str) -> Story:
    """Read what the printed record of an acceptance says."""
    page = Page(html)
    words = {row[0]: row[-1] for row in page.rows if len(row) == 2}
    home = [words.get(f"{name} in S$") for name in ("Before GST", "GST")]
    home.append(words.get("Total including GST in S$"))
    lines = (row for row in page.rows if len(row) == 5 and row[0].isdigit())
    return Story(
        net=amount_in(words["Before GST"]),
        gst=amount_in(words["GST"]),
        rounding=amount_in(words.get("Rounding", "0.00")),
        gross=amount_in(words["Total including GST"]),
        sgd=tuple(amount_in(each) for each in home if each) or None,
        lines=frozenset((int(row[0]), amount_in(row[-1])) for row in lines),
    )


def read_letter(text: str) -> Story:
    """Read the facts of a letter as plain text."""
    words = dict(line.split(": ", 1) for line in text.splitlines() if ": " in line)
    return _facts(words)


def read_html_letter(html: str) -> Story:
    return _facts({row[0]: row[1] for row in Page(html).rows if len(row) == 2})


def _facts(words: Mapping[str, str]) -> Story:
    home = words.get("In Singapore dollars")
    return Story(
        net=amount_in(words["Before GST"]),
        gst=amount_in(words["GST"]),
        rounding=amount_in(words.get("Rounding", "0.00")),
        gross=amount_in(words["Total including GST"]),
        sgd=_home(amounts_in(home)) if home else None,
    )


def read_csv_file(data: bytes) -> Story:
    return _table(csv.DictReader(io.StringIO(data.decode("utf-8-sig"))))


def read_xlsx_file(data: bytes) -> Story:
    sheet = CalamineWorkbook.from_filelike(io.BytesIO(data)).get_sheet_by_index(0)
    heads, *rows = sheet.to_python(skip_empty_area=False)
    return _table(dict(zip(heads, row, strict=True)) for row in rows)


def _table(rows: Iterable[Mapping[str, Any]]) -> Story:
    known = list(rows)
    sums = {row["Description"]: row["Amount before GST"] for row in known}
    home = [value for name, value in sums.items() if _is_home(name)]
    counted = ("In the total", "Accepted")
    return Story(
        net=_exact(sums["Total before GST"]),
        gst=_exact(sums["GST"]),
        rounding=_exact(sums.get("Rounding", "0")),
        gross=_exact(sums["Total including GST"]),
        sgd=tuple(map(_exact, home)) or None,
        lines=frozenset(
            (int(float(row["No."])), _exact(row["Amount before GST"]))
            for row in known
            if row["No."] and row["Counted as"] in counted
        ),
    )


def _is_home(name: str) -> bool:
    return name.startswith("Total before GST at ") or name.endswith(" in S$")


def _exact(cell: Any) -> Decimal:
    """A cell of Excel is a binary number: the nearest amount in cents is meant."""
    return Decimal(str(cell)).quantize(Decimal("0.0001"))


def read_manifest(manifest: Mapping[str, Any]) -> Story:
    return story_of({**manifest, "sections": [{"lines": manifest["lines"]}]})
