"""Reading gold questions and predictions in whatever published format they come.

The format is recognised from the file itself, never from its name; what is not recognised is refused
with a line that says what was looked for.
"""

from pathlib import Path

from rollcall.errors import RollcallError
from rollcall.garbage import collection_paused
from rollcall.questions.formats import ambigqa, flat, graphquestions, open_domain, predictions, qampari, romqa
from rollcall.questions.formats.source import Source, load, unwrapped
from rollcall.questions.question_set import QUESTIONS, QuestionSet
from rollcall.questions.record import Question
from rollcall.questions.run import Run, read_settings, warn_of_edits

KNOWN = "a Rollcall question set, QAMPARI, RoMQA, GraphQuestions, NQ/TriviaQA/SQuAD, AmbigQA or ALCE"


@collection_paused()
def read_questions(path: Path | str) -> QuestionSet:
    """Gold questions from a question set's folder or any of the published files."""
    path = Path(path)
    if path.is_dir():
        return QuestionSet.open(path)
    if path.suffix == ".parquet":
        from rollcall.questions.exporting import read_parquet

        return QuestionSet(read_parquet(path), {"format": "rollcall", "file": path.name})
    source = unwrapped(load(path))
    manifest = {"format": "rollcall", "file": path.name}
    if graphquestions.recognises_results(source):
        questions, _, warnings = graphquestions.read_results(source)
        return QuestionSet(questions, {**manifest, "format": graphquestions.NAME, "warnings": warnings})
    if _is_rollcall(source) and not flat.recognises(source.first):
        return QuestionSet(source.records(Question), manifest)
    for form in (flat, qampari, romqa, graphquestions, ambigqa):
        if form.recognises(source.first):
            return QuestionSet(form.read(source), {**manifest, "format": form.NAME})
    if open_domain.recognises(source):
        return QuestionSet(open_domain.read(source), {**manifest, "format": open_domain.NAME})
    if source.shape == "array" and source.first is None:
        raise RollcallError(f"{path}: holds no question")
    raise RollcallError(f"{path}: not recognised as questions; known are {KNOWN}")


@collection_paused()
def read_run(path: Path | str) -> Run:
    """Predictions from a run or any of the published result files, with what made them if that is known."""
    run = _read_run(Path(path))
    run.settings = read_settings(Path(path))
    return run


def _read_run(path: Path) -> Run:
    if path.is_dir():
        kind = "question set" if (path / QUESTIONS).exists() else "folder"
        raise RollcallError(f"{path}: is a {kind}, but a file of predictions was expected")
    warn_of_edits(path)
    source = unwrapped(load(path))
    if graphquestions.recognises_results(source):
        _, given, warnings = graphquestions.read_results(source)
        return Run(given, path.name, warnings)
    if source.shape == "object":
        return predictions.read_mapping(source)
    if source.shape == "table" or not (source.first is None or isinstance(source.first, dict)):
        raise RollcallError(
            f"{path}: not recognised as predictions; give JSON lines with id and answers, "
            "or one JSON object from ids to lists of answers"
        )
    if _is_rollcall(source) and not predictions.is_run(source):
        raise RollcallError(f"{path}: holds gold questions, where predictions were expected")
    if qampari.recognises(source.first):
        return Run(qampari.read_predictions(source), path.name)
    return predictions.read_records(source)


def holds_predictions(path: Path | str) -> bool:
    """Whether a file of gold questions carries a system's predictions as well."""
    if Path(path).is_dir():
        return False
    source = unwrapped(load(Path(path)))
    if source.shape in ("lines", "array") and isinstance(source.first, dict):
        return bool(predictions.SAID_KEYS & source.first.keys())
    return graphquestions.recognises_results(source)


def _is_rollcall(source: Source) -> bool:
    first = source.first
    if source.shape != "lines" or not isinstance(first, dict) or "id" not in first:
        return False
    answers = first.get("answers")
    listed = isinstance(answers, list) and all(
        isinstance(answer, dict) and "label" in answer for answer in answers
    )
    return (
        listed if answers else bool({"candidates", "characteristics", "provenance", "query"} & first.keys())
    )
