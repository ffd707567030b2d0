"""What is known about the gold besides the gold: its completeness, and judgments of answers.

Both may be given as values or as files, or be read from the folder of an audit.
"""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple, TypeAlias

from rollcall.errors import RollcallError
from rollcall.questions.completeness import COMPLETENESS, Completeness
from rollcall.questions.judgment import JUDGMENTS, Judgment, judgment_fault, read_judgments

GivenCompleteness: TypeAlias = float | str | Path | Mapping[str, object] | Completeness | None
"""A share, one for each kind, the record, or a file with any of these."""
GivenAudit: TypeAlias = str | Path | Iterable[Judgment] | None
"""The folder of an audit, or judgments."""


class Knowledge(NamedTuple):
    """What is known about answers that the gold lacks."""

    completeness: Completeness | None
    judgments: list[Judgment]


def given_knowledge(completeness: GivenCompleteness, audit: GivenAudit) -> Knowledge | None:
    """Read what is given; None if nothing is. A completeness that is given counts before the audit's."""
    if completeness is None and audit is None:
        return None
    share = None if completeness is None else _completeness(completeness)
    if audit is None:
        return Knowledge(share, [])
    if not isinstance(audit, str | Path):
        return Knowledge(share, _judgments(audit))
    folder = Path(audit)
    if not folder.is_dir():
        raise RollcallError(
            f"{folder}: is not the folder of an audit; `rollcall audit SET --out DIR` makes one"
        )
    about, judged = folder / COMPLETENESS, folder / JUDGMENTS
    if not about.is_file() and not judged.is_file():
        raise RollcallError(
            f"{folder}: holds neither {COMPLETENESS} nor {JUDGMENTS}, so it says nothing of gold"
        )
    if share is None and about.is_file():
        share = Completeness.open(about)
    return Knowledge(share, read_judgments(judged) if judged.is_file() else [])


def _completeness(given: float | str | Path | Mapping[str, object] | Completeness) -> Completeness:
    """A number may be written as a string, as on the command line; any other string is a file."""
    if isinstance(given, str):
        try:
            return Completeness.of(float(given))
        except ValueError:
            if not Path(given).exists():
                raise RollcallError(
                    f"completeness: {given} is neither a share, such as 0.88, nor a file"
                ) from None
    return Completeness.open(given) if isinstance(given, str | Path) else Completeness.of(given)


def _judgments(given: object) -> list[Judgment]:
    if not isinstance(given, Iterable):
        raise RollcallError("audit: give the folder of an audit, or a list of judgments")
    listed = list(given)
    for place, judgment in enumerate(listed, 1):
        if (fault := judgment_fault(judgment)) is not None:
            raise RollcallError(f"audit: judgment {place} {fault}")
    return listed
