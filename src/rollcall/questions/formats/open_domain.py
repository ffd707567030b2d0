"""Sets with one answer in several spellings: Natural Questions, TriviaQA, SQuAD and what follows them.

The listed strings are names of the same answer, so a question gets one answer whose aliases are the
other strings. Where a file gives no ids, the question's text is its id.
"""

import ast
from typing import Any

from rollcall.errors import RollcallError
from rollcall.questions.formats.source import Source
from rollcall.questions.record import Answer, Question

NAME = "open-domain"


def recognises(source: Source) -> bool:
    first = source.first
    if source.shape == "table":
        return True
    if not isinstance(first, dict):
        return False
    return (
        "paragraphs" in first
        or "Answer" in first
        or ("question" in first and bool({"answer", "answers"} & first.keys()))
    )


def read(source: Source) -> list[Question]:
    if source.shape == "table":
        return _table(source)
    questions: list[Question] = []
    for number, record in enumerate(source.records(dict[str, Any]), 1):
        if "paragraphs" in record:
            questions += [
                _question(entry, source, number) for part in record["paragraphs"] for entry in part["qas"]
            ]
        else:
            questions.append(_question(record, source, number))
    return questions


def _table(source: Source) -> list[Question]:
    """Two columns: the question, and its answers as a bracketed list of strings."""
    questions = []
    for number, line in enumerate(source.data.decode("utf-8", "replace").splitlines(), 1):
        question, _, cell = line.partition("\t")
        try:
            names = [str(name) for name in ast.literal_eval(cell.strip().strip('"').replace('""', '"'))]
        except (ValueError, SyntaxError) as error:
            raise RollcallError(
                f"{source.path}:{number}: the second column is not a list of answers: {cell[:60]!r}"
            ) from error
        questions.append(_with_names(question, question, names))
    return questions


def _question(record: dict[str, Any], source: Source, number: int) -> Question:
    text = str(record.get("question", record.get("Question", "")))
    identity = next(
        (record[key] for key in ("id", "qid", "question_id", "QuestionId") if key in record), text
    )
    try:
        groups = _names(record)
    except (TypeError, KeyError, AttributeError) as error:
        raise RollcallError(
            f"{source.path}: record {number}: its answers are neither strings nor lists of strings"
        ) from error
    question = _with_names(str(identity), text, [])
    question.answers = [Answer(names[0], aliases=names[1:]) for names in groups if names]
    return question


def _with_names(identity: str, text: str, names: list[str]) -> Question:
    answers = [Answer(names[0], aliases=names[1:])] if names else []
    return Question(id=identity, question=text, answers=answers, provenance={"format": NAME})


def _names(record: dict[str, Any]) -> list[list[str]]:
    """The answers as lists of names: one list for alternatives, several where lists are nested."""
    given: Any = next((record[key] for key in ("answers", "answer", "Answer") if key in record), [])
    if isinstance(given, dict):  # TriviaQA: one value with its aliases, or SQuAD in columns
        if "text" in given:
            given = given["text"]
        else:
            value = given.get("value", given.get("Value"))
            given = [value, *(given.get("aliases") or given.get("Aliases") or [])]
    if isinstance(given, str):
        given = [given]
    given = [name["text"] if isinstance(name, dict) else name for name in given]
    if given and isinstance(given[0], list):
        return [_distinct(names) for names in given]
    return [_distinct([*given, *(record.get("aliases") or [])])]


def _distinct(names: list[Any]) -> list[str]:
    kept = dict.fromkeys(str(name) for name in names if name is not None)
    return list(kept)
