"""One thing that is wrong or odd with a draft, and where it is mended."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

MOST_IN_A_CODE = 150


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """One thing to mend; `anchor` is the id of its place on the builder.

    A `code` names the very thing that is wrong, numbers and all: such a problem may be
    let go with a reason, and then `reason` has it and it blocks no more. One that is
    about lines gives their ids instead, and gets its code from `kind` and these.
    """

    message: str
    anchor: str
    is_blocking: bool = True
    code: str = ""
    reason: str = ""
    kind: str = ""
    lines: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        if self.kind:
            object.__setattr__(self, "code", _code_of(self.kind, self.lines))

    def code_among(self, copied_from: Mapping[int, int]) -> str:
        """The code that it had on the lines that these are copies of; empty for none.

        `copied_from` says of a line's id which one it was copied from.
        """
        if not self.kind:
            return self.code
        if not all(line in copied_from for line in self.lines):
            return ""
        return _code_of(self.kind, [copied_from[line] for line in self.lines])

    @property
    def can_be_let_go(self) -> bool:
        return self.is_blocking and bool(self.code)


def _code_of(kind: str, lines: Iterable[int]) -> str:
    ids = "-".join(map(str, lines))
    if len(ids) > MOST_IN_A_CODE:
        ids = hashlib.sha256(ids.encode()).hexdigest()
    return f"{kind}-{ids}"
