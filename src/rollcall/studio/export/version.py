"""A new version of a set, with what people decided and every verdict that led to it.

Questions that the project did not touch stay as they are, unless what is undecided is left out. Dropped
questions, and judgments about questions of other sets, are kept in the manifest, so that no verdict is lost
and importing the set again gives the same.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any, Literal, NamedTuple

import msgspec

from rollcall import __version__
from rollcall._core import checksums
from rollcall._core.errors import RollcallError
from rollcall.audit.missing import accept
from rollcall.questions.judgment import Judgment
from rollcall.questions.question_set import QuestionSet
from rollcall.questions.record import (
    Answer,
    AnswerProvenance,
    Characteristic,
    Evidence,
    NeutralAnswer,
    Question,
)
from rollcall.questions.release import save_set
from rollcall.studio.export.judgments import (
    STUDIO,
    Elsewhere,
    ItemTrace,
    ProjectTrace,
    VerdictTrace,
    judgments_in,
    traces,
    with_trace,
)
from rollcall.studio.figures import settled_by_estimate
from rollcall.studio.papers import PaperFigure, paper_figures
from rollcall.studio.records import Collected, ItemResolution, Json, JudgmentRecord
from rollcall.studio.tasks.shown import identity, wording_of
from rollcall.studio.tasks.task import JUDGE, QUALIFY, label_of
from rollcall.studio.tasks.validate import Validate
from rollcall.studio.tasks.wordings import VERIFY
from rollcall.text.nouns import counted

# What the verdicts of each task change in a question: answers taken out or added, human wordings, marks.
# Each effect is a pure function from a question and its judged items to the changed question, or to the
# reason why the question is dropped. What it takes out is kept in the trace.

Undecided = Literal["keep", "leave-out"]
HUMAN = "human"


class Change(NamedTuple):
    """The changed question; None, with the reason, if it is dropped."""

    question: Question | None
    why: str = ""
    removed: Sequence[Answer] = ()
    before: Json = {}  # noqa: RUF012  (never changed)


class ExportRules(NamedTuple):
    """What an export decides about what people did not."""

    undecided: Undecided
    minimum: int


Effect = Callable[[Question, Sequence[ItemTrace], ExportRules], Change]


def validated(question: Question, items: Sequence[ItemTrace], rules: ExportRules) -> Change:
    """Answers that were rejected go; those that were accepted say who accepted them.

    A rejected answer that the graph or a list has becomes neutral, since only its text fails to state it.
    """
    judged = {_identity(item): item for item in items if item.stage == JUDGE and not item.injected}
    kept, removed = [], []
    for answer in question.answers:
        item = judged.get(identity(answer))
        state = "open" if item is None else item.state
        if state == "accepted" and item is not None:
            kept.append(
                msgspec.structs.replace(
                    answer,
                    provenance=_accepted(answer, item),
                    sources=[*dict.fromkeys([*answer.sources, "people"])],
                )
            )
        elif state == "rejected" or rules.undecided == "leave-out":
            removed.append(answer)
        else:
            kept.append(answer)
    # Answers that people were not asked about prove nothing, so they do not count for the minimum.
    asked = sum(identity(answer) in judged for answer in kept)
    if asked < rules.minimum or not kept:
        needed = max(rules.minimum, 1)
        why = f"{counted(asked, 'validated answer')}, and {needed} {'is' if needed == 1 else 'are'} needed"
        return Change(None, why + _rejections(judged, removed), removed)
    neutral = [_unproved(answer) for answer in removed if {"graph", "list"} & {*answer.sources}]
    changed = msgspec.structs.replace(question, neutral=[*question.neutral, *neutral])
    return Change(_with_answers(changed, kept), removed=removed)


def _unproved(answer: Answer) -> NeutralAnswer:
    """An answer whose text does not state it, as people say."""
    nearest = next(iter(answer.evidence), None)
    return NeutralAnswer(
        answer.label,
        answer.id,
        answer.aliases,
        added=answer.added,
        provenance=answer.provenance,
        sources=[source for source in answer.sources if source != "text"],
        unproved="" if nearest is None else nearest.fact or "",
        nearest=nearest,
    )


def _rejections(judged: Mapping[str, ItemTrace], removed: Sequence[Answer]) -> str:
    """What the answers came to that a question lost, in brackets: `(2 Not stated, 1 Cannot understand)`."""
    items = [judged.get(identity(answer)) for answer in removed]
    labels = Counter(
        label_of(Validate(), item.choice) if item is not None and item.choice else "undecided"
        for item in items
    )
    return f" ({', '.join(f'{count} {label}' for label, count in labels.most_common())})" if labels else ""


def worded(
    question: Question, items: Sequence[ItemTrace], rules: ExportRules, *, drop: bool = True
) -> Change:
    """Wordings that people wrote, and that all who verified them accept, take the machine's place."""
    texts = _accepted_texts(items)
    if not texts:
        undecided = any(item.state in ("open", "disputed") for item in items)
        if not drop or (undecided and rules.undecided == "keep"):
            return Change(question)
        return Change(None, "no wording that everybody accepted")
    before: Json = {"question": question.question, "wordings": list(question.wordings)}
    old = [] if drop else [question.question]
    first, *others = dict.fromkeys([*texts, *filter(None, old)])
    changed = msgspec.structs.replace(question, question=first, wordings=others)
    return Change(_marked(changed, {"wording": HUMAN}), before=before)


