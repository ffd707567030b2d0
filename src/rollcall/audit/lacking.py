"""What a set lacks: how complete its answers are, which ones are missing most likely, and what to judge next.

Sources of answers are collected once and serve all of this. What cannot be estimated is no error: the reason
is kept, and everything else is there.
"""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import msgspec

from rollcall._core.errors import RollcallError
from rollcall.audit.completeness.estimating import CompletenessReport, estimate
from rollcall.audit.missing import MissingAnswer, find_missing, judge_by_model, to_judge
from rollcall.audit.sources.evaluate import Fact
from rollcall.audit.sources.gather import gather
from rollcall.audit.sources.stated import FactInText, StatedFacts
from rollcall.questions.judgment import Judgment
from rollcall.questions.question_set import QuestionSet
from rollcall.questions.run import Run
from rollcall.score.figures import wilson

if TYPE_CHECKING:
    from rollcall.corpus import Corpus
    from rollcall.evidence import Verifier
    from rollcall.graph import Graph
    from rollcall.llm import Client
    from rollcall.score.incomplete.bounds import JudgingPlan


# For each relation: the share of its facts that text states at all, and the share of stated facts that
# the graph lacks. Input: what a verifier found about known and newly named facts of the questions that
# were searched. Neither is a count of what was accepted: known facts count by the probability that their
# sentence states them, which the evidence package expects from the scores, and new ones by the
# probability that they are true (`rollcall.audit.sources.stated`).

_NORMAL = 1.96


class ShareEstimate(msgspec.Struct, frozen=True):
    """A share with its 95 % interval."""

    value: float
    low: float
    high: float


class RelationShares(msgspec.Struct, frozen=True):
    """What text and graph know of a relation."""

    known: int
    """The facts of the graph that were looked at."""
    named: int
    """Those of which a sentence names both ends."""
    stated: ShareEstimate
    """The share of the known facts that text states."""
    new: float
    """How many facts that the graph lacks are expected to be stated."""
    lacking: ShareEstimate | None
    """The share of the stated facts that the graph lacks; None if text states none."""


def relation_shares(stated: StatedFacts) -> dict[str, RelationShares]:
    """The shares of every relation with a known fact, in the order of their ids."""
    groups: dict[str, list[tuple[Fact, FactInText]]] = {}
    for fact, said in stated.items():
        groups.setdefault(fact.relation, []).append((fact, said))
    found = {}
    for relation, group in sorted(groups.items()):
        made = _shares(said for _fact, said in group)
        if made is not None:
            found[relation] = made
    return found


def _shares(group: Iterable[FactInText]) -> RelationShares | None:
    said = list(group)
    known = [one for one in said if one.known]
    if not known:
        return None
    named = sum(one.sentence is not None for one in known)
    told = sum(one.chance for one in known)
    true = sum(one.chance for one in said if not one.known)
    # Of true facts that a sentence names, text states as many as it does of those that are known.
    new = true * (told / named) if named else 0.0
    lacking = share(new, told + new) if told + new > 0 else None
    return RelationShares(len(known), named, share(told, len(known)), new, lacking)


def share(part: float, whole: float) -> ShareEstimate:
    """A share of so many, with Wilson's interval; parts may be expected numbers."""
    value = min(1.0, part / whole)
    return ShareEstimate(value, *wilson(value, whole, _NORMAL))


class Lacking(msgspec.Struct):
    """What was found about answers that the gold may lack."""

    report: CompletenessReport | None = None
    """How complete the gold is; None if it could not be estimated."""
    why_not: str = ""
    """Why it could not."""
    relations: dict[str, RelationShares] = {}
    """By relation, what text states and what the graph lacks."""
    missing: list[MissingAnswer] = []
    """Candidates for missing answers, best first."""
    to_judge: list[Judgment] = []
    """The candidates that no person has judged, as lines to fill in."""
    judged: list[Judgment] = []
    """What a language model says of the candidates."""


def lacking(
    questions: QuestionSet,
    *,
    graph: "Graph | None" = None,
    corpus: "Corpus | None" = None,
    runs: Sequence[Run] = (),
    judgments: Iterable[Judgment] = (),
    verifier: "Verifier | str" = "contrast",
    candidates: int = 500,
    judge: "tuple[Client, str] | None" = None,
    jobs: int | None = 1,
) -> Lacking:
    """Estimate completeness and find candidates; a language model judges these, if one is given."""
    judgments = list(judgments)
    sources = gather(
        questions, graph=graph, corpus=corpus, runs=runs, judgments=judgments, verifier=verifier, jobs=jobs
    )
    found = Lacking(relations=relation_shares(sources.stated))
    try:
        found.report = estimate(questions, sources.captures, notes=sources.notes)
    except RollcallError as error:
        found.why_not = str(error)
    share = None if found.report is None else found.report.completeness.estimate
    found.missing = find_missing(questions, sources, corpus=corpus, completeness=share, most=candidates)
    known = {(one.question, one.answer) for one in judgments if one.by_people and one.right is not None}
    found.to_judge = [one for one in to_judge(found.missing) if (one.question, one.answer) not in known]
    if judge is not None:
        found.judged = judge_by_model(found.missing, *judge)
    return found


def check_fitting(questions: QuestionSet, runs: Iterable[Run], judgments: Iterable[Judgment]) -> None:
    """Refuse runs and judgments that are about other questions, before anything takes long."""
    known = {question.id for question in questions}
    for run in runs:
        if all(one.id not in known for one in run):
            raise RollcallError(
                f"{run.name or 'a run'}: answers none of the set's questions; is it of another?"
            )
    strange = [one.question for one in judgments if one.question not in known]
    if strange:
        raise RollcallError(
            f"judgments of questions that the set does not have: {len(strange):,}, such as {strange[0]:.80}"
        )


class ErrorPlan(msgspec.Struct):
    """How many errors of runs must be judged, and which ones next."""

    plan: "JudgingPlan"
    to_judge: list[Judgment]


def planned(
    questions: QuestionSet,
    runs: Sequence[Run],
    width: float,
    completeness: CompletenessReport | None = None,
    judgments: Sequence[Judgment] = (),
) -> ErrorPlan:
    """What must be judged, so that the corrected F1 of every run has an interval of this width."""
    from rollcall.score.incomplete.bounds import draw_errors, plan
    from rollcall.score.verbs import score

    if not runs:
        raise RollcallError("--plan: errors of runs are judged; give one run or more after the set")
    reports = [score(questions, run, measures=["P", "R", "F1"], missing="skip") for run in runs]
    share = None if completeness is None else completeness.completeness
    if not 0 < width < 1:
        raise RollcallError(f"--plan {width:g}: give the width of an interval between 0 and 1, such as 0.05")
    made = plan(reports, width, completeness=share, judgments=judgments)
    return ErrorPlan(made, draw_errors(reports, made.needed, judged=judgments))


def lines_to_judge(found: Lacking | None, errors: ErrorPlan | None) -> list[Judgment]:
    """Everything that waits for a judgment, each pair once: drawn errors first, then candidates."""
    drawn = [] if errors is None else errors.to_judge
    candidates = [] if found is None else found.to_judge
    chosen: dict[tuple[str, str], Judgment] = {}
    for one in (*drawn, *candidates):
        chosen.setdefault((one.question, one.answer), one)
    return list(chosen.values())
