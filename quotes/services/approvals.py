"""Ask for approval, decide, and take it back: what was looked at is what is sent."""

from __future__ import annotations

from datetime import datetime

from django.conf import settings
from django.contrib.auth.models import Permission
from django.db import transaction
from django.db.models import Q, QuerySet
from django.urls import reverse

from quotes.approval_rules import Reason
from quotes.content import Content, build_content, hash_content
from quotes.errors import QuoteError
from quotes.models import Approval, Revision
from quotes.services.checks import find_problems
from quotes.services.moves import move_revision
from quotes.services.rules import reasons_for
from quotes.states import Actor, RevisionStatus
from quotes.typed import clean_words
from sourceit.mail import queue_email
from sourceit.models import User

# Parts of the content that change by themselves, or through the approval.
NOT_REVIEWED = ("issued_on", "approved_by", "salesperson", "changes", "number")
STANDING = (Approval.Outcome.PENDING, Approval.Outcome.APPROVED)


def approvers() -> QuerySet[User]:
    """Everybody who may approve a quote, by name."""
    may_approve = Q(codename="approve_quote", content_type__app_label="quotes")
    permission = Permission.objects.filter(may_approve)
    people = User.objects.filter(is_active=True, is_staff=True)
    holds = Q(groups__permissions__in=permission) | Q(user_permissions__in=permission)
    return people.filter(holds | Q(is_superuser=True)).distinct().order_by("name")


def standing_approval(revision: Revision) -> Approval | None:
    """Return the approval that is waiting or given, if there is one (one query)."""
    standing = revision.approvals.filter(outcome__in=STANDING)
    return standing.select_related("submitted_by", "decided_by").first()


def last_look(revision: Revision) -> Approval | None:
    """Return the last look that is over, whatever came of it (one query)."""
    over = revision.approvals.exclude(outcome__in=STANDING)
    return over.select_related("submitted_by", "decided_by").last()


def hands_on(revision: Revision, approval: Approval | None) -> set[int]:
    """Return the ids of whoever made the quote what it is: they may not approve it."""
    people = {revision.author_id, revision.edited_by_id}
    if approval is not None:
        people.add(approval.submitted_by_id)
    return {pk for pk in people if pk is not None}


def reviewed_hash(content: Content) -> str:
    """Hash what an approver looks at, without what changes by itself."""
    return hash_content(
        {name: part for name, part in content.items() if name not in NOT_REVIEWED}
    )


@transaction.atomic
def submit_for_approval(
    *, revision: Revision, by: User, note: str, version: int, now: datetime
) -> Approval:
    """Ask the approvers to look at a draft; it cannot be edited until they answer.

    Raises:
        QuoteError: it was edited since `version`, is not complete, fires no rule, or
            nobody else may approve it.
    """
    held = _hold(revision, version)
    whole = Revision.objects.with_lines().get(pk=held.pk)
    for problem in find_problems(whole, now):
        if problem.is_blocking:
            raise QuoteError(problem.message)
    reasons = reasons_for(whole)
    if not reasons:
        raise QuoteError("No rule asks for approval: the quote can be sent.")
    askable = approvers().exclude(pk__in=hands_on(held, None) | {by.pk})
    if not askable.exists():
        raise QuoteError("Nobody but its authors may approve this quote.")
    words = " ".join(reason.words for reason in reasons)
    move_revision(
        held,
        "submit",
        f"{by} asked for approval: {words}",
        actor=Actor.SALES,
        by=by,
        internal=True,
    )
    content = build_content(whole, now=now)
    approval = Approval.objects.create(
        revision=held,
        row_version=held.row_version,
        content=content,
        content_sha256=reviewed_hash(content),
        reasons=[{"kind": one.kind, "words": one.words} for one in reasons],
        note=clean_words(note, "note", 500),
        submitted_by=by,
        submitted_at=now,
    )
    for person in askable:
        _tell(approval, "approval_asked", person, by)
    return approval


@transaction.atomic
def approve_quote(
    *, revision: Revision, by: User, comment: str, version: int, now: datetime
) -> None:
    """Let a quote be sent, by somebody who has not worked on it.

    Raises:
        QuoteError: it is another edit than the one looked at, is not waiting, or `by`
            wrote, edited or submitted it.
    """
    _decide(revision, by, comment, version, now, Approval.Outcome.APPROVED)


@transaction.atomic
def reject_quote(
    *, revision: Revision, by: User, comment: str, version: int, now: datetime
) -> None:
    """Send a quote back to its author, who reads the comment.

    Raises:
        QuoteError: there is no comment, or as for `approve_quote`.
    """
    if not comment.strip():
        raise QuoteError("Say what is to be changed.")
    _decide(revision, by, comment, version, now, Approval.Outcome.REJECTED)


