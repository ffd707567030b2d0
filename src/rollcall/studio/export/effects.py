"""What the verdicts of each task change in a question: answers taken out or added, human wordings, marks.

Each effect is a pure function from a question and its judged items to the changed question, or to the reason
why the question is dropped. What it takes out is kept in the trace.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from statistics import fmean
from typing import Literal, NamedTuple

import msgspec

from rollcall.audit.missing.accepting import accept
from rollcall.english.counting import counted
from rollcall.questions.judgment import Judgment
from rollcall.questions.question_set import QuestionSet
from rollcall.questions.record import Answer, AnswerProvenance, Characteristic, Evidence, Question
from rollcall.studio.export.trace import ItemTrace, VerdictTrace
from rollcall.studio.records import Json
from rollcall.studio.tasks.injection import identity
from rollcall.studio.tasks.task import JUDGE, label_of
from rollcall.studio.tasks.validate import Validate
from rollcall.studio.tasks.verify import VERIFY

Undecided = Literal["keep", "leave-out"]
HUMAN = "human"


class Change(NamedTuple):
    """The changed question; None, with the reason, if it is dropped."""

    question: Question | None
    why: str = ""
    removed: Sequence[Answer] = ()
    before: Json = {}  # noqa: RUF012  (never changed)


class Rules(NamedTuple):
    """What an export decides about what people did not."""

    undecided: Undecided
    minimum: int


Effect = Callable[[Question, Sequence[ItemTrace], Rules], Change]


def validated(question: Question, items: Sequence[ItemTrace], rules: Rules) -> Change:
    """Answers that were rejected go; those that were accepted say who accepted them."""
    judged = {_identity(one): one for one in items if one.stage == JUDGE and not one.injected}
    kept, removed = [], []
    for answer in question.answers:
        item = judged.get(identity(answer))
        state = "open" if item is None else item.state
        if state == "accepted" and item is not None:
            kept.append(msgspec.structs.replace(answer, provenance=_accepted(answer, item)))
        elif state == "rejected" or rules.undecided == "leave-out":
            removed.append(answer)
        else:
            kept.append(answer)
    # Answers that nobody was asked about prove nothing, so they do not count for the minimum.
    asked = sum(identity(answer) in judged for answer in kept)
    if asked < rules.minimum or not kept:
        needed = max(rules.minimum, 1)
        why = f"{counted(asked, 'validated answer')}, and {needed} {'is' if needed == 1 else 'are'} needed"
        return Change(None, why + _rejections(judged, removed), removed)
    return Change(_with_answers(question, kept), removed=removed)


def _rejections(judged: Mapping[str, ItemTrace], removed: Sequence[Answer]) -> str:
    """What the answers came to that a question lost, in brackets: `(2 Not stated, 1 Cannot understand)`."""
    items = [judged.get(identity(answer)) for answer in removed]
    said = Counter(
        label_of(Validate(), one.choice) if one is not None and one.choice else "undecided" for one in items
    )
    return f" ({', '.join(f'{count} {label}' for label, count in said.most_common())})" if said else ""


def worded(question: Question, items: Sequence[ItemTrace], rules: Rules, *, drop: bool = True) -> Change:
    """Wordings that people wrote, and that all who verified them accept, take the machine's place."""
    texts = _accepted_texts(items)
    if not texts:
        undecided = any(one.state in ("open", "disputed") for one in items)
        if not drop or (undecided and rules.undecided == "keep"):
            return Change(question)
        return Change(None, "no wording that everybody accepted")
    before: Json = {"question": question.question, "wordings": list(question.wordings)}
    old = [] if drop else [question.question]
    first, *others = dict.fromkeys([*texts, *filter(None, old)])
    changed = msgspec.structs.replace(question, question=first, wordings=others)
    return Change(_marked(changed, {"wording": HUMAN}), before=before)


def paraphrased(question: Question, items: Sequence[ItemTrace], rules: Rules) -> Change:
    """Paraphrases become the question's wordings, the first of them its text; the old text is kept as one."""
    return worded(question, items, rules, drop=False)


def verified(question: Question, items: Sequence[ItemTrace], rules: Rules) -> Change:
    """Wordings of the set that somebody rejected go; a question without any is dropped."""
    states = {str(one.hidden.get("text", "")): one.state for one in items if not one.injected}
    bad = ("rejected", "open", "disputed") if rules.undecided == "leave-out" else ("rejected",)
    texts = list(dict.fromkeys(filter(None, [question.question, *question.wordings])))
    kept = [text for text in texts if states.get(text, "accepted") not in bad]
    if not kept:
        return Change(None, "no wording that everybody accepted")
    before: Json = {"question": question.question, "wordings": list(question.wordings)}
    changed = msgspec.structs.replace(question, question=kept[0], wordings=kept[1:])
    return Change(changed, before=before if len(kept) < len(texts) else {})


