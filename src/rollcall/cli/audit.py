"""`rollcall audit`, `diff` and `verify`: faults of a set, changes between two, and how good a verifier is."""

from collections.abc import Iterable
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rollcall._core.errors import RollcallError
from rollcall._core.files import check_new, checked_address, replacing
from rollcall._core.options import OnCommandLine
from rollcall._core.workers import collection_paused
from rollcall.audit.options import COMPLETE, AuditOptions
from rollcall.cli import system_options
from rollcall.cli.options import REPORT_OPTIONS, Force, Only, reporting, with_options, writing
from rollcall.cli.system_options import Option, given_options
from rollcall.llm.opening import AskingOptions
from rollcall.questions.question_set import encode_lines
from rollcall.report import Display, Heading, Note, Rendered, Table
from rollcall.report.values import NOTHING, Medium, Part
from rollcall.score.options import ScoringOptions
from rollcall.tables.engine import WorkOptions
from rollcall.text.nouns import counted

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from rollcall.audit import Audit
    from rollcall.evidence import Verifier
    from rollcall.evidence.verifiers.verifier import Verdicts
    from rollcall.graph import Graph
    from rollcall.questions.judgment import Judgment


JUDGMENTS = "judgments.jsonl"


class AuditCommand(AuditOptions, frozen=True, kw_only=True):
    """The options of the command."""

    extended: Annotated[Path | None, OnCommandLine(metavar="DIR", panel=COMPLETE, after="judgments")] = None
    """Write the set with the answers that were judged right as extended answers."""
    option: Annotated[list[str] | None, OnCommandLine(metavar="NAME=VALUE", after="plan")] = None
    """An option of the verifier, as `rollcall plugins NAME` lists them; may be repeated."""


class CandidateJudge(AskingOptions, frozen=True, kw_only=True):
    """Which language model judges the candidates."""

    judge: Annotated[str | None, OnCommandLine(metavar="MODEL", after="")] = None
    """A language model that judges the candidates."""
    cache: Annotated[Path | None, OnCommandLine(shown="OUT.cache", after="base_url")] = None
    """File that stores the replies."""


@writing(
    "out",
    "extended",
    *REPORT_OPTIONS,
    reads=["graph", "corpus", "closed_book", "one_passage", "runs"],
    asks=["questions"],
)
@collection_paused()
@reporting
@with_options
def audit(
    questions: system_options.Set,
    runs: Annotated[
        list[Path] | None,
        typer.Argument(metavar="[RUN...]", help="Runs of systems, a source of answers.", show_default=False),
    ] = None,
    *,
    options: AuditCommand,
    judging: CandidateJudge,
) -> "tuple[Audit, list[str]]":
    """Look for what is wrong, doubtful or lopsided in a question set, built or imported.

    With --graph, answers are compared with the denotations of their queries; with --corpus, evidence with the
    text. With both, or with runs, it is estimated which share of all right answers the set has, and
    candidates for missing ones are listed, to be judged by people (to_judge.jsonl, filled in as
    judgments.jsonl) or by --judge. Exits with 2 if a check finds more than --fail-above allows, after
    everything was printed and written.
    """
    from rollcall._core.console import remark
    from rollcall.audit.verbs import audit as make_audit
    from rollcall.llm.opening import opened_client

    option, judge, extended = options.option, judging.judge, options.extended
    out = None if options.out is None else Path(options.out)
    if option and options.verifier is None:
        raise RollcallError("--option is for the verifier; name one with --verifier")
    if (judge is None) != (judging.base_url is None):
        raise RollcallError("--judge MODEL and --base-url ADDRESS go together")
    if extended is not None and not options.judgments and judge is None and out is None:
        raise RollcallError("--extended: give the judgments it rests on, as --judgments FILE")
    known = _judgments(options.judgments, out)
    kept = judging.cache or (None if out is None else out.with_name(f"{out.name}.cache"))
    with opened_client(judging, cache=kept) as client:
        result = make_audit(
            questions,
            options,
            runs=runs or (),
            judgments=known,
            judge=None if client is None or judge is None else (client, judge),
            verifier_options=system_options.given_options(option),
        )
        if client is not None:
            remark(f"language model: {client.spending}", error=True)
    remarks = []
    if out is not None:
        remarks.append(f"wrote {out}: open {out / 'index.html'} in a browser")
    if extended is not None:
        _write_extended(questions, result, known, options.graph, extended)
        remarks.append(f"wrote {extended}: `rollcall score {extended} RUN` shows figures with and without")
    return result, remarks


