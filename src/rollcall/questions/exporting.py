"""Writes a question set for other tools, in any format that can be written.

Into a folder, one file is written for each split, as these sets are published, and a card that says which
file contains which split. Into a file, all questions are written. Other files in the folder are not changed,
so splits may be exported one by one. All files are put in their places together, when all are written.
"""

from collections.abc import Iterable
from contextlib import ExitStack
from pathlib import Path

from rollcall.errors import RollcallError
from rollcall.file_names import file_names
from rollcall.files import replacing
from rollcall.locks import sole_writer
from rollcall.questions.card import export_card
from rollcall.questions.card_head import hub_splits, is_own_card, mapped_files
from rollcall.questions.formats import FORMATS, QuestionFormat
from rollcall.questions.question_set import CARD
from rollcall.questions.record import Question

UNSPLIT = "all"


def written_formats() -> list[str]:
    """The names of the formats that can be written."""
    return [entry.name for entry in FORMATS if entry.thing.is_written()]


def export(questions: Iterable[Question], file_format: str, out: Path) -> list[tuple[Path, int]]:
    """Write questions in a format; returns the files with the number of questions in each.

    A folder also gets a card, unless it has a page that a user wrote.
    """
    form = FORMATS.find(file_format)
    if not form.is_written():
        raise RollcallError(
            f"--format {file_format}: cannot be written; there are {', '.join(written_formats())}"
        )
    suffix = Path(f"x{form.ending}").suffix
    if out.suffix in (".jsonl", ".json", ".parquet", suffix):
        if out.suffix != suffix:
            raise RollcallError(
                f"{out}: --format {file_format} writes {suffix} files; name it so, or name a folder"
            )
        members = list(questions)
        with replacing(out) as partial:
            form.write(members, partial)
        return [(out, len(members))]
    with sole_writer(out):
        if out.exists() and not out.is_dir():
            raise RollcallError(f"{out}: is a file; name a folder, or a file that ends in {suffix}")
        return _export_folder(list(questions), form, out)


def _export_folder(
    questions: list[Question], form: type[QuestionFormat], out: Path
) -> list[tuple[Path, int]]:
    splits: dict[str, list[Question]] = {}
    for question in questions:
        splits.setdefault(question.split or UNSPLIT, []).append(question)
    names = file_names(splits)
    files = {split: f"{names[split]}{form.ending}" for split in sorted(splits)}
    written = [(out / files[split], len(splits[split])) for split in files]
    card = out / CARD
    with ExitStack() as places:
        for split, name in files.items():
            form.write(splits[split], places.enter_context(replacing(out / name)))
        if not card.exists() or is_own_card(card):
            shown = hub_splits(files)
            mapped = {shown[split]: name for split, name in files.items()}
            # Sorted, so that the card is the same if this export completes one that was killed.
            page = export_card(questions, dict(sorted({**_earlier(card), **mapped}.items())))
            places.enter_context(replacing(card)).write_text(page, encoding="utf-8")
    return written


def _earlier(card: Path) -> dict[str, str]:
    """The split files of an earlier export that still exist."""
    if not card.exists():
        return {}
    mapped = mapped_files(card.read_text(encoding="utf-8"))
    return {split: name for split, name in mapped.items() if (card.parent / name).is_file()}
