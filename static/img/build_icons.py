"""Make icons.svg from the outline icons of the npm package @tabler/icons (MIT).

Usage: python static/img/build_icons.py <folder with the package's outline/*.svg>
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

# Our name: the package's name.
ICONS = {
    "alert": "alert-triangle",
    "arrow-down": "arrow-down",
    "arrow-left": "arrow-left",
    "arrow-right": "arrow-right",
    "arrow-up": "arrow-up",
    "basket": "shopping-bag",
    "building": "building",
    "calendar": "calendar",
    "check": "check",
    "chevron-down": "chevron-down",
    "clock": "clock",
    "copy": "copy",
    "device": "server",
    "doc": "file-invoice",
    "download": "download",
    "edit": "pencil",
    "external": "external-link",
    "fabric": "topology-full-hierarchy",
    "help": "help-circle",
    "history": "history",
    "inbox": "inbox",
    "info": "info-circle",
    "keyboard": "keyboard",
    "link": "link",
    "lock": "lock",
    "mail": "mail",
    "menu": "menu-2",
    "message": "message",
    "minus": "minus",
    "moon": "moon",
    "paste": "clipboard-text",
    "phone": "phone",
    "plus": "plus",
    "print": "printer",
    "rack": "server-2",
    "receipt": "receipt",
    "search": "search",
    "send": "send",
    "shield": "shield-check",
    "sun": "sun",
    "table": "table",
    "tag": "tag",
    "trash": "trash",
    "truck": "truck-delivery",
    "undo": "arrow-back-up",
    "user": "user",
    "users": "users",
    "x": "x",
}


def symbol(name: str, svg: str) -> str:
    """Return one `<symbol>` with the drawing of an icon and nothing else."""
    body = svg[svg.index(">", svg.index("<svg")) + 1 : svg.rindex("</svg>")]
    body = re.sub(r'<path stroke="none" d="M0 0h24v24H0z" fill="none"\s*/>', "", body)
    body = re.sub(r">\s+<", "><", body.strip())
    return f'<symbol id="i-{name}" viewBox="0 0 24 24">{body}</symbol>'


def main() -> None:
    folder = Path(sys.argv[1])
    symbols = [
        symbol(name, (folder / f"{source}.svg").read_text())
        for name, source in ICONS.items()
    ]
    text = '<svg xmlns="http://www.w3.org/2000/svg">\n' + "\n".join(symbols)
    (Path(__file__).parent / "icons.svg").write_text(f"{text}\n</svg>\n")


if __name__ == "__main__":
    main()
