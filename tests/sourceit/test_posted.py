"""Ids that cannot be, and places to go next that are not ours."""

from __future__ import annotations

import pytest

from sourceit.posted import read_id, read_ids

HUGE = "9" * 30


@pytest.mark.parametrize("text", ["", "abc", "-1", "²", "٣", HUGE, "1.5", "\x00", " 1"])
def test_what_cannot_be_an_id_is_nobodys(text) -> None:
    assert read_id(text) == 0


def test_ids_are_read_and_the_rest_left_out() -> None:
    assert read_id("42") == 42
    assert read_ids(["1", HUGE, "x", "2"]) == [1, 2]


@pytest.mark.django_db
@pytest.mark.parametrize("place", ["abc", "-1", "NaN", "//evil.example", "https:evil"])
def test_a_place_that_is_no_path_of_ours_is_not_gone_to(client, place) -> None:
    response = client.post("/theme/", {"theme": "dark", "next": place})
    assert (response.status_code, response.url) == (302, "/")


@pytest.mark.django_db
@pytest.mark.parametrize("field", ["pk", "owner"])
def test_the_pipeline_survives_huge_ids(sam_client, field) -> None:
    data = {"pk": "1", "owner": "1", field: HUGE}
    assert sam_client.post("/desk/pipeline/bulk/", data).status_code == 302
    assert sam_client.get("/desk/", {"after": f"~{HUGE}"}).status_code == 200
