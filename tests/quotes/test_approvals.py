"""Ask, decide, recall: who may, what voids it, and who hears of it."""

from __future__ import annotations

from datetime import UTC, date, datetime
from decimal import Decimal

import pytest
from django.core import mail

from catalog.models import Notice
from quotes.content import build_content
from quotes.errors import QuoteError
from quotes.models import Approval, ApprovalRule, Revision
from quotes.services import approvals, lines, sections
from quotes.services.quotes import revise_quote, save_details
from quotes.services.rounding import set_rounding
from quotes.services.rules import save_rule
from quotes.services.sending import send_quote, undo_send
from quotes.states import RevisionStatus
from sourceit.events import events_of
from sourceit.models import Document
from tests.factories import make_approver, make_line, make_revision, make_staff

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 12, 1, 2, 0, tzinfo=UTC)
LAST_DAY = date(2026, 12, 15)
THIN = {"unit_price": Decimal("100.0000"), "unit_cost": Decimal("97.0000")}


@pytest.fixture
def raj():
    return make_approver("raj@example.com", name="Raj Nair")


@pytest.fixture
def thin(sam, raj):
    """A complete draft of sam's whose margin is 3 %."""
    revision = make_revision(author=sam, lines=0, valid_until=LAST_DAY)
    make_line(revision, **THIN)
    return revision


def load(revision):
    return Revision.objects.get(pk=revision.pk)


def submit(revision, by=None, **fields):
    given = {"note": "", "version": load(revision).row_version, "now": NOW}
    return approvals.submit_for_approval(
        revision=load(revision), by=by or revision.author, **(given | fields)
    )


def decide(revision, by, verb="approve", comment="", version=None):
    service = getattr(approvals, f"{verb}_quote")
    service(
        revision=load(revision),
        by=by,
        comment=comment,
        version=version or load(revision).row_version,
        now=NOW,
    )


def send(revision):
    fresh = load(revision)
    send_quote(
        revision=fresh,
        by=fresh.author,
        to_email="carol@example.com",
        to_name="Carol Tan",
        cc=[],
        message=fresh.message,
        now=NOW,
    )


def status(revision):
    return load(revision).status


def test_a_draft_that_fires_a_rule_is_not_sent_and_says_which(thin):
    with pytest.raises(QuoteError, match=r"approval first.*3\.0%, under 8%"):
        send(thin)

    assert status(thin) == RevisionStatus.DRAFT


def test_a_draft_within_the_rules_needs_none(sam, raj):
    revision = make_revision(author=sam, valid_until=LAST_DAY)

    with pytest.raises(QuoteError, match="No rule asks"):
        submit(revision)
    send(revision)

    assert status(revision) == RevisionStatus.SENDING


def test_a_rule_out_of_force_asks_for_nothing(thin):
    ApprovalRule.objects.update(is_active=False)

    send(thin)

    assert status(thin) == RevisionStatus.SENDING


def test_asking_keeps_the_reasons_and_writes_to_the_approvers(
    thin, raj, django_capture_on_commit_callbacks
):
    with django_capture_on_commit_callbacks(execute=True):
        approval = submit(thin, note="Last order of the year")

    assert status(thin) == RevisionStatus.PENDING_APPROVAL
    assert approval.reasons == [
        {"kind": "margin_under", "words": "The margin is 3.0%, under 8%."}
    ]
    (letter,) = mail.outbox
    assert letter.to == [raj.email]
    assert "3.0%" in letter.body
    assert "Last order of the year" in letter.body


def test_an_incomplete_draft_is_not_put_before_anybody(thin):
    thin.lines.update(unit_price=None)

    with pytest.raises(QuoteError, match="Line 1: enter a price"):
        submit(thin)


def test_a_draft_that_was_edited_since_is_not_submitted(thin):
    with pytest.raises(QuoteError, match="changed the quote after you opened"):
        submit(thin, version=99)


def test_what_nobody_else_may_approve_is_not_submitted(thin, raj):
    raj.groups.clear()

    with pytest.raises(QuoteError, match="Nobody but its authors"):
        submit(thin)


def test_what_waits_is_neither_edited_nor_sent(thin, sam):
    submit(thin)

    with pytest.raises(QuoteError, match="no longer a draft"):
        lines.add_line(revision=load(thin), by=sam, now=NOW)
    with pytest.raises(QuoteError):
        send(thin)


def test_approval_opens_the_sending_and_is_printed(
    thin, raj, django_capture_on_commit_callbacks
):
    submit(thin)
    with django_capture_on_commit_callbacks(execute=True):
        decide(thin, raj, comment="For the lab")
    send(thin)

    approval = Approval.objects.get()
    assert (approval.outcome, approval.decided_by) == ("approved", raj)
    assert mail.outbox[-1].to == [thin.author.email]
    assert "Raj Nair approved" in mail.outbox[-1].body
    whole = Revision.objects.with_lines().get(pk=thin.pk)
    assert build_content(whole, now=NOW)["approved_by"] == "Raj Nair"


def test_rejecting_needs_a_comment_and_makes_it_a_draft(
    thin, raj, django_capture_on_commit_callbacks
):
    submit(thin)
    with pytest.raises(QuoteError, match="Say what"):
        decide(thin, raj, "reject", "  ")
    with django_capture_on_commit_callbacks(execute=True):
        decide(thin, raj, "reject", "Ask for 5 %")

    assert status(thin) == RevisionStatus.DRAFT
    assert Approval.objects.get().outcome == "rejected"
    assert "Ask for 5 %" in mail.outbox[-1].body