def rated(question: Question, items: Sequence[ItemTrace], rules: Rules) -> Change:
    """The mean ratings become characteristics, by which scores can be broken down."""
    verdicts = [verdict for one in items for verdict in one.counted]
    means: dict[str, Characteristic] = {}
    for scale in ("self", "other"):
        values = [value for one in verdicts if isinstance(value := one.values.get(scale), int)]
        if values:
            means[f"naturalness-{scale}"] = round(fmean(values), 3)
    return Change(_marked(question, means))


def extended(question: Question, items: Sequence[ItemTrace], rules: Rules) -> Change:
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


def pooled(question: Question, items: Sequence[ItemTrace], rules: Rules) -> Change:
    """Answers of systems that people found right are added to the extended answers."""
    judgments = [
        _judgment(question, answer, verdict, right=item.state == "accepted")
        for item in items
        if item.state in ("accepted", "rejected") and not item.injected
        for answer in _listed([item.hidden.get("answer")])
        for verdict in _agreeing(item)
    ]
    return Change(_accepted_into(question, judgments, "runs"))


def audited(question: Question, items: Sequence[ItemTrace], rules: Rules) -> Change:
    """Added names that are wrong are taken from their answers again."""
    wrong = set()
    for item in items:
        alias = item.hidden.get("alias")
        if item.state == "rejected" and item.choice == "wrong" and isinstance(alias, dict):
            reasons = {one.values.get("why") for one in item.counted if one.choice == "wrong"}
            if reasons & {"other-entity", "wrong-alias"}:
                wrong.add((str(alias.get("text")), str(alias.get("entity"))))
    if not wrong:
        return Change(question)
    answers = [_without_names(answer, wrong) for answer in question.answers]
    before: Json = {"names": [text for text, _ in sorted(wrong)]}
    return Change(msgspec.structs.replace(question, answers=answers), before=before)


def screened(question: Question, items: Sequence[ItemTrace], rules: Rules) -> Change:
    """The mark becomes a characteristic."""
    marks = [one.choice for one in items if one.choice is not None]
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


def unchanged(question: Question, items: Sequence[ItemTrace], rules: Rules) -> Change:
    """A task that is not known here leaves its verdicts and nothing else."""
    return Change(question)


def _identity(item: ItemTrace) -> str:
    found = _listed([item.hidden.get("answer")])
    return identity(found[0]) if found else ""


def _listed(answers: object) -> list[Answer]:
    """Answers as items and forms write them; what is none is left out."""
    found = []
    for one in answers if isinstance(answers, list) else []:
        if isinstance(one, dict) and isinstance(one.get("label"), str):
            told = one.get("evidence")
            pieces = told if isinstance(told, list) else [told] if isinstance(told, dict) else []
            evidence = [msgspec.convert(piece, Evidence, strict=False) for piece in pieces if piece]
            id_ = one.get("id")
            found.append(
                Answer(one["label"], id_ if isinstance(id_, str) and id_ else None, evidence=evidence)
            )
    return found


def _agreeing(item: ItemTrace) -> list[VerdictTrace]:
    """Those whose verdict became the item's; if that is nobody's (an estimate), all who judged."""
    return [one for one in item.counted if one.choice == item.choice] or item.counted


def _accepted(answer: Answer, item: ItemTrace) -> AnswerProvenance:
    old = answer.provenance or AnswerProvenance()
    return msgspec.structs.replace(
        old,
        by="person",
        who=", ".join(dict.fromkeys(one.person for one in _agreeing(item))),
        right=True,
        note="; ".join(filter(None, [old.note if old.by != "person" else "", item.why])),
    )


def _accepted_texts(items: Sequence[ItemTrace]) -> list[str]:
    """The wordings that were accepted: by those who verified them, or as they were written without that."""
    verifying = [one for one in items if one.stage == VERIFY]
    verified_from = {one.after for one in verifying}
    texts = [str(one.hidden.get("text", "")) for one in verifying if one.state == "accepted"]
    for item in items:
        if item.stage == JUDGE and item.state == "accepted" and item.key not in verified_from:
            texts += [str(one.values.get("text", "")) for one in item.counted if one.role == "annotator"]
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
    told = answer.provenance or AnswerProvenance()
    return msgspec.structs.replace(answer, provenance=msgspec.structs.replace(told, source=source))


def _without_names(answer: Answer, wrong: set[tuple[str, str]]) -> Answer:
    gone = {one.text for one in answer.added if (one.text, one.entity) in wrong}
    if not gone:
        return answer
    return msgspec.structs.replace(
        answer,
        aliases=[name for name in answer.aliases if name not in gone],
        added=[one for one in answer.added if one.text not in gone],
    )


def _with_answers(question: Question, answers: list[Answer]) -> Question:
    changed = msgspec.structs.replace(question, answers=answers)
    return _marked(changed, {"answers": len(answers)}) if "answers" in question.characteristics else changed


def _marked(question: Question, marks: dict[str, Characteristic]) -> Question:
    told = {**question.characteristics, **marks}
    return msgspec.structs.replace(question, characteristics=told)
