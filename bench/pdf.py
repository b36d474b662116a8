"""Time quotation PDFs against plain WeasyPrint, in one run: ratios, not seconds.

Run from the project's folder: python bench/pdf.py [lines ...]

"plain" is the same document by WeasyPrint as it comes: untagged, the collector on, with
fonts and styles kept between documents ("fresh" reads them each time). Goals:
3 and 40 lines <= 1.2 x plain, 500 lines <= 0.75 x plain, 1,000 lines <= 200 MB, the
first document of a warmed-up worker <= 2 x the next.
"""

from __future__ import annotations

import json
import os
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from types import SimpleNamespace
from typing import Any

SIZES = (3, 40, 500, 1000)
GOALS = {3: 1.2, 40: 1.2, 500: 0.75}
GOAL_MB = 200
ISSUED = datetime(2026, 12, 1, 2, tzinfo=UTC)
DESCRIPTIONS = (
    "Quantum-X800 InfiniBand switch, 144 ports of 800G, two power supplies, rail kit",
    "GB300 NVL72 rack: 72 GPUs, 18 compute and 9 NVLink switch trays, liquid cooled",
    "Single-mode MPO-12/APC fibre, straight, 30 m",
    "1.6T twin-port OSFP transceiver, 2 x 800G DR4, single-mode, finned top",
)


def make_content(count: int) -> dict[str, Any]:
    """Return the content of a quote of four sections, as the desk would freeze it."""
    from quotes.pricing import add_up

    lines = [_make_line(n) for n in range(count)]
    totals = add_up(lines, gst_percent=Decimal(9)).totals
    size = max(1, -(-count // 4))
    parts = [lines[at : at + size] for at in range(0, count, size)]
    return {
        "number": "Q-2026-0042",
        "revision": 1,
        "issued_on": "2026-12-01",
        "valid_until": "2026-12-15",
        "currency": "SGD",
        "seller": {"site": "https://example.com", "is_sample": True},
        "buyer": {"company": "Example Research Pte Ltd", "name": "Carol Tan"},
        "salesperson": {"name": "Sam Lim", "email": "sam@example.com"},
        "gst_percent": "9",
        "sections": [_make_section(n, part) for n, part in enumerate(parts, start=1)],
        "options": [],
        "totals": {
            "net": str(totals.net),
            "gst": str(totals.gst),
            "rounding": "0.00",
            "gross": str(totals.gross),
            "taxes": [],
        },
        "is_complete": True,
        "designs": [],
    }


def _make_line(n: int) -> SimpleNamespace:
    return SimpleNamespace(
        n=n,
        kind="standard",
        quantity=Decimal(n % 7 + 1),
        unit_price=Decimal("26168.1193") + n,
        discount_percent=Decimal(0),
        tax="standard",
    )


def _make_section(n: int, lines: list[SimpleNamespace]) -> dict[str, Any]:
    from quotes.pricing import line_net

    return {
        "title": f"Section {n}",
        "net": str(sum((line_net(line) or Decimal(0)) for line in lines)),
        "lines": [
            {
                "number": line.n + 1,
                "kind": line.kind,
                "maker": "NVIDIA",
                "mpn": f"980-9IAH1-{line.n:05d}",
                "description": DESCRIPTIONS[line.n % 4],
                "quantity": str(line.quantity),
                "unit": "pc",
                "unit_price": str(line.unit_price),
                "discount_percent": "0",
                "net": str(line_net(line)),
                "tax": line.tax,
                "lead_time": "4 to 6 weeks (maker, 1 Dec 2026)",
                "warranty": "3 years",
                "note": "",
                "may_be_repriced": False,
            }
            for line in lines
        ],
    }


def render_ours(content: dict[str, Any]) -> None:
    from quotes.pdf import render_quote

    render_quote(content, is_draft=False, created=ISSUED)


def render_plain(content: dict[str, Any], *, is_fresh: bool = False) -> None:
    """Render the same page as WeasyPrint comes: no tags, the collector on."""
    from weasyprint import HTML

    from quotes import pdf
    from sourceit.pdf import OwnFilesOnly, _prepared

    pdf.PART_LINES = 1_000_000
    if is_fresh:
        _prepared.cache_clear()
    ready = _prepared()
    page = HTML(
        string=pdf.quote_parts(content, is_draft=False)[0],
        base_url="static:",
        url_fetcher=OwnFilesOnly(),
    )
    page.write_pdf(font_config=ready.fonts, stylesheets=list(ready.styles))


def render_fresh(content: dict[str, Any]) -> None:
    render_plain(content, is_fresh=True)


WAYS: dict[str, Callable[[dict[str, Any]], None]] = {
    "ours": render_ours,
    "plain": render_plain,
    "fresh": render_fresh,
}


def measure(way: str, count: int) -> dict[str, float]:
    """Run in a process of its own: first and median seconds, peak memory in MB."""
    import django

    django.setup()
    from sourceit.pdf import warm_up

    warm_up()
    content = make_content(count)
    times = []
    for _run in range(max(2, min(9, 400 // count))):
        started = time.process_time()
        WAYS[way](content)
        times.append(time.process_time() - started)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {"first": times[0], "median": statistics.median(times[1:]), "mb": peak}


def _measured(way: str, count: int) -> dict[str, float]:
    command = [sys.executable, __file__, "--one", way, str(count)]
    answer = subprocess.run(command, check=True, capture_output=True, text=True)
    found: dict[str, float] = json.loads(answer.stdout)
    return found


def main(sizes: list[int]) -> None:
    print("lines  ours s  plain s  ours/plain  ours/fresh  first/next    MB  goal")
    for count in sizes:
        ours, plain, fresh = (_measured(way, count) for way in WAYS)
        ratio = ours["median"] / plain["median"]
        goal = f"<= {GOALS[count]}" if count in GOALS else ""
        goal = f"<= {GOAL_MB} MB" if count == 1000 else goal
        print(
            f"{count:5} {ours['median']:7.3f} {plain['median']:8.3f} {ratio:11.2f} "
            f"{ours['median'] / fresh['median']:11.2f} "
            f"{ours['first'] / ours['median']:11.2f} {ours['mb']:5.0f}  {goal}",
            flush=True,
        )


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
    if sys.argv[1:2] == ["--one"]:
        print(json.dumps(measure(sys.argv[2], int(sys.argv[3]))))
    else:
        main([int(size) for size in sys.argv[1:]] or list(SIZES))
