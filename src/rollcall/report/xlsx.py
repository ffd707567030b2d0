"""Tables as Excel workbooks with one sheet, in the least of the format that spreadsheets read.

Every text is written as a text, so that no spreadsheet takes it for a formula. The same table gives the same
bytes.
"""

import io
import math
import re
import zipfile
from collections.abc import Iterator, Sequence
from xml.sax.saxutils import escape

from rollcall._core.errors import RollcallError
from rollcall.report.values import Cell, Measured, Table

_ROWS, _CHARACTERS = 1_048_576, 32_767
"""The most rows of a sheet, and characters of a cell, that Excel reads."""
_HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_SHEETS = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_TYPE = "application/vnd.openxmlformats-officedocument"
_ABOUT = "docProps/app.xml"
_PARTS = {
    _ABOUT: (
        f'<Properties xmlns="{_OFFICE}/extended-properties"><Application>Rollcall</Application></Properties>'
    ),
    "[Content_Types].xml": (
        f'<Types xmlns="{_PACKAGE}/content-types">'
        '<Default Extension="rels" '
        'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        f'<Override PartName="/xl/workbook.xml" ContentType="{_TYPE}.spreadsheetml.sheet.main+xml"/>'
        '<Override PartName="/xl/worksheets/sheet1.xml" '
        f'ContentType="{_TYPE}.spreadsheetml.worksheet+xml"/>'
        f'<Override PartName="/{_ABOUT}" ContentType="{_TYPE}.extended-properties+xml"/></Types>'
    ),
    "_rels/.rels": (
        f'<Relationships xmlns="{_PACKAGE}/relationships">'
        f'<Relationship Id="rId1" Type="{_OFFICE}/relationships/officeDocument" Target="xl/workbook.xml"/>'
        f'<Relationship Id="rId2" Type="{_OFFICE}/relationships/extended-properties" Target="{_ABOUT}"/>'
        "</Relationships>"
    ),
    "xl/workbook.xml": (
        f'<workbook xmlns="{_SHEETS}" xmlns:r="{_OFFICE}/relationships">'
        '<sheets><sheet name="Sheet1" sheetId="1" r:id="rId1"/></sheets></workbook>'
    ),
    "xl/_rels/workbook.xml.rels": (
        f'<Relationships xmlns="{_PACKAGE}/relationships"><Relationship Id="rId1" '
        f'Type="{_OFFICE}/relationships/worksheet" Target="worksheets/sheet1.xml"/></Relationships>'
    ),
}
_FORBIDDEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_ESCAPE = re.compile(r"_(?=x[0-9A-Fa-f]{4}_)")


def table_xlsx(table: Table) -> bytes:
    """A table as a workbook, with its headings in a first row that stays in view."""
    if len(table.rows) >= _ROWS:
        raise RollcallError(f"{len(table.rows):,} rows: an Excel sheet has {_ROWS:,}; write a .csv file")
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, content in _PARTS.items():
            archive.writestr(_entry(name), _HEAD + content)
        sheet = _entry("xl/worksheets/sheet1.xml")
        sheet.compress_type = zipfile.ZIP_DEFLATED
        with archive.open(sheet, "w", force_zip64=False) as part:
            for piece in _sheet(table):
                part.write(piece.encode())
    return buffer.getvalue()


def workbook_start() -> bytes:
    """How every workbook begins that Rollcall writes."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr(_entry(_ABOUT), _HEAD + _PARTS[_ABOUT])
    return buffer.getvalue()[:64]


def _entry(name: str) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
    entry.create_system = 3  # the same bytes on every system
    return entry


def _sheet(table: Table) -> Iterator[str]:
    yield (
        f'{_HEAD}<worksheet xmlns="{_SHEETS}"><sheetViews><sheetView workbookViewId="0">'
        '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>'
        "<sheetData>"
    )
    yield _row([heading.name for heading in table.headings])
    yield from (_row(row) for row in table.rows)
    yield "</sheetData></worksheet>"


def _row(cells: Sequence[Cell]) -> str:
    return f"<row>{''.join(map(_cell, cells))}</row>"


def _cell(cell: Cell) -> str:
    value = cell.value if isinstance(cell, Measured) else cell
    if value is None or value == "":
        return "<c/>"
    if isinstance(value, int | float) and math.isfinite(value):
        return f"<c><v>{value}</v></c>"
    text = _ESCAPE.sub("_x005F_", _FORBIDDEN.sub("\ufffd", str(value)))[:_CHARACTERS]
    return f'<c t="inlineStr"><is><t xml:space="preserve">{escape(text)}</t></is></c>'
