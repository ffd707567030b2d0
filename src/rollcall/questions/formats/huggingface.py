"""A dataset repository as the Hugging Face hub has them: Parquet files in `data/`, and a card.

The head of the card says which file has which split (`configs`), and which columns and how many rows there
are (`dataset_info`), so that libraries check what they load. The columns are those of `jsonl` and `parquet`.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from rollcall.questions.card import export_card
from rollcall.questions.formats import FORMATS, QuestionFormat
from rollcall.questions.formats.parquet import Parquet
from rollcall.questions.formats.source import ExportedFile, ExportSource
from rollcall.questions.question_set import CARD, hub_splits, yaml_word
from rollcall.questions.record import Question
from rollcall.tables.build import Questions
from rollcall.tables.table import schema

if TYPE_CHECKING:
    import pyarrow as pa


class DataFile(NamedTuple):
    """A Parquet file that was written."""

    rows: int
    stored: int
    """Its size in bytes."""
    loaded: int
    """The bytes of its columns in memory."""


@FORMATS.register("huggingface")
class HuggingFace(QuestionFormat):
    """A dataset for the Hugging Face hub: Parquet by split, and a card with configs and dataset_info."""

    has_card = False
    keeps_neutral = True

    @classmethod
    def files(cls, material: ExportSource) -> list[ExportedFile]:
        written: dict[str, DataFile] = {}
        shown = hub_splits(material.splits)
        names = {split: f"data/{shown[split]}-00000-of-00001.parquet" for split in material.splits}

        def write_card(path: Path) -> None:
            mapped = {shown[split]: name for split, name in names.items()}
            page = export_card(material.questions, mapped, list(dataset_info(written)))
            path.write_text(page, encoding="utf-8")

        def data_file(split: str, members: list[Question]) -> ExportedFile:
            def write(path: Path) -> None:
                written[shown[split]] = write_data(members, path)

            return ExportedFile(names[split], write, len(members), split=split)

        data = [data_file(split, members) for split, members in material.splits.items()]
        return [*data, ExportedFile(CARD, write_card)]


def write_data(questions: list[Question], path: Path) -> DataFile:
    """Write questions as Parquet, and say how large the file is."""
    import pyarrow.parquet as pq

    Parquet.write(questions, path)
    loaded = sum(batch.nbytes for batch in pq.ParquetFile(path.absolute()).iter_batches())
    return DataFile(len(questions), path.stat().st_size, loaded)


def dataset_info(files: dict[str, DataFile]) -> Iterator[str]:
    """The lines of YAML about the columns and the sizes of the splits."""
    yield "dataset_info:"
    yield "  features:"
    for field in schema(Questions):
        yield from _feature(field, "  ")
    yield "  splits:"
    for split, file in files.items():
        yield f"  - name: {yaml_word(split)}"
        yield f"    num_bytes: {file.loaded}"
        yield f"    num_examples: {file.rows}"
    yield f"  download_size: {sum(file.stored for file in files.values())}"
    yield f"  dataset_size: {sum(file.loaded for file in files.values())}"


def _feature(field: "pa.Field[pa.DataType]", indent: str) -> Iterator[str]:
    """The lines for one column; records inside lists are listed under it."""
    import pyarrow.types as types

    yield f"{indent}- name: {yaml_word(field.name)}"
    kind = field.type
    if not types.is_list(kind):
        yield f"{indent}  dtype: {_type_name(kind)}"
        return
    inside = kind.value_type
    if not types.is_struct(inside):
        yield f"{indent}  sequence: {_type_name(inside)}"
        return
    yield f"{indent}  list:"
    for number in range(inside.num_fields):
        yield from _feature(inside.field(number), f"{indent}  ")


def _type_name(kind: "pa.DataType") -> str:
    """A type by the name that dataset libraries use."""
    return {"double": "float64", "float": "float32"}.get(str(kind), str(kind))