@pytest.mark.parametrize("verb", ["approve", "reject"])
@pytest.mark.parametrize("part", ["author", "editor", "submitter"])
def test_nobody_decides_on_their_own_work(sam, raj, part, verb):
    boss = make_approver("boss@example.com", name="Boss")
    people = {"author": sam, "editor": sam, "submitter": sam} | {part: boss}
    revision = make_revision(
        author=people["author"],
        edited_by=people["editor"],
        lines=0,
        valid_until=LAST_DAY,
    )
    make_line(revision, **THIN)
    submit(revision, by=people["submitter"])

    with pytest.raises(QuoteError, match="somebody else must decide"):
        decide(revision, boss, verb, "No")
    decide(revision, raj, verb, "Well")

    assert status(revision) != RevisionStatus.PENDING_APPROVAL


def test_a_decision_on_another_edit_is_refused(thin, raj):
    submit(thin)

    with pytest.raises(QuoteError, match="Check it again"):
        decide(thin, raj, version=thin.row_version + 1)


def add_a_line(revision, by):
    lines.add_line(revision=revision, by=by, now=NOW)


def save_a_line(revision, by):
    line = revision.lines.first()
    changes = {"unit_price": Decimal(99)}
    lines.save_line(
        line=line, changes=changes, version=line.row_version, by=by, now=NOW
    )


def remove_a_line(revision, by):
    lines.remove_line(line=revision.lines.first(), by=by, now=NOW)


def move_a_line(revision, by):
    make_line(revision, position=1)
    lines.move_line(line=revision.lines.first(), up=False, by=by, now=NOW)


def add_a_section(revision, by):
    sections.add_section(revision=revision, title="Optics", by=by, now=NOW)


def set_the_rounding(revision, by):
    set_rounding(revision=revision, by=by, now=NOW)


def change_a_detail(revision, by):
    changes = {"payment_terms": "14 days"}
    save_details(revision=revision, changes=changes, notices=None, by=by, now=NOW)


def change_the_notices(revision, by):
    notice = Notice.objects.create(title="Supply", text="Tight", kind="supply")
    save_details(revision=revision, changes={}, notices=[notice], by=by, now=NOW)


EDITS = [
    add_a_line,
    save_a_line,
    remove_a_line,
    move_a_line,
    add_a_section,
    set_the_rounding,
    change_a_detail,
    change_the_notices,
]


@pytest.mark.parametrize("edit", EDITS, ids=lambda edit: edit.__name__)
def test_any_edit_after_approval_voids_it(thin, sam, raj, edit):
    submit(thin)
    decide(thin, raj)

    edit(load(thin), sam)

    assert status(thin) == RevisionStatus.DRAFT
    assert Approval.objects.get().outcome == "voided"
    kinds = set(events_of(thin).values_list("kind", flat=True))
    assert "quote_edit" in kinds


def test_a_stale_page_cannot_edit_around_an_approval(thin, sam, raj):
    stale = load(thin)
    submit(thin)
    decide(thin, raj)

    lines.add_line(revision=stale, by=sam, now=NOW)

    assert status(thin) == RevisionStatus.DRAFT
    assert Approval.objects.get().outcome == "voided"


def test_what_changes_without_an_edit_is_not_sent_as_approved(thin, raj):
    submit(thin)
    decide(thin, raj)
    request = thin.quote.request
    request.billing_address = "2 Other Road"
    request.save()

    with pytest.raises(QuoteError, match="not what was approved"):
        send(thin)


def test_undo_gives_back_what_was_approved(thin, raj, sam):
    submit(thin)
    decide(thin, raj)
    send(thin)

    undo_send(revision=load(thin), by=sam, now=NOW)

    assert status(thin) == RevisionStatus.APPROVED
    assert not Document.objects.exists()
    send(thin)
    assert status(thin) == RevisionStatus.SENDING


def test_a_recall_voids_what_waits_and_what_was_given(thin, raj, sam):
    submit(thin)
    approvals.recall_quote(revision=load(thin), by=sam, now=NOW)
    submit(thin)
    decide(thin, raj)
    approvals.recall_quote(revision=load(thin), by=sam, now=NOW)

    assert status(thin) == RevisionStatus.DRAFT
    outcomes = Approval.objects.values_list("outcome", flat=True)
    assert list(outcomes) == ["voided", "voided"]


def test_the_next_revision_needs_its_own_approval(thin, raj, sam):
    Revision.objects.filter(pk=thin.pk).update(status=RevisionStatus.SENT)

    draft = revise_quote(revision=load(thin), by=sam, now=NOW)

    with pytest.raises(QuoteError, match="approval first"):
        send(draft)


def test_the_events_of_approval_are_for_the_desk_alone(thin, raj):
    submit(thin)
    decide(thin, raj, "reject", "Too thin")

    assert not events_of(thin).filter(is_internal=False).exists()


def test_a_rule_keeps_its_history_and_refuses_an_older_edit(raj):
    rule = ApprovalRule.objects.get(kind="margin_under")
    change = {"rule": rule, "version": 1, "by": raj, "now": NOW}
    save_rule(changes={"threshold": Decimal("7.5")}, **change)

    with pytest.raises(QuoteError, match="Somebody changed"):
        save_rule(changes={"threshold": Decimal(6)}, **change)

    assert events_of(rule).get().text == "Margin under: threshold 8 → 7.5"


def test_staff_without_the_permission_are_not_asked(thin, raj):
    make_staff("other@example.com")

    assert list(approvals.approvers()) == [raj]
