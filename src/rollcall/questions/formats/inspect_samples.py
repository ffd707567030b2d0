"""inspect_ai's samples: chat messages, the gold answers, and the whole record as metadata.

`inspect eval rollcall/questions -T questions=FOLDER` runs them (`rollcall.harness.inspect_task`); any task
of one's own reads a file by `json_dataset`. Rollcall reads them, too.
"""

from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec

from rollcall.errors import RollcallError
from rollcall.nesting import UNREADABLE, why
from rollcall.questions.formats import FORMATS, Notes, QuestionFormat
from rollcall.questions.formats.export_files import ExportedFile, Material, split_files
from rollcall.questions.formats.prompted import Prompted, prompted
from rollcall.questions.formats.source import Source
from rollcall.questions.formats.writing import write_lines
from rollcall.questions.record import Question

RECORD = "rollcall"
"""The key of the whole question in a sample's metadata, as JSON."""


class _Metadata(msgspec.Struct):
    rollcall: str


class _Sample(msgspec.Struct):
    metadata: _Metadata


@FORMATS.register("inspect")
class InspectSamples(QuestionFormat):
    """Samples for inspect_ai; with --run, its retrieved passages are shown with the questions."""

    split_in_name = False
    takes = ("run",)

    @classmethod
    def recognises(cls, source: Source) -> bool:
        metadata = source.record.get("metadata")
        return "input" in source.record and isinstance(metadata, dict) and RECORD in metadata

    @classmethod
    def read(cls, source: Source, notes: Notes) -> Iterable[Question]:
        for number, one in enumerate(source.records(_Sample), 1):
            try:
                yield msgspec.json.decode(one.metadata.rollcall, type=Question)
            except UNREADABLE as error:
                raise RollcallError(f"{source.where}: sample {number}: {why(error)}") from None

    @classmethod
    def write(cls, questions: Sequence[Question], path: Path) -> None:
        write_lines(map(sample, prompted(Material(list(questions)), questions)), path)

    @classmethod
    def files(cls, material: Material) -> list[ExportedFile]:
        return split_files(
            material,
            cls.ending,
            lambda members, path: write_lines(map(sample, prompted(material, members)), path),
        )


def sample(asked: Prompted) -> dict[str, object]:
    """One sample."""
    messages = [{"role": "system", "content": asked.system}, {"role": "user", "content": asked.prompt}]
    return {
        "id": asked.question.id,
        "input": messages,
        "target": [answer.label for answer in asked.question.answers],
        "metadata": {**asked.groups, RECORD: asked.record},
    }
