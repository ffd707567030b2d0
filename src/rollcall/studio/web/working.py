"""The annotator's work loop: one item a screen, stored before the next one is shown."""

from collections.abc import Mapping

import msgspec
from sqlalchemy import select
from starlette.responses import Response

from rollcall._core.errors import RollcallError
from rollcall.corpus import Corpus
from rollcall.studio.database.tables import ItemRow, Member, Project, SavedJudgment
from rollcall.studio.tasks import find_task
from rollcall.studio.tasks.extend import RESULTS, corpus_search, result_cards
from rollcall.studio.tasks.task import label_of
from rollcall.studio.web.studio import Studio, own_projects
from rollcall.studio.web.visit import Access, Visit, action, page
from rollcall.studio.work import loop
from rollcall.studio.work.assigning import AssignedItem
from rollcall.studio.work.loop import skipped
from rollcall.studio.work.rows import iso, settings_of, summary_of, task_of

# Search over the corpus of a project, for those who look for further answers.

_LONGEST = 300


def found_passages(
    studio: Studio, project: Project, draft: Mapping[str, list[str]]
) -> list[dict[str, object]]:
    """What the search of a form finds, as the page shows it; nothing where the project has no corpus."""
    text = (draft.get("search") or [""])[-1].strip()[:_LONGEST]
    corpus = project.materials.get("corpus")
    if not text or not isinstance(corpus, str):
        return []
    search = studio.kept(f"search of {corpus}", lambda _: corpus_search(Corpus.open(corpus)))
    return result_cards(search(text, RESULTS)) if search is not None else []


_RECENT = 20
_FIRST_STANDS = (
    "You judged that item before, perhaps in another tab: the first verdict stands, unless you undo it."
)
Fields = dict[str, list[str]]


@page("/", Access.SIGNED_IN)
def home(visit: Visit) -> Response:
    """The projects in which the person works, or that the person manages."""
    with visit.studio.database.read() as session:
        own = own_projects(session, visit.user)
    projects = [_own_project(visit, project, member) for project, member in own]
    return visit.render("home.html", "Your projects", projects=projects)


def _own_project(visit: Visit, project: Project, member: Member | None) -> dict[str, object]:
    task = find_task(project.task)
    return {
        "name": project.name,
        "title": project.title,
        "task_title": task.title,
        "summary": task.summary,
        "role": member.role if member else "owner",
        "state": project.state,
        "done": member.done if member else 0,
        "works": member is not None and member.role == "annotator",
        "manages": visit.user.owner or (member is not None and member.role == "manager"),
        "member_state": member.state if member else "",
    }


@page("/work/{project}", Access.ANNOTATOR)
def work(visit: Visit) -> Response:
    """The item in hand."""
    return _screen(visit)


def _screen(visit: Visit, error: str = "", sent: Fields | None = None, code: int = 200) -> Response:
    project, database = visit.asked_project, visit.studio.database
    assignment = loop.current(database, project, visit.membership, visit.at)
    if assignment is not None:
        return _item_page(visit, assignment, visit.membership, error, sent, code)
    with database.read() as session:
        member = session.get_one(Member, visit.membership.id)  # a last review may have changed it
        why = loop.why_nothing(session, project, member)
        passed_over = skipped(session, project, member) if why in ("done", "waiting") else 0
    return visit.render(
        "nothing.html",
        project.title,
        code,
        error=error,
        reason=why,
        why=member.stopped_why,
        skipped=passed_over,
        progress=_progress(visit, member),
    )


def _item_page(
    visit: Visit, assignment: AssignedItem, member: Member, error: str, sent: Fields | None, code: int
) -> Response:
    project, item = visit.asked_project, assignment.item
    task = task_of(project).at(item.stage)
    draft = {**assignment.draft, **(sent or {})}
    return visit.render(
        task.template,
        project.title,
        code,
        task=task,
        choices=task.choices,
        shown=item.shown,
        stage=item.stage,
        form_key=assignment.form_key,
        draft=draft,
        seconds=assignment.seconds,
        minutes=task.minutes,
        error=error,
        results=found_passages(visit.studio, project, draft),
        progress=_progress(visit, member),
    )


def _progress(visit: Visit, member: Member) -> dict[str, object]:
    done, total = visit.studio.totals(visit.asked_project, visit.at)
    return {
        "done": done,
        "total": total,
        "mine": member.done,
        "reviewed": member.reviewed,
        "agreement": member.agreement,
        "can_undo": member.done > member.reviewed and member.state != "qualifying",
        "warned": member.state == "warned",
        "qualifying": member.state == "qualifying",
    }


