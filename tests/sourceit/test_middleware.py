"""HEAD has the headers of GET and nothing after them."""

from __future__ import annotations

from io import BytesIO

import pytest
from django.http import FileResponse, HttpResponse, StreamingHttpResponse

from sourceit.middleware import EmptyHeadMiddleware

ANSWERS = {
    "page": lambda: HttpResponse("Twelve bytes"),
    "stream": lambda: StreamingHttpResponse(iter([b"Twelve bytes"])),
    "file": lambda: FileResponse(BytesIO(b"Twelve bytes"), filename="a.txt"),
}


def body_of(response) -> bytes:
    return response.getvalue() if response.streaming else response.content


@pytest.mark.parametrize("kind", ANSWERS)
def test_head_has_no_body_and_get_has_all_of_it(rf, kind) -> None:
    answer = EmptyHeadMiddleware(lambda _request: ANSWERS[kind]())
    head, got = answer(rf.head("/")), answer(rf.get("/"))
    assert body_of(head) == b""
    assert body_of(got) == b"Twelve bytes"
    assert head.headers["Content-Type"] == got.headers["Content-Type"]
    if kind != "stream":
        assert head.headers["Content-Length"] == "12"
