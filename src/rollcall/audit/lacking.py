"""What a set lacks: how complete its answers are, which ones are missing most likely, and what to judge next.

Sources of answers are collected once and serve all of this. What cannot be estimated is not an error: the
reason is kept, and everything else is there.
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
    for fact, in_text in stated.items():
        groups.setdefault(fact.relation, []).append((fact, in_text))
    shares = {}
    for relation, group in sorted(groups.items()):
        relation_share = _shares(in_text for _fact, in_text in group)
        if relation_share is not None:
            shares[relation] = relation_share
    return shares


def _shares(group: Iterable[FactInText]) -> RelationShares | None:
    facts = list(group)
    known = [fact for fact in facts if fact.known]
    if not known:
        return None
    named = sum(fact.sentence is not None for fact in known)
    stated = sum(fact.chance for fact in known)
    true = sum(fact.chance for fact in facts if not fact.known)
    # Of true facts that a sentence names, text states as many as it does of those that are known.
    new = true * (stated / named) if named else 0.0
    lacking = share(new, stated + new) if stated + new > 0 else None
    return RelationShares(len(known), named, share(stated, len(known)), new, lacking)


def share(part: float, whole: float) -> ShareEstimate:
    """A share with Wilson's interval; parts may be expected numbers."""
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
    result = Lacking(relations=relation_shares(sources.stated))
    try:
        result.report = estimate(questions, sources.captures, notes=sources.notes)
    except RollcallError as error:
        result.why_not = str(error)
    share = None if result.report is None else result.report.completeness.estimate
    result.missing = find_missing(questions, sources, corpus=corpus, completeness=share, most=candidates)
    known = {
        (judgment.question, judgment.answer)
        for judgment in judgments
        if judgment.by_people and judgment.right is not None
    }
    result.to_judge = [
        judgment for judgment in to_judge(result.missing) if (judgment.question, judgment.answer) not in known
    ]
    if judge is not None:
        result.judged = judge_by_model(result.missing, *judge)
    return result


def check_fitting(questions: QuestionSet, runs: Iterable[Run], judgments: Iterable[Judgment]) -> None:
    """Refuse runs and judgments that are about other questions, before anything takes long."""
    known = {question.id for question in questions}
    for run in runs:
        if all(prediction.id not in known for prediction in run):
            raise RollcallError(
                f"{run.name or 'a run'}: answers none of the set's questions; is it a run of another set?"
            )
    strange = [judgment.question for judgment in judgments if judgment.question not in known]
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
    error_plan = plan(reports, width, completeness=share, judgments=judgments)
    return ErrorPlan(error_plan, draw_errors(reports, error_plan.needed, judged=judgments))


def lines_to_judge(lacking_answers: Lacking | None, errors: ErrorPlan | None) -> list[Judgment]:
    """Everything that waits for a judgment, each pair once: drawn errors first, then candidates."""
    drawn = [] if errors is None else errors.to_judge
    candidates = [] if lacking_answers is None else lacking_answers.to_judge
    chosen: dict[tuple[str, str], Judgment] = {}
    for judgment in (*drawn, *candidates):
        chosen.setdefault((judgment.question, judgment.answer), judgment)
    return list(chosen.values())