def paraphrased(question: Question, items: Sequence[ItemTrace], rules: ExportRules) -> Change:
    """Paraphrases become the question's wordings, the first of them its text; the old text is kept as one."""
    return worded(question, items, rules, drop=False)


def verified(question: Question, items: Sequence[ItemTrace], rules: ExportRules) -> Change:
    """Wordings of the set that people rejected go; a question without any is dropped."""
    states = {str(item.hidden.get("text", "")): item.state for item in items if not item.injected}
    bad = ("rejected", "open", "disputed") if rules.undecided == "leave-out" else ("rejected",)
    texts = list(dict.fromkeys(filter(None, [question.question, *question.wordings])))
    kept = [text for text in texts if states.get(text, "accepted") not in bad]
    if not kept:
        return Change(None, "no wording that everybody accepted")
    before: Json = {"question": question.question, "wordings": list(question.wordings)}
    changed = msgspec.structs.replace(question, question=kept[0], wordings=kept[1:])
    return Change(changed, before=before if len(kept) < len(texts) else {})


def rated(question: Question, items: Sequence[ItemTrace], rules: ExportRules) -> Change:
    """The mean ratings become characteristics, by which scores can be broken down."""
    verdicts = [verdict for item in items for verdict in item.counted]
    means: dict[str, Characteristic] = {}
    for scale in ("self", "other"):
        values = [value for verdict in verdicts if isinstance(value := verdict.values.get(scale), int)]
        if values:
            means[f"naturalness-{scale}"] = round(fmean(values), 3)
    return Change(_marked(question, means))


def extended(question: Question, items: Sequence[ItemTrace], rules: ExportRules) -> Change:
    """Answers that people found, each with its evidence, are added to the extended answers.

    A question that was searched to the end says so, also if nothing was found.
    """
    judgments = [
        _judgment(question, answer, verdict, right=True)
        for item in items
        if item.state == "accepted"
        for verdict in item.counted
        for answer in _listed(verdict.values.get("answers"))
    ]
    changed = _accepted_into(question, judgments, "text")
    done = any(item.state == "accepted" for item in items)
    return Change(msgspec.structs.replace(changed, searched=changed.searched or done))


