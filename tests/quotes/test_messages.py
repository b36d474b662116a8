"""Messages both ways, notes that stay at the desk, and the files that go with them."""

from __future__ import annotations

from datetime import datetime

import pytest
from django.urls import reverse
from django.utils import timezone

from quotes.models import Message
from quotes.services.messages import add_message, add_note, ask_customer, tell_customer
from quotes.services.requests import tracking_link
from quotes.states import RequestStatus
from sourceit.clock import SINGAPORE
from sourceit.links import token_of
from sourceit.models import Delivery, Membership, Upload
from sourceit.uploads import UploadRefused
from tests.factories import make_organisation, make_request, make_user
from tests.files import HTML_BYTES, PDF_BYTES, read_file, upload

pytestmark = pytest.mark.django_db
VERBS = ("get", "head", "post", "put", "patch", "delete")


def sgt(day: int, hour: int) -> datetime:
    return datetime(2026, 12, day, hour, tzinfo=SINGAPORE)


@pytest.fixture
def asked(sam):
    return make_request(
        owner=sam, status=RequestStatus.IN_PROGRESS, submitted_at=sgt(1, 10)
    )


@pytest.fixture
def track(asked) -> str:
    return reverse("quotes:track", args=[token_of(tracking_link(asked))])


def test_a_question_waits_for_its_answer(asked, sam):
    ask_customer(request=asked, text="Which rack?", by=sam, now=sgt(1, 12))
    assert (asked.status, asked.reply_due_at) == (RequestStatus.AWAITING, None)

    add_message(request=asked, text="48 U", by=None, now=sgt(3, 9))

    asked.refresh_from_db()
    assert asked.status == RequestStatus.IN_PROGRESS
    assert asked.reply_due_at is not None


def test_a_question_is_e_mailed_with_the_link_and_the_owners_address(asked, sam):
    ask_customer(request=asked, text="Which <rack>?", by=sam, now=sgt(1, 12))

    letter = Delivery.objects.get(kind="request_message")
    assert (letter.recipient, letter.reply_to) == (asked.email, sam.email)
    assert letter.link == tracking_link(asked)
    assert "Which <rack>?" in letter.body_text
    assert "Which &lt;rack&gt;?" in letter.body_html


def test_telling_leaves_the_clock_alone(asked, sam):
    tell_customer(request=asked, text="We asked the maker.", by=sam, now=sgt(1, 12))

    asked.refresh_from_db()
    assert asked.status == RequestStatus.IN_PROGRESS
    assert Delivery.objects.filter(kind="request_message").count() == 1


def test_a_second_click_is_the_first_message(asked, sam):
    for _ in range(2):
        ask_customer(request=asked, text="Which rack?", by=sam, now=sgt(1, 12))

    assert Message.objects.count() == Delivery.objects.count() == 1


def test_a_note_reaches_no_output_of_the_customers(client, asked, sam, track):
    add_note(
        request=asked,
        text="hush: they haggle",
        by=sam,
        now=timezone.now(),
        files=[upload("hush.pdf", PDF_BYTES)],
    )
    note = Upload.objects.get()
    page = client.get(track).content.decode()

    assert "hush" not in page
    assert "Added a note" not in page
    assert client.get(f"{track}files/{note.pk}/").status_code == 404
    assert not Delivery.objects.exists()
    client.force_login(sam)
    desk = reverse("desk:request", args=[asked.pk])
    assert "hush: they haggle" in client.get(desk).content.decode()
    assert read_file(client.get(f"{desk}files/{note.pk}/")) == PDF_BYTES


def test_the_customer_writes_with_files_and_the_desk_reads_them(
    client, asked, sam, track
):
    form = {"text": "Our plan", "attachments": [upload("plan.pdf", PDF_BYTES)]}

    assert client.post(f"{track}message/", form).status_code == 302

    file = Upload.objects.get()
    page = client.get(track).content.decode()
    assert "Our plan" in page
    assert f"{track}files/{file.pk}/" in page
    client.force_login(sam)
    served = client.get(reverse("desk:request_file", args=[asked.pk, file.pk]))
    assert read_file(served) == PDF_BYTES
    assert served["Content-Disposition"] == 'attachment; filename="plan.pdf"'


