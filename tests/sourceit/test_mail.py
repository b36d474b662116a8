from __future__ import annotations

import re

import pytest
from django.conf import settings
from django.template.loader import render_to_string

FOLDER = settings.BASE_DIR / "templates" / "emails"
ALL_KINDS = sorted(path.name for path in FOLDER.iterdir() if path.is_dir())
KINDS = ["quote_reminder", "quote_sent"]
CONTEXT = {
    "number": "Q-2026-0042",
    "n": 2,
    "to_name": "Carol <b>Tan</b>",
    "message": "First & foremost:\n\n<script>alert(1)</script>",
    "salesperson": {"name": "Sam Lim", "phone": "+65 6123", "email": "s@example.com"},
    "notices": [{"title": "Prices", "text": "They move."}],
    "gross": "S$28,523.25",
    "facts": [("Total including GST", "S$28,523.25"), ("Nothing", "")],
    "link_url": "https://sourceit.example/q/--token--/",
    "site_url": "https://sourceit.example",
    "phone": "(65) 6978 3502",
    "sales_email": "sales@example.com",
}


def rendered(kind: str, part: str) -> str:
    return render_to_string(f"emails/{kind}/{part}", CONTEXT)


@pytest.mark.parametrize("kind", KINDS)
def test_html_escapes_and_text_does_not(kind):
    html, text = rendered(kind, "body.html"), rendered(kind, "body.txt")

    assert "<script>" not in html
    assert "Carol &lt;b&gt;Tan" in html
    assert "Carol <b>Tan</b>" in text
    assert "&amp;" not in text


@pytest.mark.parametrize("kind", KINDS)
def test_both_parts_carry_the_facts_the_link_and_the_contact(kind):
    for part in ("body.html", "body.txt"):
        body = rendered(kind, part)
        for word in ("S$28,523.25", CONTEXT["link_url"], "Sam Lim", "+65 6123"):
            assert word in body
        assert "Nothing" not in body


@pytest.mark.parametrize("kind", KINDS)
def test_html_has_one_button_and_asks_for_nothing_from_elsewhere(kind):
    html = rendered(kind, "body.html")

    assert len(re.findall(r'class="button"', html)) == 1
    assert "<img" not in html
    assert "<link" not in html
    assert "prefers-color-scheme: dark" in html


@pytest.mark.parametrize("kind", KINDS)
def test_the_subject_is_one_plain_line(kind):
    subject = rendered(kind, "subject.txt").strip()

    assert "\n" not in subject
    assert "Q-2026-0042" in subject


@pytest.mark.parametrize("kind", ALL_KINDS)
def test_every_kind_has_the_one_look_in_both_forms(kind):
    html = (FOLDER / kind / "body.html").read_text()
    text = (FOLDER / kind / "body.txt").read_text()

    assert html.startswith('{% extends "emails/base.html" %}')
    assert "{% block heading %}" in html
    assert text.startswith('{% extends "emails/base.txt" %}')
    assert "|safe" not in html + text


@pytest.mark.parametrize("kind", ALL_KINDS)
def test_a_subject_with_more_than_numbers_is_not_escaped(kind):
    subject = (FOLDER / kind / "subject.txt").read_text()
    words = [
        name
        for name in re.findall(r"{{ *([\w.]+)", subject)
        if name.split(".")[-1] not in ("number", "n")
    ]

    assert not words or "{% autoescape off %}" in subject