def pooled(question: Question, items: Sequence[ItemTrace], rules: ExportRules) -> Change:
    """Answers of systems that people found right are added to the extended answers."""
    judgments = [
        _judgment(question, answer, verdict, right=item.state == "accepted")
        for item in items
        if item.state in ("accepted", "rejected") and not item.injected
        for answer in _listed([item.hidden.get("answer")])
        for verdict in _agreeing(item)
    ]
    changed = _accepted_into(question, judgments, "runs")
    wrong = {_identity(item) for item in items if item.state == "rejected" and not item.injected}
    neutral = [answer for answer in changed.neutral if identity(answer) not in wrong]
    return Change(msgspec.structs.replace(changed, neutral=neutral))


def audited(question: Question, items: Sequence[ItemTrace], rules: ExportRules) -> Change:
    """Added names that are wrong are taken from their answers again."""
    wrong = set()
    for item in items:
        alias = item.hidden.get("alias")
        if item.state == "rejected" and item.choice == "wrong" and isinstance(alias, dict):
            reasons = {verdict.values.get("why") for verdict in item.counted if verdict.choice == "wrong"}
            if reasons & {"other-entity", "wrong-alias"}:
                wrong.add((str(alias.get("text")), str(alias.get("entity"))))
    if not wrong:
        return Change(question)
    answers = [_without_wrong_names(answer, wrong) for answer in question.answers]
    before: Json = {"names": [text for text, _ in sorted(wrong)]}
    return Change(msgspec.structs.replace(question, answers=answers), before=before)


def screened(question: Question, items: Sequence[ItemTrace], rules: ExportRules) -> Change:
    """The mark becomes a characteristic."""
    marks = [item.choice for item in items if item.choice is not None]
    return Change(_marked(question, {"screen": marks[0]}) if marks else question)


EFFECTS: dict[str, Effect] = {
    "validate": validated,
    "write": worded,
    "paraphrase": paraphrased,
    "verify": verified,
    "naturalness": rated,
    "extend": extended,
    "judge-pooled": pooled,
    "equivalence": audited,
    "screen": screened,
}
"""What each task changes; others leave questions as they are, with their trace."""
DECIDES = ("validate", "write", "verify")
"""Tasks that decide which questions a set has: what they were not asked about can be left out."""


def unchanged(question: Question, items: Sequence[ItemTrace], rules: ExportRules) -> Change:
    """A task that is not known here leaves its verdicts and nothing else."""
    return Change(question)


def _identity(item: ItemTrace) -> str:
    answers = _listed([item.hidden.get("answer")])
    return identity(answers[0]) if answers else ""


def _listed(answers: object) -> list[Answer]:
    """Answers as items and forms write them; other values are left out."""
    parsed = []
    for record in answers if isinstance(answers, list) else []:
        if isinstance(record, dict) and isinstance(record.get("label"), str):
            raw = record.get("evidence")
            pieces = raw if isinstance(raw, list) else [raw] if isinstance(raw, dict) else []
            evidence = [msgspec.convert(piece, Evidence, strict=False) for piece in pieces if piece]
            id_ = record.get("id")
            parsed.append(
                Answer(record["label"], id_ if isinstance(id_, str) and id_ else None, evidence=evidence)
            )
    return parsed


def _agreeing(item: ItemTrace) -> list[VerdictTrace]:
    """The verdicts that agree with the item's result; all of them if none does (an estimate decided)."""
    return [verdict for verdict in item.counted if verdict.choice == item.choice] or item.counted


def _accepted(answer: Answer, item: ItemTrace) -> AnswerProvenance:
    old = answer.provenance or AnswerProvenance()
    return msgspec.structs.replace(
        old,
        by="person",
        who=", ".join(dict.fromkeys(verdict.person for verdict in _agreeing(item))),
        right=True,
        note="; ".join(filter(None, [old.note if old.by != "person" else "", item.why])),
    )


def _accepted_texts(items: Sequence[ItemTrace]) -> list[str]:
    """The wordings that were accepted: by those who verified them, or as they were written without that."""
    verifying = [item for item in items if item.stage == VERIFY]
    verified_from = {item.after for item in verifying}
    texts = [str(item.hidden.get("text", "")) for item in verifying if item.state == "accepted"]
    for item in items:
        if item.stage == JUDGE and item.state == "accepted" and item.key not in verified_from:
            texts += [
                str(verdict.values.get("text", "")) for verdict in item.counted if verdict.role == "annotator"
            ]
    return [text for text in texts if text]