def test_a_refused_file_keeps_the_words_and_stores_nothing(client, track):
    form = {"text": "Our plan", "attachments": [upload("plan.pdf", HTML_BYTES)]}

    response = client.post(f"{track}message/", form)

    assert response.status_code == 422
    assert "Our plan" in response.content.decode()
    assert "plan.pdf" in response.content.decode()
    assert not Upload.objects.exists()
    assert not Message.objects.exists()


def test_one_bad_file_of_two_leaves_nothing(asked):
    files = [upload("a.pdf", PDF_BYTES), upload("b.pdf", HTML_BYTES)]

    with pytest.raises(UploadRefused, match=r"b\.pdf"):
        add_message(request=asked, text="Two", by=None, now=timezone.now(), files=files)

    assert not Upload.objects.exists()
    assert not Message.objects.exists()


def test_the_desk_must_choose_who_reads(sam_client, asked):
    path = reverse("desk:request_message", args=[asked.pk])

    response = sam_client.post(path, {"text": "They pay late"})

    assert response.status_code == 422
    assert "Choose who reads it." in response.content.decode()
    assert "They pay late" in response.content.decode()
    assert not Message.objects.exists()


@pytest.mark.parametrize("kind", ["question", "told", "note"])
def test_the_desk_says_it(sam_client, asked, kind):
    path = reverse("desk:request_message", args=[asked.pk])
    form = {
        "text": "Which rack?",
        "kind": kind,
        "attachments": [upload("a.pdf", PDF_BYTES)],
    }

    assert sam_client.post(path, form).status_code == 302

    assert Message.objects.get().kind == kind
    assert Upload.objects.get().subject == Message.objects.get()


def test_a_question_before_it_is_taken_is_refused(sam_client):
    asked = make_request()
    path = reverse("desk:request_message", args=[asked.pk])

    response = sam_client.post(path, {"text": "Which rack?", "kind": "question"})

    assert response.status_code == 409
    assert "Which rack?" in response.content.decode()


@pytest.mark.parametrize("verb", VERBS)
def test_a_file_is_for_the_requests_own_people(
    client, carol, mallory_client, sam, verb
):
    organisation = make_organisation()
    asked = make_request(user=carol, organisation=organisation, owner=sam)
    viewer, stranger_link = make_user(), tracking_link(make_request())
    Membership.objects.create(user=viewer, organisation=organisation, role="viewer")
    add_message(
        request=asked,
        text="Plan",
        by=carol,
        now=timezone.now(),
        files=[upload("plan.pdf", PDF_BYTES)],
    )
    file = Upload.objects.get().pk
    path = reverse("quotes:request_file", args=[asked.pk, file])
    other = reverse("quotes:track_file", args=[token_of(stranger_link), file])

    allowed = 200 if verb in ("get", "head") else 405
    assert getattr(client, verb)(path).status_code in (302, 405)
    assert getattr(client, verb)(other).status_code in (404, 405)
    assert getattr(mallory_client, verb)(path).status_code in (404, 405)
    client.force_login(viewer)
    response = getattr(client, verb)(path)
    assert response.status_code == allowed
    read_file(response)


def test_a_viewer_reads_and_writes_nothing(client, carol, sam):
    organisation = make_organisation()
    asked = make_request(user=carol, organisation=organisation, owner=sam)
    viewer = make_user()
    Membership.objects.create(user=viewer, organisation=organisation, role="viewer")
    client.force_login(viewer)

    path = reverse("quotes:request_message", args=[asked.pk])
    assert client.post(path, {"text": "Hello"}).status_code == 404
    assert client.get(reverse("quotes:request", args=[asked.pk])).status_code == 200
