"""The declared columns of a question set are those of its rows."""

import msgspec
import pytest

from rollcall.questions.formats.tables import FlatAnswer, FlatEvidence, ParquetRow
from rollcall.tables.build import QuestionAnswers, QuestionEvidence, Questions
from rollcall.tables.table import DeclaredTable, columns


@pytest.mark.parametrize(
    ("table", "record"),
    [(Questions, ParquetRow), (QuestionAnswers, FlatAnswer), (QuestionEvidence, FlatEvidence)],
)
def test_every_field_of_a_row_is_a_declared_column(
    table: type[DeclaredTable], record: type[msgspec.Struct]
) -> None:
    assert set(columns(table)) == set(record.__struct_fields__)