def _judgment(question: Question, answer: Answer, verdict: VerdictTrace, *, right: bool) -> Judgment:
    return Judgment(
        question.id,
        answer.label,
        answer.id,
        right,
        "person",
        verdict.person,
        evidence=answer.evidence,
        note=verdict.comment,
    )


def _accepted_into(question: Question, judgments: list[Judgment], source: str) -> Question:
    known = len(question.extended)
    (changed,) = accept(QuestionSet([question]), judgments)
    new = [_sourced(answer, source) for answer in changed.extended[known:]]
    return msgspec.structs.replace(changed, extended=[*changed.extended[:known], *new])


def _sourced(answer: Answer, source: str) -> Answer:
    provenance = answer.provenance or AnswerProvenance()
    return msgspec.structs.replace(answer, provenance=msgspec.structs.replace(provenance, source=source))


def _without_wrong_names(answer: Answer, wrong: set[tuple[str, str]]) -> Answer:
    gone = {alias.text for alias in answer.added if (alias.text, alias.entity) in wrong}
    if not gone:
        return answer
    return msgspec.structs.replace(
        answer,
        aliases=[name for name in answer.aliases if name not in gone],
        added=[alias for alias in answer.added if alias.text not in gone],
    )


def _with_answers(question: Question, answers: list[Answer]) -> Question:
    changed = msgspec.structs.replace(question, answers=answers)
    return _marked(changed, {"answers": len(answers)}) if "answers" in question.characteristics else changed


def _marked(question: Question, marks: dict[str, Characteristic]) -> Question:
    characteristics = {**question.characteristics, **marks}
    return msgspec.structs.replace(question, characteristics=characteristics)


class ExportOptions(msgspec.Struct, frozen=True):
    """What an export decides about what people did not."""

    undecided: Undecided = "keep"
    """Whether undecided answers and questions are kept or left out."""
    adjudicate: float | None = None
    """Settle disputes by Dawid and Skene's estimate from this probability on; None to leave them open."""
    pseudonyms: bool = False
    """Whether people are called by numbers, for sets that are published."""
    least_cluster: int = 0
    """Drop questions of clusters that keep fewer questions than this; RoMQA has 2."""


class Dropped(msgspec.Struct, frozen=True):
    """A question that is no longer part of the set, with its trace, and why."""

    why: str
    question: Question


class ProjectEntry(msgspec.Struct, frozen=True, omit_defaults=True):
    """What the manifest of an exported set says about a project."""

    project: str
    task: str
    settings: Json = {}
    set_checksum: str = ""
    """The checksum of the set that was judged."""
    people: int = 0
    judgments: int = 0
    finished: str = ""
    """When the last judgment was made."""
    options: ExportOptions = ExportOptions()
    figures: list[PaperFigure] = []
    dropped: list[Dropped] = []
    reserve: list[str] = []
    """The questions that people were not asked about: those of the pool that were never needed, and those
    outside the project where what is undecided is left out."""
    elsewhere: list[Elsewhere] = []


class ExportedVersion(NamedTuple):
    """A new version of a set, and what the project came to."""

    questions: QuestionSet
    entry: ProjectEntry
    undecided: dict[str, int]
    """The number of undecided items of each question that has any."""
    outside: int
    """How many questions of the set were not part of the project."""


