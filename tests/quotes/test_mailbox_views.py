from __future__ import annotations

import pytest
from django.core.mail import EmailMultiAlternatives
from django.urls import reverse

from sourceit.mailbox import MailboxBackend, list_messages

pytestmark = pytest.mark.django_db
URL = "/desk/mailbox/"
HTML = (
    "<html><head><title>x</title></head><body><script>steal()</script>Hi</body></html>"
)


@pytest.fixture(autouse=True)
def _mailbox(settings, tmp_path):
    settings.EMAIL_IS_MAILBOX = True
    settings.MAILBOX_DIR = tmp_path


def post(subject="Your quotation", *, html=HTML, cc=()):
    message = EmailMultiAlternatives(
        subject, "Read it: https://example.com/q/abc/", to=["carol@example.com"], cc=cc
    )
    if html:
        message.attach_alternative(html, "text/html")
    message.attach("Q-2026-0001.pdf", b"%PDF-1.7", "application/pdf")
    message.attach("page.html", "<script>steal()</script>", "text/html")
    MailboxBackend().send_messages([message])
    return list_messages()[0][0]


def part(name, index):
    return reverse("desk:mailbox_part", args=[name, index])


def test_an_empty_mailbox_says_what_to_do(sam_client):
    assert b"No e-mail yet" in sam_client.get(URL).content


def test_messages_are_listed_newest_first(sam_client):
    post("First")
    post("Second")

    page = sam_client.get(URL).content.decode()

    assert page.index("Second") < page.index("First")
    assert "carol@example.com" in page


def test_a_message_shows_its_headers_text_links_and_files(sam_client):
    name = post(cc=["boss@example.com"])

    page = sam_client.get(f"{URL}{name}/").content.decode()

    for words in ("Your quotation", "carol@example.com", "boss@example.com", "SGT"):
        assert words in page
    assert '<a href="https://example.com/q/abc/"' in page
    assert "Q-2026-0001.pdf" in page
    assert "steal()" not in page


def test_the_html_is_shown_in_a_sandbox_without_scripts(sam_client):
    name = post()
    response = sam_client.get(f"{URL}{name}/")
    page = response.content.decode()
    address = page.split('src="/desk/mailbox')[1].split('"')[0]

    body = sam_client.get(f"/desk/mailbox{address}")

    assert "sandbox=" in page
    assert "frame-src 'self'" in response["Content-Security-Policy"]
    policy = body["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "script-src" not in policy
    assert "sandbox allow-top-navigation-by-user-activation" in policy
    assert body["X-Frame-Options"] == "SAMEORIGIN"
    assert '<base target="_top">' in body.content.decode()


def test_every_attachment_is_saved_and_never_shown(sam_client):
    name = post()
    page = sam_client.get(f"{URL}{name}/").content.decode()
    links = [
        piece.split('"')[0]
        for piece in page.split('<a href="/desk/mailbox/')[1:]
        if piece.split('"')[0]
    ]

    answers = [sam_client.get(f"/desk/mailbox/{link}") for link in links]
    files = [one for one in answers if one.headers.get("Content-Disposition")]
    assert len(files) == 2
    assert all(one["Content-Disposition"].startswith("attachment") for one in files)
    assert files[0].content == b"%PDF-1.7"


def test_a_message_of_text_only_has_no_frame(sam_client):
    name = post(html="")

    assert b"<iframe" not in sam_client.get(f"{URL}{name}/").content


@pytest.mark.parametrize("name", ["x.eml", "..%2F..%2Fsettings.py", ".hidden.eml"])
def test_what_is_not_in_the_mailbox_is_not_found(sam_client, name):
    assert sam_client.get(f"{URL}{name}/").status_code == 404


@pytest.mark.parametrize("index", [0, 99])
def test_a_part_that_is_no_file_is_not_found(sam_client, index):
    assert sam_client.get(part(post(), index)).status_code == 404


def test_with_a_real_mail_server_there_is_no_mailbox(sam_client, settings):
    name = post()
    settings.EMAIL_IS_MAILBOX = False

    for address in (URL, f"{URL}{name}/", part(name, 1)):
        assert sam_client.get(address).status_code == 404


def test_customers_read_nobodys_mail(carol_client):
    name = post()

    for address in (URL, f"{URL}{name}/", part(name, 1)):
        assert carol_client.get(address).status_code == 404
