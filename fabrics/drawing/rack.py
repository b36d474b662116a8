"""A rack elevation as SVG and as a table. U1 is at the bottom."""

from __future__ import annotations

from fabrics.drawing.scene import FRAME, NODE, SWITCH, Box, Label, Scene
from fabrics.drawing.svg import WEB, write_svg
from fabrics.engine.elevation import RackView, Slot

_UNIT = 18.0
_LEFT = 44.0
_WIDTH = 320.0
_TOP = 34.0
_PAD = 8.0
TABLE_HEADINGS = ("Position", "Device", "Part", "What", "Power", "Weight")


def rack_svg(view: RackView, skin: str = WEB, prefix: str = "rack") -> str:
    """The rack as SVG, each device with a tooltip."""
    return write_svg(rack_scene(view), skin=skin, prefix=prefix)


def rack_scene(view: RackView) -> Scene:
    """A frame of all units, with the devices in it and every fourth unit numbered."""
    height = view.units * _UNIT
    scene = Scene(
        title=view.title,
        desc=f"{len(view.slots)} devices in {view.units} units.",
        width=_LEFT + _WIDTH + _PAD,
        height=_TOP + height + 2 * _PAD,
    )
    scene.boxes.append(
        Box(
            kind=FRAME,
            x=_LEFT - 4,
            y=_TOP - 4,
            width=_WIDTH + 8,
            height=height + 8,
        )
    )
    scene.labels.append(Label(x=_LEFT - 4, y=20, text=view.title))
    scene.boxes.extend(_device(view, slot) for slot in view.slots)
    for unit in range(1, view.units + 1):
        if unit == 1 or unit % 4 == 0:
            y = _TOP + (view.units - unit) * _UNIT + 13
            scene.labels.append(Label(x=8, y=y, text=f"U{unit}", is_note=True))
    return scene


def _device(view: RackView, slot: Slot) -> Box:
    top = slot.bottom + slot.height - 1
    return Box(
        kind=SWITCH if slot.is_switch else NODE,
        x=_LEFT,
        y=_TOP + (view.units - top) * _UNIT + 1,
        width=_WIDTH,
        height=slot.height * _UNIT - 2,
        label=slot.label,
        title=f"{slot.units}: {slot.device}, {slot.description}",
    )


def rack_table(view: RackView) -> list[tuple[str, ...]]:
    """The same facts as rows under `TABLE_HEADINGS`, from the top down."""
    slots = sorted(view.slots, key=lambda slot: -slot.bottom)
    return [
        (
            slot.units,
            slot.device,
            slot.part,
            slot.description,
            f"{slot.watts:,} W" if slot.watts is not None else "not stated",
            f"{slot.weight_kg:g} kg" if slot.weight_kg is not None else "not stated",
        )
        for slot in slots
    ]