def new_version(
    questions: QuestionSet, collected: Collected, options: ExportOptions | None = None
) -> ExportedVersion:
    """The set with what people decided; the given set is not changed."""
    options = options or ExportOptions()
    if options.pseudonyms:
        collected = with_pseudonyms(collected)
    if options.adjudicate is not None:
        collected = settled_by_estimate(collected, options.adjudicate)
    effect = EFFECTS.get(collected.task, unchanged)
    rules = ExportRules(options.undecided, _minimum(collected))
    traced, foreign = _sorted_traces(questions, collected)
    reserve = _reserve(collected)
    known = {*traced, *reserve}
    outside = [question.id for question in questions if question.id not in known]
    leaves_out = options.undecided == "leave-out" and collected.task in DECIDES
    unasked = [id_ for id_ in reserve if id_ not in traced] + (outside if leaves_out else [])
    left_out = set(unasked)
    kept: list[Question] = []
    dropped: list[Dropped] = []
    for question in questions:
        items = traced.get(question.id)
        if items is None:
            if question.id not in left_out:
                kept.append(question)
            continue
        change = effect(question, items, rules)
        removed = [msgspec.to_builtins(answer) for answer in change.removed]
        judged = [item for item in items if item.verdicts]
        trace = ProjectTrace(collected.project, collected.task, judged, removed, change.before)
        if change.question is None:
            dropped.append(Dropped(change.why, with_trace(question, trace)))
        else:
            kept.append(with_trace(change.question, trace) if judged or removed else question)
    kept, small = _of_large_clusters(kept, options.least_cluster)
    if not kept:
        raise RollcallError(
            f"no question of the project {collected.project} is left to export; "
            f"the first was dropped because of: {dropped[0].why if dropped else 'an empty set'}"
        )
    entry = _entry(collected, options, [*dropped, *small], unasked, foreign)
    version = QuestionSet(kept, _manifest(questions.manifest, entry))
    return ExportedVersion(version, entry, _undecided(collected), len(outside))


def write_version(exported: ExportedVersion, folder: Path | str) -> None:
    """Write a new version as a folder with its card, replacing an existing set."""
    save_set(Path(folder), exported.questions, exported.questions.manifest)


def entries(questions: QuestionSet) -> list[ProjectEntry]:
    """What the manifest of a set says about the projects that it went through."""
    try:
        return msgspec.convert(questions.manifest.get(STUDIO, []), list[ProjectEntry])
    except msgspec.ValidationError as error:
        raise RollcallError(f"the studio projects in the manifest cannot be read: {error}") from error


def judgments_of_set(questions: QuestionSet, project: str) -> list[JudgmentRecord]:
    """Every judgment of a project that an exported set keeps, oldest first."""
    entry = next((candidate for candidate in entries(questions) if candidate.project == project), None)
    if entry is None:
        known = ", ".join(entry.project for entry in entries(questions)) or "none"
        raise RollcallError(f"the set was not judged in a project {project!r:.80}; its projects: {known}")
    everything = [*questions, *(dropped.question for dropped in entry.dropped)]
    return judgments_in(everything, entry.elsewhere, project)


def with_pseudonyms(collected: Collected) -> Collected:
    """The project with numbers for people, in the order of their first judgment."""
    order = dict.fromkeys(
        [*(judgment.person for judgment in collected.judged), *(person.name for person in collected.people)]
    )
    names = {person: f"person-{number}" for number, person in enumerate(order, 1)}

    def named(hidden: Json) -> Json:
        by = hidden.get("by")
        return {**hidden, "by": names.get(by, by)} if isinstance(by, str) else hidden

    return msgspec.structs.replace(
        collected,
        judged=[
            msgspec.structs.replace(judgment, person=names[judgment.person]) for judgment in collected.judged
        ],
        people=[
            msgspec.structs.replace(person, name=names[person.name], groups=()) for person in collected.people
        ],
        items=[
            msgspec.structs.replace(
                item,
                hidden=named(item.hidden),
                barred=tuple(names.get(person, person) for person in item.barred),
            )
            for item in collected.items
        ],
        resolutions={
            key: msgspec.structs.replace(resolution, why=_without_names(resolution.why, names))
            for key, resolution in collected.resolutions.items()
        },
    )


def _without_names(why: str, names: dict[str, str]) -> str:
    """A reason that names who decided, by number."""
    start, by, person = why.rpartition("decided by ")
    return f"{start}{by}{names.get(person, person)}" if by else why