def _judgments(given: "Path | str | Iterable[Judgment]", out: Path | None) -> list["Judgment"]:
    """The judgments of a file that is named, or of an earlier audit in the same folder."""
    from rollcall.questions.judgment import read_judgments

    if not given and out is not None and (out / JUDGMENTS).is_file():
        given = out / JUDGMENTS
    return read_judgments(given) if isinstance(given, str | Path) else list(given)


def _write_extended(
    questions: Path,
    result: "Audit",
    known: list["Judgment"],
    graph: "Graph | Path | str | None",
    out: Path,
) -> None:
    from contextlib import nullcontext

    from rollcall.audit.missing import accept
    from rollcall.graph import Graph
    from rollcall.questions.given import given_questions

    lacking = result.lacking
    judged = [*known, *(lacking.judged if lacking is not None else [])]
    candidates = lacking.missing if lacking is not None else []
    with Graph.open(graph) if isinstance(graph, str | Path) else nullcontext(graph) as opened:
        accept(given_questions(questions), judged, candidates=candidates, graph=opened).save(out)


@writing(
    *REPORT_OPTIONS,
    reads=["graph", "corpus", "old_graph", "old_corpus", "dump", "rescore"],
    asks=["old", "new"],
    when=dict.fromkeys(("profile", "measures", "confidence"), "rescore"),
)
@reporting
@with_options
def diff(
    old: Annotated[Path, typer.Argument(metavar="OLD", help="A question set's folder, or a published file.")],
    new: Annotated[
        Path | None,
        typer.Argument(metavar="[NEW]", help="The newer set; without it, --graph is needed."),
    ] = None,
    graph: Annotated[
        Path | None, typer.Option("--graph", "-g", metavar="DIR", help="The newer graph.")
    ] = None,
    corpus: Annotated[
        Path | None, typer.Option("--corpus", "-c", metavar="DIR", help="The newer corpus.")
    ] = None,
    old_graph: Annotated[
        Path | None, typer.Option(metavar="DIR", help="The graph of OLD: explains changes by statements.")
    ] = None,
    old_corpus: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="The corpus of OLD: shows what only the newer text says."),
    ] = None,
    dump: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="The newer Wikidata dump: tells ended from deprecated statements."),
    ] = None,
    rescore: Annotated[
        list[Path] | None,
        typer.Option(metavar="RUN", help="How much the score of a run changes with the gold; repeatable."),
    ] = None,
    *,
    scoring: Annotated[ScoringOptions, Only("split", "profile", "measures", "confidence")],
    verifier: Annotated[
        str | None,
        typer.Option(help="Judges whether text states what is new.", show_default="that of the recipe"),
    ] = None,
    most: Annotated[int, typer.Option(min=0, help="The most questions of each sort to print.")] = 10,
    work: Annotated[WorkOptions, Only("jobs")],
) -> "Rendered":
    """What changed: questions added, gone and reworded; answers that came, went or were renamed, and why.

    OLD and NEW are two sets. With OLD alone, its queries are answered again in a newer graph, and the newer
    corpus is searched for text that states what is new.
    """
    from rollcall.audit.drift import verbs

    drift = verbs.diff(
        old,
        new,
        graph=graph,
        corpus=corpus,
        old_graph=old_graph,
        old_corpus=old_corpus,
        dump=dump,
        rescore=list(rescore) if rescore else None,
        split=scoring.split,
        profile=scoring.profile,
        measures=scoring.measures,
        confidence=scoring.confidence,
        verifier=verifier,
        jobs=work.jobs or None,
    )
    drift.shown = most
    return drift


_SHOWN = 10
"""How many reasons are printed."""


