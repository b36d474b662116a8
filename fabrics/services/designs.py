"""Save a design, its next version; rename it, take it away and put it back."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any
from uuid import uuid4

from django.db import IntegrityError, transaction

from fabrics.engine import ENGINE_VERSION, FabricDesign, FabricSpec, SpecError, size
from fabrics.frozen import draw_all
from fabrics.headline import Result
from fabrics.models import Design, DesignVersion
from fabrics.uses import uses_of
from fabrics.words import name_of
from sourceit.models import User

MAX_NAME = 120
MAX_VERSIONS = 500


class DesignError(Exception):
    """What cannot be done with a design; the message is fit to show a person."""


@transaction.atomic
def save_design(
    *, spec: FabricSpec, owner: User | None, name: str = ""
) -> DesignVersion:
    """Size a spec and keep both as they are now: version 1 of a new design."""
    name = _clean(name) or name_of(spec)[:MAX_NAME]
    design = Design.objects.create(name=name, owner=owner)
    return _freeze(design, 1, spec, "")


def save_version(*, design: Design, spec: FabricSpec, note: str = "") -> DesignVersion:
    """Keep an edited design as the next version; the older ones stay as they are.

    Raises:
        DesignError: nothing differs from the last version, or somebody else saved one
            at the same instant.
    """
    last = design.latest()
    if last.spec == spec.to_json() and last.is_of_this_engine:
        raise DesignError(f"Nothing differs from version {last.n}, so none was saved.")
    if last.n >= MAX_VERSIONS:
        raise DesignError("This design has many versions. Save it as a new design.")
    try:
        with transaction.atomic():
            return _freeze(design, last.n + 1, spec, _clean(note))
    except IntegrityError as error:
        raise DesignError(
            f"Version {last.n + 1} was saved a moment ago. Save yours once more."
        ) from error


def freeze_design(
    *, spec: FabricSpec, owner: User | None, edited: DesignVersion | None
) -> DesignVersion:
    """The version that a request is to hold, saved first where it is not yet.

    A saved design that was being changed gets its next version; else it is a new one.

    Raises:
        DesignError: the next version cannot be saved.
    """
    if edited is None:
        return save_design(spec=spec, owner=owner)
    if edited.spec == spec.to_json() and edited.is_of_this_engine:
        return edited
    return save_version(design=edited.design, spec=spec)


@transaction.atomic
def copy_design(*, design: Design, owner: User) -> Design:
    """Keep somebody else's or a guest's design as one's own, with all its versions.

    A copy: whoever holds the link keeps what they have, and nothing is sized anew.
    """
    copy = Design.objects.create(name=design.name, owner=owner)
    versions = list(design.versions.all())
    for version in versions:
        version.pk, version.design = None, copy
    DesignVersion.objects.bulk_create(versions)
    return copy


def _freeze(design: Design, n: int, spec: FabricSpec, note: str) -> DesignVersion:
    sized = size(spec)
    return DesignVersion.objects.create(
        design=design,
        n=n,
        name=design.name,
        note=note,
        spec=spec.to_json(),
        result=sized.to_json(),
        drawings=draw_all(sized, f"d{uuid4().hex[:8]}"),
        engine_version=ENGINE_VERSION,
    )


def rename_design(*, design: Design, name: str) -> None:
    """Give a design another name; what was asked for or quoted keeps the old one.

    Raises:
        DesignError: the name is empty.
    """
    name = _clean(name)
    if not name:
        raise DesignError("Enter a name.")
    design.name = name
    design.save(update_fields=["name"])


@transaction.atomic
def remove_design(*, design: Design, now: datetime) -> None:
    """Take a design away; it can be put back.

    Raises:
        DesignError: a request or a quote uses it.
    """
    # Held, so that nobody asks for it between the look and the removal.
    design = Design.objects.select_for_update().get(pk=design.pk)
    uses = uses_of(design)
    if uses:
        raise DesignError(f"{design.name} stays: {uses[0].name} uses it.")
    Design.objects.filter(pk=design.pk, removed_at=None).update(removed_at=now)


def restore_design(*, design: Design) -> None:
    Design.objects.filter(pk=design.pk).update(removed_at=None)


def _clean(text: str) -> str:
    """One line without controls, cut to what fits."""
    return " ".join(text.replace("\x00", "").split())[:MAX_NAME].strip()


def sized_alike(spec: Mapping[str, Any], result: Result) -> FabricDesign | None:
    """Size a frozen question again, to open its units and list its cables.

    None when today's engine refuses it or answers it with other parts: then the saved
    figures and drawings stand and nothing new is made beside them.
    """
    try:
        design = size(FabricSpec.from_json(spec))
    except SpecError:
        return None
    again = design.to_json()
    same = all(again[key] == result.get(key) for key in ("compute", "bom"))
    return design if same else None
