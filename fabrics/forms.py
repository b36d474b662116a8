"""The configurator's form: text in, a checked FabricSpec out."""

from __future__ import annotations

from collections.abc import Mapping

from fabrics.engine import FabricSpec, SpecError


class FabricForm:
    """What was typed, and the spec it means or the one line that says why not."""

    def __init__(self, data: Mapping[str, str]) -> None:
        self.data = data
        self.error = ""
        self._spec: FabricSpec | None = None

    def is_valid(self) -> bool:
        names = ("system", "fabric", "design", "gpus", "racks", "nodes", "hosts")
        asked = {name: self.data.get(name) or None for name in names}
        try:
            self._spec = FabricSpec.from_sizes(**asked)
        except SpecError as error:
            self.error = str(error)
        return self._spec is not None

    @property
    def spec(self) -> FabricSpec:
        assert self._spec is not None, "Ask is_valid() first."
        return self._spec