@writing("out", *REPORT_OPTIONS, reads=["file", "graph", "corpus"])
@reporting
@with_options
def verify(
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE",
            help="JSON lines with text, subject, relation, object; optional: hypothesis, topic, label.",
        ),
    ],
    verifier: Annotated[
        str | None,
        typer.Option(
            help="learned (the default with rollcall-models), contrast (otherwise the default), nli, llm, "
            "none, or one of your own as module:name."
        ),
    ] = None,
    option: Option = None,
    graph: Annotated[
        Path | None,
        typer.Option("--graph", "-g", metavar="DIR", help="A graph to learn from; ids get names."),
    ] = None,
    corpus: Annotated[
        Path | None,
        typer.Option("--corpus", "-c", metavar="DIR", help="The corpus to learn from."),
    ] = None,
    model: Annotated[
        str | None, typer.Option(help="Name or path of an NLI checkpoint, or the name of a language model.")
    ] = None,
    base_url: Annotated[str | None, typer.Option(help="The server of the language model.")] = None,
    threshold: Annotated[
        float | None, typer.Option(min=0, max=1, help="One more threshold, besides those of the table.")
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            "-o",
            metavar="FILE",
            help="Write each triple with its score here: CSV if it ends in .csv, else JSON lines.",
        ),
    ] = None,
    force: Force = False,
    explain: Annotated[
        int, typer.Option(min=0, help="Explain the scores of this many triples (learned, contrast).")
    ] = 0,
    *,
    work: WorkOptions,
) -> "VerifierFigures":
    """Say how sure a verifier is that each text states its fact, and how well that agrees with the labels.

    Prints precision, recall, the share of false ones removed and of true ones lost at each threshold; then
    the average precision and the calibration error of the scores, and what the verifier itself accepts. A
    text that does not name both ends of its fact has the score 0, and a reason.
    """
    from rollcall.build.keys import default_verifier
    from rollcall.evidence import VERIFIERS, VerifierContext
    from rollcall.evidence.labelled import read_triples, to_candidates
    from rollcall.evidence.verifiers.verifier import open_verifier
    from rollcall.graph import Graph

    if out is not None:
        check_new(out, force)
    if base_url is not None:
        checked_address(base_url)
    verifier = verifier or default_verifier()
    triples = read_triples(file)
    kind = VERIFIERS.find(verifier)
    if explain and not kind.explains:
        givers = ", ".join(entry.name for entry in VERIFIERS if entry.thing.explains)
        raise RollcallError(f"--explain: the verifier {verifier} gives no reasons; these do: {givers}")
    known = Graph.open(graph) if graph is not None else None
    candidates = to_candidates(triples, known)
    given = given_options(option, {"model": model, "base_url": base_url})
    with work.opened() as running:
        opened_verifier = open_verifier(kind, verifier, given, VerifierContext(graph, corpus, engine=running))
    verdicts = opened_verifier.verdicts(candidates)
    if out is not None:
        _write(out, triples, verdicts)
    labels = [triple.label for triple in triples]
    return VerifierFigures(opened_verifier, candidates, labels, verdicts, threshold, explain)


def _write(out: Path, triples: list[Any], verdicts: "Verdicts") -> None:
    import msgspec

    from rollcall.report.csv import csv_lines

    rows = [
        {
            **msgspec.to_builtins(triple),
            "score": verdicts.score(row),
            **({"reason": verdicts.reasons[row]} if verdicts.reasons[row] else {}),
        }
        for row, triple in enumerate(triples)
    ]
    with replacing(out) as partial:
        if out.suffix.lower() == ".csv":
            heads = [*msgspec.structs.asdict(triples[0]), "score", "reason"]
            cells = ([_cell(row.get(head)) for head in heads] for row in rows)
            partial.write_text("".join(csv_lines(chain([heads], cells))), encoding="utf-8", newline="")
        else:
            partial.write_bytes(b"".join(encode_lines(rows)))


def _cell(value: object) -> object:
    return str(value).lower() if isinstance(value, bool) else value


