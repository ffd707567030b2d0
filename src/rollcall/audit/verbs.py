"""The function `audit`, for scripts and the command line.

Everything given is checked before anything is read that takes long: names of checks, thresholds, and what the
checks with thresholds need. What cannot be checked without a graph, corpus or run is skipped, and says so.
"""

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rollcall._core.console import Progress
from rollcall._core.errors import RollcallError
from rollcall._core.options import chosen_options
from rollcall.audit.lacking import check_fitting, lacking, planned
from rollcall.audit.material import Material, recipe_verifier
from rollcall.audit.options import AuditOptions
from rollcall.audit.quality import NamedCheck, check_thresholds, chosen_checks, quality_card
from rollcall.audit.result import Audit
from rollcall.corpus import Corpus
from rollcall.graph import Graph
from rollcall.questions.given import Questions, given_questions, given_run
from rollcall.questions.judgment import read_judgments
from rollcall.questions.opening import described
from rollcall.questions.question_set import QuestionSet
from rollcall.questions.run import Run

if TYPE_CHECKING:
    from rollcall.evidence import Verifier


def audit(questions: Questions, options: AuditOptions | None = None, **keywords: Any) -> Audit:
    """Look for what is wrong, doubtful or lopsided in a question set, built or imported.

    `questions` is a set, a path, records, dicts or a table. The options are those of `AuditOptions`, given as
    keywords, as a record, or as both. With a `graph` answers are compared with their queries' denotations,
    with a `corpus` evidence with the text. `fail_above` maps checks to the largest share that each may find,
    and `failures` of the result lists those above it.

    `completeness` estimates how many of all right answers the set has, and lists the best `candidates` for
    missing ones, from the graph, lists and text of the corpus, and `runs` of systems; by default it does so
    if there are a graph and a corpus, or runs. With `plan`, the errors of the runs that must be judged are
    drawn.
    """
    options = chosen_options(AuditOptions, options, keywords, "audit")
    graph, corpus, closed_book, one_passage = (
        options.graph,
        options.corpus,
        options.closed_book,
        options.one_passage,
    )
    limits = _thresholds(options.fail_above)
    chosen = chosen_checks(options.checks, limits)
    inputs = {"graph": graph, "corpus": corpus, "closed-book": closed_book, "one-passage": one_passage}
    check_thresholds(chosen, limits, lambda need: inputs[need] is not None)
    question_set = given_questions(
        questions, "the set", file_format=options.file_format, answers=options.answers
    )
    judgments = options.judgments
    known = read_judgments(judgments) if isinstance(judgments, str | Path) else list(judgments)
    given_runs = [given_run(run) for run in options.runs]
    check_fitting(question_set, given_runs, known)
    read = question_set.of_splits(options.split)
    if not len(read):
        raise RollcallError(
            f"{questions if isinstance(questions, str | Path) else 'the set'}: holds no question"
        )
    name = Path(questions).name if isinstance(questions, str | Path) else str(read.manifest.get("name", ""))
    result = audited(
        read,
        chosen,
        limits,
        graph=graph,
        corpus=corpus,
        closed_book=None if closed_book is None else given_run(closed_book),
        one_passage=None if one_passage is None else given_run(one_passage),
        verifier=options.verifier,
        verifier_options=options.verifier_options,
        verified=options.verified,
        examples=options.examples,
        name=name,
        show_progress=options.show_progress,
    )
    result.reading = described(read, questions) or ""
    by_default = bool(given_runs) or (graph is not None and corpus is not None)
    if by_default if options.completeness is None else options.completeness:
        with ExitStack() as stack:
            result.lacking = lacking(
                read,
                graph=_graph(graph, stack),
                corpus=_corpus(corpus, stack),
                runs=given_runs,
                judgments=known,
                verifier=options.verifier or "contrast",
                candidates=options.candidates,
                judge=options.judge,
            )
    elif options.judge is not None:
        raise RollcallError(
            "`judge` judges candidates for missing answers: do not set `completeness` to False"
        )
    if options.plan is not None:
        report = None if result.lacking is None else result.lacking.report
        result.errors = planned(read, given_runs, options.plan, report, known)
    if options.out is not None:
        result.save(options.out)
    return result


def _thresholds(given: Mapping[str, float] | Sequence[str]) -> dict[str, float]:
    """The largest share of each check; a command line gives them as texts."""
    if isinstance(given, Mapping):
        return dict(given)
    thresholds = {}
    for text in given:
        name, separator, share = text.rpartition("=")
        try:
            thresholds[name.strip()] = float(share if separator else "")
        except ValueError:
            raise RollcallError(
                f"--fail-above {text}: write check=share, such as leaked-wordings=0.01"
            ) from None
    return thresholds


def audited(
    questions: QuestionSet,
    checks: Sequence[NamedCheck],
    thresholds: Mapping[str, float],
    *,
    graph: Graph | Path | str | None = None,
    corpus: Corpus | Path | str | None = None,
    closed_book: Run | None = None,
    one_passage: Run | None = None,
    verifier: "Verifier | str | None" = None,
    verifier_options: Mapping[str, object] | None = None,
    verified: int = 1000,
    examples: int = 5,
    name: str = "",
    show_progress: bool | None = None,
) -> Audit:
    """The audit of questions that were read, by checks that were chosen."""
    with ExitStack() as stack:
        material = Material(
            questions.questions,
            _graph(graph, stack),
            _corpus(corpus, stack),
            closed_book,
            one_passage,
            verified=verified,
            made_unverified=recipe_verifier(questions) == "none",
        )
        if verifier is not None:
            material.verifier = _opened(verifier, verifier_options or {}, material)
        progress = stack.enter_context(Progress("auditing", len(checks), count=True, show=show_progress))
        card = quality_card(material, checks, thresholds, examples, lambda name: progress.advance(1, name))
    return Audit(card, name)


def _graph(graph: Graph | Path | str | None, stack: ExitStack) -> Graph | None:
    return stack.enter_context(Graph.open(graph)) if isinstance(graph, str | Path) else graph


def _corpus(corpus: Corpus | Path | str | None, stack: ExitStack) -> Corpus | None:
    return stack.enter_context(Corpus.open(corpus)) if isinstance(corpus, str | Path) else corpus


def _opened(verifier: "Verifier | str", options: Mapping[str, object], material: Material) -> "Verifier":
    """A verifier by name; one that learns does so now, from the graph and the corpus."""
    from rollcall.evidence import VERIFIERS, VerifierContext
    from rollcall.evidence.verifiers.verifier import open_verifier

    if not isinstance(verifier, str):
        return verifier
    context = VerifierContext(
        None if material.graph is None else material.graph.folder,
        None if material.corpus is None else material.corpus.folder,
        material.fact_relations,
    )
    return open_verifier(VERIFIERS.find(verifier), verifier, options, context)
