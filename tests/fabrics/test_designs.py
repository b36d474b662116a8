"""Saved designs: versions, names, undo, whose they are, and what differs."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from django.urls import reverse
from django.utils import timezone

from fabrics.differences import difference
from fabrics.engine import FabricSpec, size
from fabrics.models import Design, DesignVersion
from fabrics.services import (
    DesignError,
    freeze_design,
    remove_design,
    rename_design,
    save_design,
    save_version,
)
from sourceit.models import Membership
from tests.factories import make_organisation, make_user

pytestmark = pytest.mark.django_db
VERBS = ("get", "head", "post", "put", "patch", "delete")


def spec_of(gpus: int = 576, **more) -> FabricSpec:
    asked = {"system": "gb300-nvl72", "fabric": "quantum-x800", **more}
    return FabricSpec.from_sizes(gpus=gpus, **asked)


def text_of(response) -> str:
    return re.sub(r"\s+", " ", response.content.decode())


def test_a_saved_edit_is_the_next_version_and_the_first_stays_as_it_was(carol):
    first = save_design(spec=spec_of(), owner=carol, name="Lab")

    second = save_version(design=first.design, spec=spec_of(1152), note="Twice the lab")

    assert (second.n, second.title) == (2, "Version 2: Twice the lab")
    first.refresh_from_db()
    assert first.result == size(spec_of()).to_json()
    assert first.design.latest() == second


def test_a_version_without_any_difference_is_not_saved(carol):
    first = save_design(spec=spec_of(), owner=carol)

    with pytest.raises(DesignError, match="Nothing differs from version 1"):
        save_version(design=first.design, spec=spec_of())


def test_asking_for_a_changed_design_freezes_it_as_the_next_version(carol):
    first = save_design(spec=spec_of(), owner=carol)

    same = freeze_design(spec=spec_of(), owner=carol, edited=first)
    changed = freeze_design(spec=spec_of(1152), owner=carol, edited=first)

    assert same == first
    assert (changed.design, changed.n) == (first.design, 2)


def test_renaming_leaves_the_name_on_what_was_saved(carol):
    first = save_design(spec=spec_of(), owner=carol, name="Lab")

    rename_design(design=first.design, name="  Lab of\x00 2027 ")

    first.refresh_from_db()
    assert (first.design.name, first.name) == ("Lab of 2027", "Lab")
    with pytest.raises(DesignError):
        rename_design(design=first.design, name=" ")


def test_the_page_shows_each_version_at_its_own_address(carol_client, carol):
    first = save_design(spec=spec_of(), owner=carol, name="Lab")
    save_version(design=first.design, spec=spec_of(1152))

    newest = text_of(carol_client.get(first.design.get_absolute_url()))
    older = text_of(carol_client.get(first.get_absolute_url()))

    assert "1,152 GPUs" in newest
    assert "This is an older version." in older
    assert "8 leaf + 4 spine" in older
    missing = reverse("fabrics:version", args=[first.design_id, 3])
    assert carol_client.get(missing).status_code == 404


def test_a_drawing_is_kept_whatever_the_engine_says_later(client, monkeypatch):
    version = save_design(spec=spec_of(), owner=None)
    kept = version.topology

    def otherwise(spec):
        design = size(spec)
        return replace(design, bom=design.bom[1:])

    monkeypatch.setattr("fabrics.services.designs.size", otherwise)
    page = client.get(version.get_absolute_url()).content.decode()

    assert kept.startswith("<svg")
    assert kept in page
    assert "Today's engine does not size this design alike" in page


def test_the_other_drawings_are_kept_and_shown(client):
    version = save_design(spec=spec_of(racks_per_row=10), owner=None)

    page = client.get(version.get_absolute_url()).content.decode()

    names = ["NVLink domain", "Floor plan", "Rack C0001", "Rack N0001"]
    assert [name for name, _ in version.other_drawings] == names
    assert all(svg in page for _, svg in version.other_drawings)


def test_a_floor_plan_is_told_as_a_difference():
    before = size(spec_of()).to_json()
    after = size(spec_of(racks_per_row=10)).to_json()

    words = [figure.words for figure in difference(before, after).figures]

    assert "racks a row 10 instead of not given" in words


def test_changing_a_design_in_the_configurator_tells_what_is_changed(
    carol_client, carol
):
    first = save_design(spec=spec_of(), owner=carol, name="Lab")
    url = f"{reverse('fabrics:configure')}?of={first.design_id}&gpus=1152"

    text = text_of(carol_client.get(url))

    assert "You are changing" in text
    assert "8 more leaf switches" in text
    assert "Save as version 2" in text


def test_the_configurator_saves_the_next_version_or_a_new_design(carol_client, carol):
    first = save_design(spec=spec_of(), owner=carol, name="Lab")
    asked = {"system": "gb300-nvl72", "fabric": "quantum-x800", "gpus": "1152"}
    of = {**asked, "of": str(first.design_id), "note": "More"}

    carol_client.post(reverse("fabrics:save"), of)
    again = carol_client.post(reverse("fabrics:save"), of)
    carol_client.post(reverse("fabrics:save"), {**of, "as_new": "yes"})

    assert first.design.versions.count() == 2
    assert first.design.latest().note == "More"
    assert again.status_code == 409
    assert Design.objects.count() == 2


def test_somebody_elses_design_gets_no_version_from_a_form(mallory_client, carol):
    first = save_design(spec=spec_of(), owner=carol)
    asked = {"system": "gb300-nvl72", "fabric": "quantum-x800", "gpus": "1152"}

    mallory_client.post(reverse("fabrics:save"), {**asked, "of": str(first.design_id)})

    assert first.design.versions.count() == 1
    assert Design.objects.exclude(owner=carol).count() == 1


def test_a_design_is_deleted_and_put_back(carol_client, carol):
    first = save_design(spec=spec_of(), owner=carol, name="Lab")
    url = first.design.get_absolute_url()

    gone = carol_client.post(reverse("fabrics:remove", args=[first.design_id]))
    listed = text_of(carol_client.get(gone["Location"]))

    assert "Lab is deleted." in listed
    assert carol_client.get(url).status_code == 410
    assert carol_client.get(first.get_absolute_url()).status_code == 404

    carol_client.post(reverse("fabrics:restore", args=[first.design_id]))

    assert carol_client.get(url).status_code == 200


def test_a_guest_deletes_by_link_and_puts_back(client):
    first = save_design(spec=spec_of(), owner=None)

    answer = client.post(reverse("fabrics:remove", args=[first.design_id]), follow=True)

    assert answer.status_code == 410
    assert "Undo: put it back" in text_of(answer)
    client.post(reverse("fabrics:restore", args=[first.design_id]))
    assert client.get(first.get_absolute_url()).status_code == 200


def test_staff_look_at_a_guests_design_and_change_nothing(sam_client):
    first = save_design(spec=spec_of(), owner=None)

    assert sam_client.get(first.get_absolute_url()).status_code == 200
    for name in ("rename", "remove", "restore"):
        url = reverse(f"fabrics:{name}", args=[first.design_id])
        assert sam_client.post(url, {"name": "Mine"}).status_code == 404


def paths_of(version: DesignVersion) -> list[str]:
    pk, n = version.design_id, version.n
    named = [("detail", [pk]), ("rename", [pk]), ("remove", [pk]), ("restore", [pk])]
    named += [("version", [pk, n]), ("report", [pk, n])]
    named += [("file", [pk, n, "parts.csv"])]
    paths = [reverse(f"fabrics:{name}", args=args) for name, args in named]
    return [*paths, f"{reverse('fabrics:difference')}?left={pk}&right={pk}"]


@pytest.mark.parametrize("verb", VERBS)
def test_somebody_elses_design_is_not_found_on_any_verb(
    client, mallory_client, carol, verb
):
    for path in paths_of(save_design(spec=spec_of(), owner=carol)):
        for who in (client, mallory_client):
            assert getattr(who, verb)(path).status_code in (404, 405), path


def test_a_colleague_reads_a_design_and_changes_nothing(client, carol):
    version = save_design(spec=spec_of(), owner=carol)
    colleague, company = make_user(), make_organisation()
    for person in (carol, colleague):
        Membership.objects.create(user=person, organisation=company)
    client.force_login(colleague)

    assert client.get(version.get_absolute_url()).status_code == 200
    rename = reverse("fabrics:rename", args=[version.design_id])
    assert client.post(rename, {"name": "Mine"}).status_code == 404


def test_a_guest_s_design_is_copied_whole_into_an_account(client, carol) -> None:
    first = save_design(spec=spec_of(), owner=None, name="Lab")
    save_version(design=first.design, spec=spec_of(1152), note="Twice the lab")
    path = reverse("fabrics:copy", args=[first.design_id])
    assert client.post(path).status_code == 302
    assert not Design.objects.filter(owner=carol).exists(), "one signs in first"
    client.force_login(carol)
    assert "Copy to my designs" in text_of(client.get(first.get_absolute_url()))

    page = client.post(path, follow=True)

    copy = Design.objects.get(owner=carol)
    assert "Lab is among your saved designs now" in text_of(page)
    assert "Copy to my designs" not in text_of(page)
    kept = [(one.n, one.note, one.result) for one in copy.versions.all()]
    guest = first.design.versions.all()
    assert kept == [(one.n, one.note, one.result) for one in guest]
    assert client.post(reverse("fabrics:copy", args=[copy.pk])).status_code == 302
    assert Design.objects.count() == 2, "one's own is not copied again"


def test_only_a_design_that_one_sees_is_copied(carol_client, mallory) -> None:
    theirs = save_design(spec=spec_of(), owner=mallory)
    gone = save_design(spec=spec_of(), owner=None)
    remove_design(design=gone.design, now=timezone.now())

    for version in (theirs, gone):
        path = reverse("fabrics:copy", args=[version.design_id])
        assert carol_client.post(path).status_code == 404
    assert Design.objects.count() == 2


def test_the_list_holds_ones_own_designs_and_asks_alike_for_many(
    carol_client, carol, mallory, django_assert_max_num_queries
):
    url = reverse("fabrics:list")
    save_design(spec=spec_of(), owner=mallory, name="Lair")
    save_design(spec=spec_of(), owner=carol, name="Lab 0")
    carol_client.get(url)
    for number in range(1, 10):
        save_design(spec=spec_of(), owner=carol, name=f"Lab {number}")

    with django_assert_max_num_queries(7):
        text = text_of(carol_client.get(url))

    assert "Lab 3" in text
    assert "Lair" not in text


def test_the_difference_tells_figures_and_parts_in_words():
    before, after = size(spec_of()).to_json(), size(spec_of(1152)).to_json()

    found = difference(before, after)

    assert "8 more leaf switches" in found.summary
    switch = next(each for each in found.parts if each.part == "Q3400-RD")
    assert (switch.before, switch.after, switch.change) == (12, 24, 12)
    assert not difference(before, before)
    assert difference(before, before).summary == "nothing differs"


def test_a_choice_is_told_by_its_name():
    before = size(spec_of()).to_json()
    after = size(spec_of(fabric="spectrum-x")).to_json()

    words = [figure.words for figure in difference(before, after).figures]

    assert "network Spectrum-X instead of Quantum-X800" in words


def test_parts_alone_are_told_where_there_are_no_figures():
    def line(quantity):
        return {"part": "P", "opn": "P-1", "description": "A", "quantity": quantity}

    found = difference({"bom": [line(3)]}, {"bom": [line(1), line(1)]})

    assert found.summary == "1 fewer P-1"


def test_the_difference_page_compares_versions_and_designs(carol_client, carol):
    first = save_design(spec=spec_of(), owner=carol, name="Lab")
    second = save_version(design=first.design, spec=spec_of(1152))
    other = save_design(spec=spec_of(72), owner=carol, name="Pilot")
    url = reverse("fabrics:difference")

    pairs = (
        (f"{first.design_id}.1", f"{second.design_id}.2", "8 more leaf switches"),
        (str(first.design_id), str(other.design_id), "1,080 fewer GPUs"),
        (f"{first.design_id}.1", f"{first.design_id}.1", "Nothing differs"),
    )
    for left, right, words in pairs:
        text = text_of(carol_client.get(url, {"left": left, "right": right}))
        assert words in text
    for key in ("", "x", f"{first.design_id}.9", f"{first.design_id}.²"):
        asked = {"left": key, "right": f"{first.design_id}.1"}
        assert carol_client.get(url, asked).status_code == 404


def test_a_design_is_compared_from_its_own_page(carol_client, carol, mallory):
    first = save_design(spec=spec_of(), owner=carol, name="Lab")
    save_design(spec=spec_of(72), owner=carol, name="Pilot")
    save_design(spec=spec_of(72), owner=mallory, name="Lair")

    text = text_of(carol_client.get(first.design.get_absolute_url()))

    assert "Pilot</option>" in text
    assert "Lair" not in text


def test_a_design_that_a_request_uses_stays(carol, carol_client):
    from quotes.services import baskets

    version = save_design(spec=spec_of(), owner=carol, name="Lab")
    basket = baskets.make_basket(user=carol)
    line = baskets.add_design(basket=basket, design=version)

    with pytest.raises(DesignError, match="Lab stays"):
        remove_design(design=version.design, now=timezone.now())

    baskets.remove_line(line=line, now=timezone.now())
    remove_design(design=version.design, now=timezone.now())
    assert not Design.objects.kept().exists()
