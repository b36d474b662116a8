"""What the builder posts, and what it is told: shared by its tests."""

from __future__ import annotations

import json

from django.urls import reverse

from quotes.desk_forms import DetailsForm
from quotes.desk_sheet import texts_of
from quotes.models import Revision
from quotes.views.lines import form_of

HTMX = {"HX-Request": "true"}


def url(name, *args):
    return reverse(f"desk:{name}", args=args)


def row_of(line, **typed):
    """Return a row as the page posts it, with what was typed, in order."""
    texts = texts_of(line) | typed
    return {
        **{f"{line.pk}-{name}": text for name, text in texts.items()},
        f"{line.pk}-version": line.row_version,
        f"{line.pk}-changed": ",".join(typed),
    }


def save_row(client, line, **typed):
    response = client.post(
        url("line_save", line.revision_id, line.pk), row_of(line, **typed), headers=HTMX
    )
    line.refresh_from_db()
    return response


def told(response, event):
    return json.loads(response["HX-Trigger"])[event]


def whole_form(revision, **details):
    """Return the builder's one form as a browser without script posts it."""
    revision = Revision.objects.get(pk=revision.pk)
    form = DetailsForm(instance=revision)
    posted = {"stamp": form.stamp}
    for name in form.fields:
        value = form[name].value()
        posted[name] = form.fields[name].prepare_value(value)
    posted = {name: value for name, value in posted.items() if value is not None}
    for line in revision.lines.all():
        row = row_of(line)
        del row[f"{line.pk}-changed"]
        posted |= row
    return posted | details


def line_form(line, **typed):
    form = form_of(line)
    posted = {
        form.add_prefix(name): form[name].value()
        for name in form.fields
        if form[name].value() not in (None, False)
    }
    posted |= {f"{line.pk}-{name}": value for name, value in typed.items()}
    return posted | {f"{line.pk}-version": line.row_version}
