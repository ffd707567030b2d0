"""Runs of other harnesses: inspect_ai's logs (`.eval` and `.json`), lm-evaluation-harness's samples.

The answers are those that Rollcall's own scorer read from the reply; without it, the list in the reply. A
sample that ended in an error is a failure, and several epochs are several trials.
"""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import msgspec

from rollcall._core.errors import UNREADABLE, RollcallError, why
from rollcall._core.files import Archive
from rollcall.llm.prompts import parse_list
from rollcall.questions.formats import FORMATS, Notes, QuestionFormat
from rollcall.questions.formats.harnesses import Prompted, prompted
from rollcall.questions.formats.source import ExportedFile, ExportSource, Source, split_files, write_lines
from rollcall.questions.record import Question
from rollcall.questions.run import Prediction, Run

_ZIP = b"PK\x03\x04"
_NO_LIST = "no list of answers in the reply"


class _Usage(msgspec.Struct):
    total_tokens: float = 0


class _Error(msgspec.Struct):
    message: str = ""


class _ScoreMetadata(msgspec.Struct):
    answers: list[str] | None = None


class _Score(msgspec.Struct):
    metadata: _ScoreMetadata | None = None


class _ContentPart(msgspec.Struct, frozen=True):
    text: str = ""


class _Message(msgspec.Struct, frozen=True):
    content: str | list[_ContentPart] = ""

    @property
    def text(self) -> str:
        parts = self.content if isinstance(self.content, list) else [_ContentPart(self.content)]
        return "\n".join(part.text for part in parts if part.text)


class _Choice(msgspec.Struct, frozen=True):
    message: _Message = _Message()


class _Output(msgspec.Struct, frozen=True):
    completion: str | None = None
    choices: list[_Choice] = []

    @property
    def reply(self) -> str:
        if self.completion:
            return self.completion
        return self.choices[0].message.text if self.choices else ""


class _Sample(msgspec.Struct):
    """What is used of a sample in a log of inspect_ai."""

    id: str | int
    epoch: int = 1
    output: _Output = _Output()
    scores: dict[str, _Score] | None = None
    model_usage: dict[str, _Usage] = {}
    total_time: float | None = None
    error: _Error | None = None


class _Log(msgspec.Struct):
    samples: list[_Sample] | None = None


class _Document(msgspec.Struct):
    id: str | int


class _LmEvalSample(msgspec.Struct):
    doc: _Document
    filtered_resps: list[object] = []


def is_inspect_archive(path: Path) -> bool:
    """Whether a file is a log of inspect_ai in its own archive."""
    with path.open("rb") as stream:
        return stream.read(len(_ZIP)) == _ZIP


def read_inspect_archive(path: Path) -> Run:
    """The run of an `.eval` file."""
    return _inspect_run(_archived(path), path)


def is_inspect_log(source: Source) -> bool:
    first = source.first
    return (
        source.shape == "object" and isinstance(first, dict) and {"eval", "status", "samples"} <= first.keys()
    )


def read_inspect_log(source: Source) -> Run:
    """The run of a `.json` log."""
    try:
        log = msgspec.json.decode(source.data, type=_Log)
    except UNREADABLE as error:
        raise RollcallError(f"{source.where}: is not a log of inspect_ai ({why(error)})") from None
    return _inspect_run(log.samples or [], Path(source.where))


def is_lm_eval(source: Source) -> bool:
    return source.record.keys() >= {"doc", "filtered_resps"}


def read_lm_eval(source: Source) -> Run:
    """The run of a file of samples, which `--log_samples` writes."""
    predictions = []
    for sample in source.records(_LmEvalSample):
        reply = _first_text(sample.filtered_resps)
        predictions.append(_replied(str(sample.doc.id), reply))
    return Run(predictions, Path(source.where).name)


def _archived(path: Path) -> Iterator[_Sample]:
    decoder = msgspec.json.Decoder(_Sample)
    with Archive.open(path) as archive:
        for name in sorted(name for name in archive.names if name.startswith("samples/")):
            try:
                yield decoder.decode(archive.read(name))
            except UNREADABLE as error:
                raise RollcallError(f"{path}: {name!r:.80}: {why(error)}") from None


def _inspect_run(samples: Iterable[_Sample], path: Path) -> Run:
    predictions = [_of_sample(sample) for sample in samples]  # a log may be larger than memory
    if not predictions:
        raise RollcallError(f"{path}: the log has no samples; was it written with --no-log-samples?")
    if not any(prediction.trial is not None and prediction.trial > 1 for prediction in predictions):
        for prediction in predictions:
            prediction.trial = None
    return Run(predictions, path.name)


def _of_sample(sample: _Sample) -> Prediction:
    read = [score.metadata.answers for score in (sample.scores or {}).values() if score.metadata]
    answers = next((listed for listed in read if listed is not None), None)
    if sample.error is not None:
        prediction = Prediction(str(sample.id), failure=sample.error.message or "error")
    elif answers is not None:
        prediction = Prediction(str(sample.id), list(answers))
    else:
        prediction = _replied(str(sample.id), sample.output.reply)
    prediction.tokens = sum(usage.total_tokens for usage in sample.model_usage.values()) or None
    prediction.seconds = sample.total_time
    prediction.trial = sample.epoch
    return prediction


def _replied(id_: str, reply: str) -> Prediction:
    answers = parse_list(reply)
    return Prediction(id_, failure=_NO_LIST) if answers is None else Prediction(id_, list(answers))


def _first_text(replies: list[object]) -> str:
    """The first reply, which filters may have put into lists."""
    first: object = replies
    while isinstance(first, list):
        first = first[0] if first else ""
    return str(first)


# inspect_ai's samples: chat messages, the gold answers, and the whole record as metadata. `inspect eval
# rollcall/questions -T questions=FOLDER` runs them (`rollcall.harness.inspect_task`); any other
# task reads a file by `json_dataset`. Rollcall reads them, too.

RECORD = "rollcall"
"""The key of the whole question in a sample's metadata, as JSON."""


class _Metadata(msgspec.Struct):
    rollcall: str


class _InspectSample(msgspec.Struct):
    metadata: _Metadata


@FORMATS.register("inspect")
class InspectSamples(QuestionFormat):
    """Samples for inspect_ai; with --run, its retrieved passages are shown with the questions."""

    split_in_name = False
    keeps_neutral = True
    takes = ("run",)

    @classmethod
    def recognises(cls, source: Source) -> bool:
        metadata = source.record.get("metadata")
        return "input" in source.record and isinstance(metadata, dict) and RECORD in metadata

    @classmethod
    def read(cls, source: Source, notes: Notes) -> Iterable[Question]:
        for number, entry in enumerate(source.records(_InspectSample), 1):
            try:
                yield msgspec.json.decode(entry.metadata.rollcall, type=Question)
            except UNREADABLE as error:
                raise RollcallError(f"{source.where}: sample {number}: {why(error)}") from None

    @classmethod
    def write(cls, questions: Sequence[Question], path: Path) -> None:
        write_lines(map(sample, prompted(ExportSource(list(questions)), questions)), path)

    @classmethod
    def files(cls, material: ExportSource) -> list[ExportedFile]:
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
