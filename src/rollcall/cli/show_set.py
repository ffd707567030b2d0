"""Prints a question set for people: questions with their answers, names, and evidence with marked names."""

import re
from collections.abc import Iterable
from pathlib import Path

import msgspec
from rich.text import Text

from rollcall.english.counting import counted
from rollcall.errors import RollcallError
from rollcall.questions.lots import lot
from rollcall.questions.question_set import QuestionSet
from rollcall.questions.record import Answer, Question
from rollcall.questions.statistics import Statistics
from rollcall.screen import Screen
from rollcall.terminal import say_json

_ANSWERS = 12
_ALIASES = 6
_FOUND = 5


def show_set(folder: Path, what: str | None, as_json: bool, number: int | None) -> None:
    """Print some questions of every kind, or the requested ones: all as JSON, and a handful for people."""
    questions = QuestionSet.open(folder)
    chosen = _some_of_each_kind(questions, number or 1) if what is None else _find(questions, what, folder)
    if as_json:
        for question in chosen if what is None else chosen[:number]:
            say_json(msgspec.to_builtins(question))
        return
    console = Screen(soft_wrap=True)
    if what is None:
        _print_overview(console, questions, folder)
    printed = chosen if what is None else chosen[: number or _FOUND]
    for question in printed:
        print_question(console, question, whole=what is not None)
    if len(chosen) > len(printed):
        console.print(
            f"… and {len(chosen) - len(printed):,} more questions with these words; give more of them, "
            "or show more with --number"
        )


def _some_of_each_kind(questions: QuestionSet, number: int) -> list[Question]:
    kinds = Statistics(questions).kinds
    drawn = sorted(questions, key=lambda question: lot(0, "shown", question.id))
    return [
        question
        for kind in kinds
        for question in [one for one in drawn if (one.kind or "unknown") == kind][:number]
    ]


def _find(questions: QuestionSet, what: str, folder: Path) -> list[Question]:
    """The question with this id, or else all with these words."""
    for question in questions:
        if question.id == what:
            return [question]
    words = what.casefold()
    found = [question for question in questions if words in question.question.casefold()]
    if not found:
        raise RollcallError(f"{what!r}: no question of {folder} has this id or these words")
    return found


def _print_overview(console: Screen, questions: QuestionSet, folder: Path) -> None:
    statistics = Statistics(questions)
    console.print(Text(str(folder), style="bold"))
    for kind in statistics.kinds:
        counts = [(split, statistics.figures(kind, [split])) for split in statistics.splits]
        shown = ", ".join(f"{figures.questions:,} {split}" for split, figures in counts if figures)
        console.print(f"  {kind}: {shown}")
    console.print(
        f"  {counted(statistics.answers, 'answer')}, {counted(statistics.evidence, 'piece')} of evidence"
    )
    console.print()


def print_question(console: Screen, question: Question, whole: bool) -> None:
    """Print a question; without `whole` only the first answers with one piece of evidence each."""
    console.print(Text(question.question or "(no text)", style="bold"))
    told = [question.id, question.kind or "", question.split or ""]
    console.print(Text("  " + " · ".join(part for part in told if part), style="dim"))
    if question.query is not None and question.query.text:
        console.print(Text(f"  {question.query.text}", style="dim"))
    if whole:
        for wording in question.wordings:
            console.print(Text(f"  also: {wording}"))
    topics = question.provenance.get("entities", [])
    names = [name for name in topics if isinstance(name, str)] if isinstance(topics, list) else []
    shown = question.answers if whole else question.answers[:_ANSWERS]
    for answer in shown:
        _print_answer(console, answer, names, whole)
    if len(question.answers) > len(shown):
        console.print(f"  … and {len(question.answers) - len(shown)} more answers")
    if question.extended:
        console.print(f"  found later, and kept apart: {len(question.extended)}")
        for answer in question.extended if whole else question.extended[:_ANSWERS]:
            _print_answer(console, answer, names, whole)
    console.print()


def _print_answer(console: Screen, answer: Answer, topics: Iterable[str], whole: bool) -> None:
    line = Text("  • ")
    line.append(answer.label, style="bold green")
    if answer.id and answer.id != answer.label:
        line.append(f" ({answer.id})", style="dim")
    aliases = [alias for alias in answer.aliases if alias != answer.label]
    if aliases:
        more = "" if whole or len(aliases) <= _ALIASES else " …"
        line.append(f"  also {', '.join(aliases if whole else aliases[:_ALIASES])}{more}")
    console.print(line)
    for piece in answer.evidence:
        text = Text(f"      {piece.title}: " if piece.title else "      ", style="dim")
        text.append_text(marked(piece.text, [answer.label, *answer.aliases], topics))
        text.append("  [not verified]" if piece.score is None else f"  [{piece.score:.2f}]", style="dim")
        console.print(text)


def marked(sentence: str, answer_names: Iterable[str], topics: Iterable[str]) -> Text:
    """A sentence in which the answer's names are green and the question's entities yellow."""
    text = Text(" ".join(sentence.split()), style="default")
    for names, style in ((topics, "bold yellow"), (answer_names, "bold green")):
        for name in names:
            if name:
                pattern = rf"(?<!\w){re.escape(name)}(?!\w)"
                text.highlight_regex(pattern, style)
    return text
