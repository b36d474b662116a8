"""A design laid out on its floor: lengths, the parts they take, and what to check."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby

from fabrics.engine import sources as src
from fabrics.engine.bom import OPTICS
from fabrics.engine.cable import (
    LEAF_LEAF,
    LEAF_SPINE,
    NODE_LEAF,
    SCALE_OUT,
    STORAGE,
    UFM_LEAF,
    Cable,
)
from fabrics.engine.cabling_networks import network_lister
from fabrics.engine.design import CHECK, STOP, BomLine, Check, FabricDesign
from fabrics.engine.floor import MOST_RACKS, FloorPlan, floor_plan
from fabrics.engine.floor_parts import (
    cable_of,
    other_lines,
    scaleout_lines,
)
from fabrics.engine.floor_spec import Floor
from fabrics.engine.media import Media, media, reach_cm
from fabrics.engine.names import plain
from fabrics.engine.other_runs import Measured
from fabrics.engine.profiles import CableSet
from fabrics.engine.racking import rack_count
from fabrics.engine.row_runs import RowRuns
from fabrics.engine.runs import Runs, scaleout_runs
from fabrics.engine.topology import ceil_div


@dataclass(frozen=True, slots=True, kw_only=True)
class Laid:
    """A design on its floor. Scale-out is counted by rack pairs, the rest by row."""

    design: FabricDesign
    plan: FloorPlan
    runs: Runs
    choice: Media
    rows: RowRuns

    def fitted(self, row: Cable) -> Cable:
        """A scale-out row with the parts that its run takes."""
        length = self.rows.cm(row) or 0
        medium = self.choice.of(row.kind, length)
        part = cable_of(medium, row.kind, length)
        metres = self.rows.bought(part, length)
        if isinstance(medium, CableSet):
            label = _twin_label(row) if medium.links == 2 else row.label
            return row._replace(
                label=label, a_module="", b_module="", metres=metres, part=part
            )
        near = {NODE_LEAF: medium.nic_module, UFM_LEAF: medium.ufm_module}
        return row._replace(
            a_module=near.get(row.kind, medium.switch_module),
            b_module=medium.switch_module,
            metres=metres,
            part=part,
        )

    def measured(self, row: Cable) -> Cable:
        """A row of another network with the length of its run."""
        return row._replace(metres=self.rows.bought(row.part, self.rows.cm(row)))


def _twin_label(row: Cable) -> str:
    """Two links of a twin cable share the odd one's number; a node's has it already."""
    if row.kind not in (LEAF_SPINE, LEAF_LEAF):
        return row.label
    head, number = row.label[:-7], int(row.label[-7:])
    return f"{head}{number - 1 + number % 2:07d}/{2 - number % 2}"


def laid_out(design: FabricDesign) -> Laid | None:
    """A design on the floor that was asked for; None without one."""
    plan = floor_plan(design)
    if plan is None:
        return None
    runs = scaleout_runs(design, plan)
    if not runs:
        return None
    return Laid(
        design=design,
        plan=plan,
        runs=runs,
        choice=media(design, runs),
        rows=RowRuns(design, plan, _ufm(design, plan, runs)),
    )


def _ufm(design: FabricDesign, plan: FloorPlan, runs: Runs) -> dict[str, int]:
    """The longest run of UFM's cables, by network as the list names it."""
    longest = {SCALE_OUT: max(runs.get(UFM_LEAF, {}), default=0)}
    rows = RowRuns(design, plan, {})
    stored = network_lister(design, STORAGE)
    links = stored.ufm_links() if stored else ()
    longest[STORAGE] = max((rows.cm(row) or 0 for row in links), default=0)
    return {name: length for name, length in longest.items() if length}


def floor_bom(laid: Laid, lines: Iterable[BomLine], found: Measured) -> list[BomLine]:
    """The parts list with every cable in the lengths it is bought in."""
    kept = list(lines)
    first = next((n for n, item in enumerate(kept) if item.section == OPTICS), 0)
    others = [item for item in kept if item.section != OPTICS]
    scaleout = scaleout_lines(laid.design, laid.runs, laid.choice)
    result = others[:first] + scaleout
    for section, some in groupby(others[first:], key=lambda item: item.section):
        result += other_lines(some, found.lengths.get(section, Counter()))
    return result


def floor_checks(laid: Laid, found: Measured) -> Iterator[Check]:
    """A Stop for each run over its reach, and what the lengths rest on."""
    yield _rests_on(laid.plan)
    for kind, lengths in laid.runs.items():
        longest = max(lengths)
        medium = laid.choice.of(kind, longest)
        if longest > reach_cm(medium, kind):
            part = cable_of(medium, kind, longest)
            what = f"{kind}, longest run {_m(longest)} m"
            yield _stop(f"{what}, is over the {_m(reach_cm(medium, kind))} m of {part}")
        elif medium.name != laid.design.spec.optics:
            yield _check(
                CHECK,
                f"{kind.capitalize()} runs to {_m(longest)} m: {medium.name} optics "
                f"are taken where {laid.design.spec.optics} does not reach.",
            )
    for span in found.spans:
        if span.longest > 100 * span.reach_m:
            text = f"{span.network}: longest run {_m(span.longest)} m is over the "
            if span.is_limit:
                yield _stop(f"{text}{span.reach_m:g} m reach of {span.part}")
            else:
                text += f"{span.reach_m:g} m on file for {span.part}: confirm it."
                yield _check(CHECK, text)


def _rests_on(plan: FloorPlan) -> Check:
    return _check(
        CHECK,
        f"Lengths follow a floor of {plan.rows} rows with trays over every rack at "
        "right angles, and network racks in the middle: confirm them in the hall.",
    )


def _m(length: int) -> str:
    return f"{ceil_div(length, 10) / 10:g}"


def _stop(text: str) -> Check:
    return _check(STOP, f"{text}.")


def _check(level: str, text: str) -> Check:
    return Check(level=level, message=text, source=src.ARITHMETIC)


def no_floor_check(design: FabricDesign) -> Check:
    """Why a floor that was asked for is not laid out."""
    racks = sum(rack_count(design))
    metres = plain(design.spec.cable_metres)
    if racks > MOST_RACKS:
        why = (
            f"A floor plan holds one hall of {MOST_RACKS} racks and this has {racks:,}"
        )
    else:
        why = "Systems on desks have no floor plan"
    return _check(CHECK, f"{why}: every run is taken as {metres} m.")


def summary(laid: Laid, found: Measured) -> Floor:
    """The figures of the floor."""
    plan = laid.plan
    longest = {SCALE_OUT: max(max(lengths) for lengths in laid.runs.values())}
    for span in found.spans:
        longest[span.network] = max(longest.get(span.network, 0), span.longest)
    total = found.total_cm
    total += sum(cm * n for runs in laid.runs.values() for cm, n in runs.items())
    return Floor(
        racks=plan.total,
        racks_per_row=plan.per_row,
        rows=plan.rows,
        width_m=plan.width / 100,
        depth_m=plan.depth / 100,
        longest_m={name: ceil_div(cm, 10) / 10 for name, cm in longest.items() if cm},
        cable_km=round(total / 100_000, 1),
    )
