"""One thing that is wrong or odd with a draft, and where it is mended."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """One thing to mend; `anchor` is the id of its place on the builder.

    A `code` names the very thing that is wrong, numbers and all: such a problem may be
    let go with a reason, and then `reason` has it and it blocks no more.
    """

    message: str
    anchor: str
    is_blocking: bool = True
    code: str = ""
    reason: str = ""

    @property
    def can_be_let_go(self) -> bool:
        return self.is_blocking and bool(self.code)
