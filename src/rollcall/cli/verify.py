"""`rollcall verify`: score labelled triples with a verifier."""

from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rollcall._core.errors import RollcallError
from rollcall._core.files import check_new, checked_address, replacing
from rollcall.cli.options import REPORT_OPTIONS, Force, reporting, with_options, writing
from rollcall.cli.system_options import Option, given_options
from rollcall.report import Display, Heading, Note, Rendered, Table
from rollcall.report.values import NOTHING, Medium, Part
from rollcall.tables.engine import WorkOptions
from rollcall.text.nouns import counted

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from rollcall.evidence import Verifier
    from rollcall.evidence.verifiers.verifier import Verdicts

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
            partial.write_bytes(b"".join(msgspec.json.encode(row) + b"\n" for row in rows))


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
