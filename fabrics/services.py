"""Save designs."""

from __future__ import annotations

from fabrics.engine import ENGINE_VERSION, FabricSpec, size
from fabrics.models import Design
from sourceit.models import User


def save_design(*, spec: FabricSpec, owner: User | None, name: str = "") -> Design:
    """Size a spec and keep both as they are now: a later engine changes neither."""
    design = size(spec)
    return Design.objects.create(
        name=(name or name_of(spec))[:120],
        owner=owner,
        spec=spec.to_json(),
        result=design.to_json(),
        engine_version=ENGINE_VERSION,
    )


def name_of(spec: FabricSpec) -> str:
    """Say a design in a few words: "576 GPUs, GB300 NVL72 on Quantum-X800"."""
    size_words = f"{spec.gpus:,} GPUs" if spec.gpus else f"{spec.nodes:,} hosts"
    fabric = FABRIC_NAMES.get(spec.fabric, spec.fabric)
    return f"{size_words}, {spec.platform.name} on {fabric}"


FABRIC_NAMES = {
    "quantum-x800": "Quantum-X800",
    "quantum-2": "Quantum-2",
    "spectrum-x": "Spectrum-X",
    "spectrum-2": "Spectrum-2",
    "direct": "direct links",
}
