"""Folders that dataset libraries load: a repository for the Hugging Face hub, and Croissant metadata.

In both, each split is a Parquet file, with the columns of `jsonl` and `parquet`.

- `HuggingFace`: files in `data/`; the head of the card says which file has which split (`configs`), and which
  columns and how many rows there are (`dataset_info`), so that libraries check what they load.
- `Croissant`: `croissant.json`, which dataset search engines and loaders read.
"""

import hashlib
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from rollcall import __version__
from rollcall.questions.formats import FORMATS, QuestionFormat
from rollcall.questions.formats.source import ExportedFile, ExportSource
from rollcall.questions.formats.tables import Parquet
from rollcall.questions.question_set import CARD, hub_splits, yaml_word
from rollcall.questions.record import Question
from rollcall.questions.release import export_card
from rollcall.tables.build import Questions
from rollcall.tables.table import (
    Column,
    DeclaredTable,
    Float64,
    Int64,
    Records,
    String,
    Strings,
    declaration,
    schema,
)

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


# A dataset with Croissant metadata (`croissant.json`), which dataset search engines and loaders read.
#
# Every split is a Parquet file and a record set; the columns are those of `jsonl` and `parquet`, with their
# meaning. The metadata has the checksum of each file, so it is written last.

METADATA = "croissant.json"
_CONTEXT: dict[str, object] = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "sc": "https://schema.org/",
    "cr": "http://mlcommons.org/croissant/",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "dct": "http://purl.org/dc/terms/",
    "citeAs": "cr:citeAs",
    "column": "cr:column",
    "conformsTo": "dct:conformsTo",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "equivalentProperty": "cr:equivalentProperty",
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "extract": "cr:extract",
    "field": "cr:field",
    "fileObject": "cr:fileObject",
    "fileProperty": "cr:fileProperty",
    "fileSet": "cr:fileSet",
    "format": "cr:format",
    "includes": "cr:includes",
    "isLiveDataset": "cr:isLiveDataset",
    "jsonPath": "cr:jsonPath",
    "key": "cr:key",
    "md5": "cr:md5",
    "parentField": "cr:parentField",
    "path": "cr:path",
    "recordSet": "cr:recordSet",
    "references": "cr:references",
    "regex": "cr:regex",
    "repeated": "cr:repeated",
    "replace": "cr:replace",
    "samplingRate": "cr:samplingRate",
    "separator": "cr:separator",
    "source": "cr:source",
    "subField": "cr:subField",
    "transform": "cr:transform",
}
"""The context that the specification of Croissant gives."""
_TYPES: dict[type[Column], str] = {
    String: "sc:Text",
    Strings: "sc:Text",
    Int64: "sc:Integer",
    Float64: "sc:Float",
}


@FORMATS.register("croissant")
class Croissant(QuestionFormat):
    """Parquet for each split, and metadata of the files and columns in Croissant."""

    has_card = False
    keeps_neutral = True

    @classmethod
    def files(cls, material: ExportSource) -> list[ExportedFile]:
        sums: dict[str, str] = {}
        shown = hub_splits(material.splits)
        names = {shown[split]: f"data/{shown[split]}.parquet" for split in material.splits}

        def data_file(split: str, members: list[Question]) -> ExportedFile:
            def write(path: Path) -> None:
                Parquet.write(members, path)
                sums[split] = hashlib.sha256(path.read_bytes()).hexdigest()

            return ExportedFile(names[split], write, len(members))

        def write_metadata(path: Path) -> None:
            described = metadata(material.name, names, sums)
            path.write_text(json.dumps(described, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")

        data = [data_file(shown[split], members) for split, members in material.splits.items()]
        return [*data, ExportedFile(METADATA, write_metadata)]


def metadata(name: str, files: Mapping[str, str], sums: Mapping[str, str]) -> dict[str, object]:
    """The description of a dataset, from the file of each split and its checksum."""
    return {
        "@context": _CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": "http://mlcommons.org/croissant/1.0",
        "name": name,
        "description": "Questions whose answers are sets, with their answers, names and evidence.",
        "version": "1.0.0",
        "keywords": ["question answering", "answer sets", f"rollcall {__version__}"],
        "inLanguage": "en",
        "distribution": [
            {
                "@type": "cr:FileObject",
                "@id": path,
                "name": path,
                "contentUrl": path,
                "encodingFormat": "application/x-parquet",
                "sha256": sums[split],
            }
            for split, path in files.items()
        ],
        "recordSet": [
            {
                "@type": "cr:RecordSet",
                "@id": split,
                "name": split,
                "description": f"The questions of the split {split}.",
                "key": {"@id": f"{split}/id"},
                "field": list(_fields(Questions, split, path)),
            }
            for split, path in files.items()
        ],
    }


def _fields(table: type[DeclaredTable], above: str, path: str) -> Iterator[dict[str, object]]:
    """The columns of a table as fields; the simple columns of records inside a column are its sub-fields."""
    for name, column in declaration(table).columns.items():
        field = _field(f"{above}/{name}", column)
        if isinstance(column, Records):
            inside = declaration(column.of).columns
            field["subField"] = [
                {**_field(f"{above}/{name}/{key}", inner), **_source(path, name, key)}
                for key, inner in inside.items()
                if not inner.is_list
            ]
            yield field
        else:
            yield {**field, **_source(path, name)}


def _field(id_: str, column: Column) -> dict[str, object]:
    described: dict[str, object] = {"@type": "cr:Field", "@id": id_, "name": id_}
    described["description"] = column.meaning
    if type(column) in _TYPES:
        described["dataType"] = _TYPES[type(column)]
    if column.is_list:
        described["repeated"] = True
    return described


def _source(path: str, column: str, key: str | None = None) -> dict[str, object]:
    """Where the values of a field are: a column of a file, or a key of the records in it."""
    source: dict[str, object] = {"fileObject": {"@id": path}, "extract": {"column": column}}
    if key is not None:
        source["transform"] = {"jsonPath": key}
    return {"source": source}