class VerifierFigures(Rendered):
    """How sure a verifier is of labelled triples, and how well that agrees with the labels."""

    def __init__(
        self,
        verifier: "Verifier",
        candidates: list[Any],
        labels: list[bool | None],
        verdicts: "Verdicts",
        threshold: float | None,
        explain: int,
    ):
        self.name, self.has_scores = verifier.name, verifier.has_scores
        self.verdicts = verdicts
        self.labels = labels
        self.threshold = threshold
        self.explained = [
            (candidate, [] if verdicts.reasons[row] else verifier.explain(candidate))
            for row, candidate in enumerate(candidates[:explain])
        ]

    def display(self, medium: Medium = "terminal") -> Display:
        """The figures at each threshold and of what the verifier accepts, and the reasons for some scores."""
        labelled = sum(label is not None for label in self.labels)
        mean = f"mean score {self.verdicts.scores.mean():.3f}" if self.has_scores else "not verified"
        parts: list[Part] = [
            Note(f"{self.name}: {counted(len(self.labels), 'triple')}, {labelled} with a label; {mean}")
        ]
        if labelled:
            parts += [self.records()] if self.has_scores else []
            parts.append(Note(self._agreement()))
        parts += self._unnamed()
        for row, (candidate, reasons) in enumerate(self.explained):
            lines = [f"{reason.weight:+.2f}  {reason.feature}" for reason in reasons]
            lines = [self.verdicts.reasons[row]] if self.verdicts.reasons[row] else lines
            head = f"{self.verdicts.scores[row]:.3f}  {candidate.relation}: {candidate.text}"
            parts.append(Note(head, lines=tuple(map(Note, lines))))
        return Display(f"Figures of the verifier {self.name}", tuple(parts))

    def _unnamed(self) -> list[Part]:
        """Which triples do not name both ends, and why."""
        unnamed = [(number, reason) for number, reason in enumerate(self.verdicts.reasons, 1) if reason]
        if not unnamed:
            return []
        singular, many = (
            "does not name both ends, so its score is 0",
            "do not name both ends, so their score is 0",
        )
        lines = [Note(f"triple {number}: {reason}") for number, reason in unnamed[:_SHOWN]]
        if len(unnamed) > _SHOWN:
            lines.append(Note(f"and {len(unnamed) - _SHOWN:,} more; --json and --out give all reasons"))
        return [
            Note(f"{counted(len(unnamed), f'triple {singular}', f'triples {many}')}:", lines=tuple(lines))
        ]

    def records(self) -> Table:
        """The figures at each threshold."""
        from rollcall.evidence.labelled import THRESHOLDS, figures_at

        shares = ("precision", "recall", "false removed", "true lost")
        headings = (
            Heading("threshold"), Heading("kept", "count"), *(Heading(name, "percent", 1) for name in shares)
        )  # fmt: skip
        known, labelled = self._known()
        steps = tuple(sorted({*THRESHOLDS, *([] if self.threshold is None else [self.threshold])}))
        rows = [
            (f"{row.threshold:g}", row.kept, row.precision, row.recall, row.false_removed, row.true_lost)
            for row in (figures_at(self.verdicts.scores[labelled], known, steps) if labelled.any() else ())
        ]
        return Table("", headings, rows, label="thresholds")

    def _agreement(self) -> str:
        """How well the scores and the verifier's own decisions agree with the labels."""
        from rollcall.evidence.labelled import average_precision, calibration_error, figures_of

        known, labelled = self._known()
        own = figures_of(self.verdicts.accepted[labelled], known)
        accepts = (
            f"{self.name} itself accepts {own.kept}: precision {_share(own.precision)}, "
            f"true lost {_share(own.true_lost)}"
        )
        if not self.has_scores:
            return accepts
        scores = self.verdicts.scores[labelled]
        return (
            f"average precision {_share(average_precision(scores, known))}, calibration error "
            f"{calibration_error(scores, known):.3f}; {accepts}"
        )

    def _known(self) -> "tuple[NDArray[np.bool_], NDArray[np.bool_]]":
        """The labels that are known, and which triples they belong to."""
        import numpy as np

        labelled = np.array([label is not None for label in self.labels])
        return np.array([bool(label) for label in self.labels])[labelled], labelled

    def as_json(self) -> dict[str, object]:
        """The number of triples, how many are accepted, and every score."""
        return {
            "verifier": self.name,
            "triples": len(self.labels),
            "accepted": int(self.verdicts.accepted.sum()),
            "mean": float(self.verdicts.scores.mean()) if self.has_scores else None,
            "scores": [self.verdicts.score(row) for row in range(len(self.labels))],
            "reasons": [reason or None for reason in self.verdicts.reasons],
        }


def _share(share: float | None) -> str:
    return NOTHING if share is None else f"{share:.1%}"