def _decide(
    revision: Revision,
    by: User,
    comment: str,
    version: int,
    now: datetime,
    outcome: Approval.Outcome,
) -> None:
    held = _hold(revision, version)
    approval = standing_approval(held)
    if by.pk in hands_on(held, approval):
        raise QuoteError("You worked on this quote: somebody else must decide.")
    is_yes = outcome == Approval.Outcome.APPROVED
    said = clean_words(comment, "comment", 500)
    verb = "approved it" if is_yes else "did not approve it"
    move_revision(
        held,
        "approve" if is_yes else "reject",
        f"{by} {verb}{': ' if said else ''}{said}",
        actor=Actor.APPROVER,
        by=by,
        internal=True,
    )
    if approval is None or not _close(approval, outcome, by, said, now):
        raise QuoteError("Somebody else has decided. Load the page again.")
    told = {approval.submitted_by, held.author} - {by}
    for person in told:
        _tell(approval, "approval_decided", person, by)


@transaction.atomic
def recall_quote(*, revision: Revision, by: User, now: datetime) -> None:
    """Take a quote back from its approvers, or drop their approval, to work on it.

    Raises:
        QuoteError: it neither waits for approval nor has it.
    """
    held = Revision.objects.select_for_update().get(pk=revision.pk)
    text = f"{by} took it back from approval"
    move_revision(held, "recall", text, actor=Actor.SALES, by=by, internal=True)
    void_approval(held, by=by, now=now)


def void_approval(revision: Revision, *, by: User, now: datetime) -> None:
    """End the approval that stands, in the transaction of what ends it."""
    approval = standing_approval(revision)
    if approval is not None:
        comment = approval.comment
        _close(
            approval, Approval.Outcome.VOIDED, approval.decided_by or by, comment, now
        )


def refuse_unapproved(revision: Revision, now: datetime) -> None:
    """Refuse to send what a rule holds back, or what is not what was approved.

    Needs `Revision.objects.with_lines()`, read under its lock.

    Raises:
        QuoteError: says which rule, or that it differs from what was approved.
    """
    if revision.status == RevisionStatus.DRAFT:
        reasons = reasons_for(revision)
        if reasons:
            words = " ".join(reason.words for reason in reasons)
            raise QuoteError(f"It needs approval first. {words}")
    elif revision.status == RevisionStatus.APPROVED:
        approval = standing_approval(revision)
        content = build_content(revision, now=now)
        if approval is None or approval.content_sha256 != reviewed_hash(content):
            raise QuoteError(
                "What would be sent is not what was approved: an address, notice or "
                "rate has changed. Take it back and ask again."
            )
        _refuse_unseen(reasons_for(revision), approval)


def _refuse_unseen(reasons: list[Reason], approval: Approval) -> None:
    """Refuse a reason the approver did not read, such as a screening recorded since."""
    seen = [(one["kind"], one["words"]) for one in approval.reasons]
    unseen = [one.words for one in reasons if (one.kind, one.words) not in seen]
    if unseen:
        words = " ".join(unseen)
        raise QuoteError(f"Since it was approved: {words} Take it back and ask again.")


def _hold(revision: Revision, version: int) -> Revision:
    """Lock a revision that is still the one that was looked at."""
    locked = Revision.objects.select_for_update(of=("self",))
    held = locked.select_related("quote__request", "author").get(pk=revision.pk)
    if held.row_version != version:
        who = held.edited_by or "Somebody"
        raise QuoteError(
            f"{who} changed the quote after you opened this page. Check it again."
        )
    return held


def _close(
    approval: Approval, outcome: str, by: User, comment: str, now: datetime
) -> bool:
    """Compare and swap the outcome; False where somebody was quicker."""
    rows = Approval.objects.filter(pk=approval.pk, outcome=approval.outcome)
    fields = {"outcome": outcome, "decided_by": by, "decided_at": now}
    if not rows.update(**fields, comment=comment):
        return False
    approval.outcome, approval.comment = outcome, comment
    approval.decided_by, approval.decided_at = by, now
    return True


def _tell(approval: Approval, kind: str, to: User, by: User) -> None:
    revision = approval.revision
    queue_email(
        revision,
        kind,
        to=to.email,
        reply_to=by.email,
        occasion=f"approval-{approval.pk}",
        context={
            "approval": approval,
            "revision": revision,
            "asked": revision.quote.request,
            "giver": str(by),
            "is_approved": approval.outcome == Approval.Outcome.APPROVED,
            "desk_url": settings.SITE_URL + reverse("desk:quote", args=[revision.pk]),
        },
    )