@action("/work/{project}", Access.ANNOTATOR)
def judge(visit: Visit) -> Response:
    """Store a judgment and take the next item in one transaction; the page that follows shows it."""
    project = visit.asked_project
    try:
        stored = loop.judge(
            visit.studio.database, project, visit.membership, visit.field("form_key"), visit.form, visit.at
        )
    except RollcallError as error:
        return _refused(visit, str(error))
    differs = stored.at != visit.at and stored.fields.get("choice") != visit.form.get("choice")
    return visit.redirect(f"/work/{project.name}", _FIRST_STANDS if differs else "")


def _refused(visit: Visit, error: str) -> Response:
    """The screen again with what was typed, where it is still the item in hand."""
    kept = {name: values for name, values in visit.form.items() if name not in ("csrf", "form_key")}
    key = visit.field("form_key")
    if visit.asked_project.state != "open" and loop.keep_refused(
        visit.studio.database, visit.asked_project, visit.membership, key, visit.form, visit.at
    ):
        return _screen(visit, f"{error}; what you wrote is kept, and comes back with the item.", code=409)
    assignment = loop.current(visit.studio.database, visit.asked_project, visit.membership, visit.at)
    same = assignment is not None and assignment.form_key == key
    return _screen(visit, error, kept if same else None, 400)


@action("/work/{project}/draft", Access.ANNOTATOR)
def draft(visit: Visit) -> Response:
    """Keep what is typed so far; 409 where the item is no longer in hand."""
    kept = loop.keep_draft(
        visit.studio.database,
        visit.asked_project,
        visit.membership,
        visit.field("form_key"),
        visit.form,
        visit.at,
    )
    return Response(status_code=204 if kept else 409)


@action("/work/{project}/skip", Access.ANNOTATOR)
def skip(visit: Visit) -> Response:
    """Pass the item over."""
    project = visit.asked_project
    loop.pass_over(
        visit.studio.database,
        project,
        visit.membership,
        visit.field("form_key"),
        visit.field("why"),
        visit.at,
    )
    return visit.redirect(f"/work/{project.name}")


@action("/work/{project}/skipped", Access.ANNOTATOR)
def skipped_again(visit: Visit) -> Response:
    """Hand out again what the person skipped."""
    project = visit.asked_project
    loop.show_skipped_again(visit.studio.database, project, visit.membership)
    return visit.redirect(f"/work/{project.name}")


@action("/work/{project}/undo", Access.ANNOTATOR)
def undo(visit: Visit) -> Response:
    """Take the last judgment back."""
    project = visit.asked_project
    try:
        loop.take_back(visit.studio.database, project, visit.membership, visit.at)
    except RollcallError as error:
        return visit.redirect(f"/work/{project.name}", str(error))
    return visit.redirect(f"/work/{project.name}")


@action("/work/{project}/search", Access.ANNOTATOR)
def search(visit: Visit) -> Response:
    """Keep the form with what is searched for; the page that follows shows what was found."""
    draft(visit)
    return visit.redirect(f"/work/{visit.asked_project.name}")


@page("/work/{project}/instructions", Access.MEMBER)
def instructions(visit: Visit) -> Response:
    """What to do, with examples."""
    project = visit.asked_project
    task = task_of(project)
    stage = visit.query.get("stage", "")
    shown_by = task.at(stage) if stage in task.stages else task
    settings = msgspec.to_builtins(settings_of(project))
    area = "work" if visit.member is not None and visit.member.role == "annotator" else "manage"
    return visit.render(
        shown_by.instructions,
        f"Instructions: {shown_by.title}",
        task=shown_by,
        settings=settings,
        back=f"/{area}/{project.name}",
    )


@page("/work/{project}/record", Access.ANNOTATOR)
def record(visit: Visit) -> Response:
    """The person's own record: the last verdicts, how long they took, and the agreement with others."""
    project, member = visit.asked_project, visit.membership
    own = SavedJudgment.project_id == project.id, SavedJudgment.person_id == member.person_id
    with visit.studio.database.read() as session:
        rows = session.execute(
            select(SavedJudgment, ItemRow)
            .join(ItemRow, ItemRow.id == SavedJudgment.item_id)
            .where(*own, SavedJudgment.withdrawn == "")
            .order_by(SavedJudgment.id.desc())
            .limit(_RECENT)
        ).all()
        seconds = session.scalars(
            select(SavedJudgment.seconds).where(*own, SavedJudgment.withdrawn != "undone")
        ).all()
    task = task_of(project)
    recent = [
        {
            "at": iso(judgment.at),
            "choice": label_of(task.at(item.stage), judgment.choice),
            "about": summary_of(item),
            "comment": judgment.comment,
        }
        for judgment, item in rows
    ]
    return visit.render(
        "record.html",
        "Your record",
        done=member.done,
        hours=sum(seconds) / 3600,
        agreement=member.agreement,
        recent=recent,
    )
