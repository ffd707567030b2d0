"""What a project leaves behind: the judged set, the judgments, the figures, and tasks for Label Studio."""

import io
import zipfile
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import msgspec

from rollcall._core.errors import RollcallError
from rollcall._core.files import replacing
from rollcall.questions.opening import read_questions
from rollcall.questions.question_set import QuestionSet
from rollcall.studio.export.judgments import judgments_csv, judgments_jsonl
from rollcall.studio.export.label_studio import labeling_config, tasks_out
from rollcall.studio.export.version import ExportOptions, new_version, with_pseudonyms, write_version
from rollcall.studio.figures import agreement, people_figures, progress
from rollcall.studio.papers import paper_figures
from rollcall.studio.projects import Materials, set_checksum
from rollcall.studio.records import Collected
from rollcall.studio.tasks import find_task
from rollcall.studio.tasks.shown import left_out
from rollcall.studio.tasks.task import QUALIFY
from rollcall.studio.work.rows import read_settings

SET = "set"


def named_files(collected: Collected) -> Iterator[tuple[str, bytes]]:
    """The files beside the set, by name."""
    yield "judgments.jsonl", b"".join(judgments_jsonl(collected))
    yield "judgments.csv", b"".join(judgments_csv(collected))
    yield "figures.json", figures_json(collected)
    if any(item.stage == "judge" and not item.pool for item in collected.items):
        yield "label-studio-tasks.json", msgspec.json.encode(tasks_out(collected))
        yield "label-studio.xml", labeling_config(collected).encode()


def figures_json(collected: Collected) -> bytes:
    """The papers' figures, agreement and each person's record."""
    content = {
        "project": collected.project,
        "task": collected.task,
        "progress": progress(collected),
        "figures": paper_figures(collected),
        "agreement": agreement(collected),
        "people": people_figures(collected),
    }
    return msgspec.json.format(msgspec.json.encode(content), indent=2) + b"\n"


def write_bundle(collected: Collected, out: Path, options: ExportOptions) -> "WrittenExport":
    """Write everything to a folder; says what was written."""
    questions = read_questions(_unchanged(collected))
    exported = new_version(questions, collected, options)
    out.mkdir(parents=True, exist_ok=True)
    write_version(exported, out / SET)
    files = []
    published = with_pseudonyms(collected) if options.pseudonyms else collected
    for name, content in named_files(published):
        with replacing(out / name) as partial:
            partial.write_bytes(content)
        files.append(out / name)
    return WrittenExport(
        out / SET,
        len(exported.questions),
        files,
        exported.undecided,
        exported.outside,
        left_out_of(collected, questions),
        {dropped.question.id: dropped.why for dropped in exported.entry.dropped},
        exported.entry.reserve,
    )


def left_out_of(collected: Collected, questions: QuestionSet) -> list[str]:
    """What of its set a project does not judge, and why, in lines for people."""
    task = find_task(collected.task)
    asked = {item.question for item in collected.items if item.stage != QUALIFY}
    return left_out(task, questions, read_settings(task, collected.settings), asked)


class WrittenExport(NamedTuple):
    """What an export of a project wrote."""

    questions: Path
    number: int
    """How many questions the judged set has."""
    files: list[Path]
    """The judgments and figures beside it."""
    undecided: dict[str, int]
    """The number of undecided items of each question that has any."""
    outside: int
    """How many questions of the judged set were not part of the project."""
    left_out: list[str]
    """What of the set was not judged, and why."""
    dropped: dict[str, str]
    """The questions that the judged set has lost, with the reason."""
    reserve: list[str]
    """The questions that people were not asked about, and that the judged set lacks."""


def set_zip(collected: Collected, options: ExportOptions) -> bytes:
    """The judged set as a zip file, to be downloaded."""
    exported = new_version(read_questions(_unchanged(collected)), collected, options)
    packed = io.BytesIO()
    with TemporaryDirectory() as folder, zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        set_folder = Path(folder) / SET
        write_version(exported, set_folder)
        for path in sorted(set_folder.rglob("*")):
            if path.is_file():
                archive.write(path, f"{collected.project}/{path.relative_to(set_folder).as_posix()}")
    return packed.getvalue()


def _unchanged(collected: Collected) -> str:
    """The path of the set, if it is still the one that the items were made from."""
    path = collected.set_path
    if not Path(path).exists():
        raise RollcallError(f"{path}: the set of the project {collected.project} no longer exists")
    if set_checksum(Materials(questions=path)) != collected.set_checksum:
        raise RollcallError(
            f"{path}: the set was changed since the project {collected.project} was made from it; "
            "restore the old version, then export"
        )
    return path
