"""Reads judgments that are to be gold in a new project: lines of JSON or rows of CSV.

A row of one's own has a question, an answer if the task judges answers, and a verdict. Rows that `annotate
export` wrote are read too: of these the verdict is what all judgments of the item came to.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path

import msgspec

from rollcall.errors import RollcallError
from rollcall.input_files.delimited import rows_of, separator_of
from rollcall.nesting import UNREADABLE, why
from rollcall.questions.formats.cells import cell_text
from rollcall.studio.records import Json
from rollcall.studio.tasks.task import DECISIVE

_JSON_CELLS = ("values", "about")
_VERDICT = ("verdict", "choice")


class GoldRow(msgspec.Struct, frozen=True, kw_only=True):
    """One row: what it is about, and what it says."""

    line: int
    item: str = ""
    """The key of the item, in what was exported."""
    task: str = ""
    question: str = ""
    """The id of the question, or its text."""
    texts: Json = {}
    """What was judged, by the names that items have for it."""
    verdict: str = ""
    """Empty where an exported item was not decided."""
    values: Json = {}
    by: str = ""
    injected: bool = False
    decisive: bool = False


def read_gold(path: Path) -> list[GoldRow]:
    """The rows of a file that count; an error names the line that cannot be read."""
    if not path.is_file():
        raise RollcallError(f"{path}: no such file")
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError:
        raise RollcallError(f"{path}: is no text in UTF-8") from None
    told = _json_lines(path, text) if text.lstrip().startswith("{") else _csv_rows(path, text)
    rows = [_row(path, line, one) for line, one in told if _counts(one)]
    if not rows:
        raise RollcallError(f"{path}: has no judgment")
    return rows


def _json_lines(path: Path, text: str) -> Iterator[tuple[int, Json]]:
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            try:
                yield number, msgspec.json.decode(line, type=dict[str, object])
            except UNREADABLE as error:
                raise RollcallError(f"{path}, line {number}: no JSON object ({why(error)})") from None


def _csv_rows(path: Path, text: str) -> Iterator[tuple[int, Json]]:
    head: list[str] = []
    for line, cells, problem in rows_of(text, separator_of(text.encode())):
        if problem:
            raise RollcallError(f"{path}, line {line}: {problem}")
        if not head:
            head = _head(path, cells)
            continue
        told: Json = {name: cell_text(cell) for name, cell in zip(head, cells, strict=False) if name and cell}
        for name in _JSON_CELLS:
            if name in told:
                try:
                    told[name] = msgspec.json.decode(str(told[name]))
                except UNREADABLE as error:
                    raise RollcallError(f"{path}, line {line}: {why(error)}") from None
        if told:
            yield line, told


def _head(path: Path, names: list[str]) -> list[str]:
    if not {*names} & {"question", "item"} or not {*names} & {*_VERDICT}:
        raise RollcallError(
            f"{path}: has no columns `question` and `verdict`; give JSON lines, or CSV with a head, such as "
            "`annotate export` writes"
        )
    return names


def _counts(told: Json) -> bool:
    """Whether a row counts: what was withdrawn, and what only let somebody in, does not."""
    withdrawn = told.get("counted") in (False, "false") or told.get("undone") in (True, "true")
    return not withdrawn and told.get("stage", "judge") == "judge"


def _row(path: Path, line: int, told: Json) -> GoldRow:
    said = next((text for name in _VERDICT if (text := _text(told, name))), "")
    exported = "project" in told and "item" in told
    about, values = _mapping(told.get("about")), _mapping(told.get("values"))
    reason = _text(told, "reason")
    settled = _text(told, "resolution")
    agrees = not exported or said == settled
    if not exported and not said:
        raise RollcallError(f"{path}, line {line}: has no verdict")
    return GoldRow(
        line=line,
        item=_text(told, "item"),
        task=_text(told, "task") if exported else "",
        question=_text(told, "question"),
        texts={**about, **told},
        verdict=settled if exported else said,
        values={**({"why": reason} if reason else {}), **values} if agrees else {},
        by=(_text(told, "person") if agrees else "") or path.name,
        injected=told.get("injected") in (True, "true"),
        decisive=agrees and told.get("role") in DECISIVE,
    )


def _text(told: Json, name: str) -> str:
    value = told.get(name)
    return value.strip() if isinstance(value, str) else ""


def _mapping(value: object) -> Mapping[str, object]:
    return value if isinstance(value, dict) else {}
