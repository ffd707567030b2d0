"""A difference as one HTML file that needs no other file and no script."""

import html
from collections.abc import Callable, Sequence
from importlib import resources
from typing import TYPE_CHECKING, TypeVar

from rollcall import __version__
from rollcall.audit.drift.changes import AnswerChange, QuestionChange, QuestionRecord, Rescored
from rollcall.audit.drift.output.lines import SIGNS, answer_line, answers_line, cause_line, points, summary
from rollcall.english.counting import counted

if TYPE_CHECKING:
    from rollcall.audit.drift.result import Drift

Member = TypeVar("Member", QuestionChange, QuestionRecord)

_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
_CHIPS = {"+": "found", "−": "wrong", "~": "missed"}
"""The classes of the shared style sheet for answers that came, went and were renamed."""
_STYLE = """
.chip.found { background: var(--found); color: var(--found-text); }
.chip.wrong { background: var(--wrong); color: var(--wrong-text); }
.chip.missed { background: var(--missed); color: var(--missed-text); }
.dim { color: var(--dim); } ul.plain { list-style: none; padding-left: 0; margin: 0.2rem 0; }
.drift td:nth-child(n+2) { text-align: right; font-variant-numeric: tabular-nums; }
details { margin: 0.5rem 0; } summary { cursor: pointer; }
"""


def drift_html(drift: "Drift") -> str:
    """The page of a difference."""
    style = (resources.files("rollcall.score.output") / "page" / "page.css").read_text("utf-8") + _STYLE
    counted = answers_line(drift)
    body = [
        f"<header><h1>What changed</h1><p>{html.escape(summary(drift))}</p></header><main>",
        _causes(drift, counted),
        *(_rescored(run) for run in drift.rescored),
        _section("Changed", drift.changed, _question),
        _section("Gone", drift.gone, _record),
        _section("Added", drift.added, _record),
    ]
    if drift.notes:
        notes = "".join(f"<li>{html.escape(note)}</li>" for note in drift.notes)
        body.append(f"<section><h2>Worth knowing</h2><ul>{notes}</ul></section>")
    return (
        f'<!doctype html>\n<!-- rollcall {__version__} -->\n<html lang="en">\n<head>\n'
        '<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
        f"<title>What changed</title>\n<style>{style}</style>\n</head>\n<body>\n"
        + "\n".join(filter(None, body))
        + "\n</main>\n</body>\n</html>\n"
    )


def _causes(drift: "Drift", counted: str) -> str:
    if not drift.answer_changes:
        return ""
    rows = "".join(
        f"<tr><td>{html.escape(cause)}</td><td>{count:,}</td></tr>" for cause, count in drift.causes().items()
    )
    return (
        f"<section><h2>Answers</h2><p>{html.escape(counted)}</p>"
        f'<table class="drift"><thead><tr><th>cause</th><th>answers</th></tr></thead>'
        f"<tbody>{rows}</tbody></table></section>"
    )


def _section(title: str, members: Sequence[Member], render: Callable[[Member], str]) -> str:
    if not members:
        return ""
    return f"<section><h2>{title} ({len(members):,})</h2>{''.join(map(render, members))}</section>"


def _question(question: QuestionChange) -> str:
    reworded = f"<p>now: {html.escape(question.reworded.after)}</p>" if question.reworded else ""
    answers = "".join(_answer(change) for change in question.answers)
    return (
        f"<details open><summary>{html.escape(question.question)} "
        f'<span class="dim">{html.escape(question.id)}</span></summary>'
        f'{reworded}<ul class="plain">{answers}</ul></details>'
    )


def _answer(change: AnswerChange) -> str:
    sign = SIGNS[change.kind]
    causes = "".join(
        f"<div>{html.escape(cause_line(cause))}"
        + (f' <span class="dim">“{html.escape(cause.text)}”</span>' if cause.text else "")
        + "</div>"
        for cause in change.causes
    )
    chip = f'<span class="chip {_CHIPS[sign]}">{sign} {html.escape(answer_line(change))}</span>'
    return f"<li>{chip}{causes}</li>"


def _record(one: QuestionRecord) -> str:
    why = f" · {html.escape(one.why)}" if one.why else ""
    return f'<p>{html.escape(one.question)} <span class="dim">{html.escape(one.id)}{why}</span></p>'


def _rescored(run: Rescored) -> str:
    rows = []
    for measure, change in run.figures.items():
        figures = (f"{100 * change.before:.2f}", f"{100 * change.after:.2f}", points(change.drift))
        cells = "".join(f"<td>{cell}</td>" for cell in figures)
        rows.append(f"<tr><td>{html.escape(measure)}</td>{cells}</tr>")
        rows += [
            f'<tr class="dim"><td>{html.escape(cause)}</td><td></td><td></td><td>{points(part)}</td></tr>'
            for cause, part in change.by_cause.items()
        ]
    heads = "".join(f"<th>{head}</th>" for head in ("", "old gold", "new gold", "drift of the gold"))
    title = f"{html.escape(run.run or 'The run')}, {counted(run.questions, 'question')}"
    return (
        f'<section><h2>{title}</h2><table class="drift"><thead><tr>{heads}</tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table></section>"
    )