def _minimum(collected: Collected) -> int:
    minimum = collected.settings.get("minimum", 0)
    return minimum if isinstance(minimum, int) else 0


def _sorted_traces(
    questions: QuestionSet, collected: Collected
) -> tuple[dict[str, list[ItemTrace]], list[Elsewhere]]:
    """The items of the set's questions, and those of other sets and of qualification tests."""
    texts = {question.id: question for question in questions}
    own: dict[str, list[ItemTrace]] = {}
    foreign: list[Elsewhere] = []
    for id_, items in traces(collected).items():
        own_items = [item for item in items if id_ in texts and _is_about(item, texts[id_])]
        if own_items:
            own[id_] = own_items
        if foreign_items := [item for item in items if item not in own_items and item.verdicts]:
            foreign.append(Elsewhere(id_, foreign_items))
    return own, foreign


def _is_about(item: ItemTrace, question: Question) -> bool:
    """Questions of compared sets may have the same id; the text tells them apart."""
    return "set" not in item.hidden or item.shown.get("question") == wording_of(question)


def _undecided(collected: Collected) -> dict[str, int]:
    """How many items of each question are open or disputed."""
    live = [item for item in collected.items if not item.pool and item.stage != QUALIFY]
    states = [
        (item.question, collected.resolutions.get(item.key, ItemResolution("open")).state) for item in live
    ]
    return dict(Counter(question for question, state in states if state in ("open", "disputed")))


def _reserve(collected: Collected) -> list[str]:
    """The questions that waited in the pool to the end."""
    asked = {item.question for item in collected.items if not item.pool}
    return [
        question
        for question in dict.fromkeys(item.question for item in collected.items)
        if question not in asked
    ]


def _of_large_clusters(questions: Sequence[Question], least: int) -> tuple[list[Question], list[Dropped]]:
    sizes = Counter(question.cluster for question in questions)
    kept, dropped = [], []
    for question in questions:
        if question.cluster is not None and sizes[question.cluster] < least:
            why = f"its cluster keeps {sizes[question.cluster]} questions, and {least} are needed"
            dropped.append(Dropped(why, question))
        else:
            kept.append(question)
    return kept, dropped


def _entry(
    collected: Collected,
    options: ExportOptions,
    dropped: list[Dropped],
    reserve: list[str],
    foreign: list[Elsewhere],
) -> ProjectEntry:
    return ProjectEntry(
        project=collected.project,
        task=collected.task,
        settings=collected.settings,
        set_checksum=collected.set_checksum,
        people=len({judgment.person for judgment in collected.judged}),
        judgments=len(collected.judged),
        finished=max((judgment.at for judgment in collected.judged), default=""),
        options=options,
        figures=paper_figures(collected),
        dropped=dropped,
        reserve=reserve,
        elsewhere=foreign,
    )


def _manifest(old: dict[str, Any], entry: ProjectEntry) -> dict[str, Any]:
    kept = {key: value for key, value in old.items() if key not in (checksums.FILES, checksums.SEAL)}
    earlier = [record for record in old.get(STUDIO, []) if record.get("project") != entry.project]
    note = (
        f"{entry.people:,} people made {entry.judgments:,} judgments in the project {entry.project} "
        f"({entry.task}){_in_words(entry.figures)}; every verdict is in the provenance of its question"
    )
    notes = [line for line in old.get("notes", []) if f"in the project {entry.project} (" not in line]
    return {
        "version": __version__,
        **kept,
        "notes": [*notes, note],
        STUDIO: [*earlier, msgspec.to_builtins(entry)],
    }


def _in_words(figures: Sequence[PaperFigure]) -> str:
    """The first figure of a project, as the card says it."""
    first = next(iter(figures), None)
    if first is None or first.value is None or first.count is None or not first.of:
        return ""
    return f"; {first.name}: {100 * first.value:.1f} % of {first.of:,.0f}"
