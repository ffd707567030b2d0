"""RDF literals as stored values: XML Schema numbers and dates, texts with languages, measured datatypes."""

import re
from functools import lru_cache

from rollcall.errors import RollcallError
from rollcall.graph.shards import ValueRow, value_row
from rollcall.query.rdf_terms import BASE, EDTF, point_of, value_of
from rollcall.query.units import named_unit
from rollcall.query.values import Date, Text, number

_XSD = "http://www.w3.org/2001/XMLSchema#"
_NUMBER_TYPES = """
    integer decimal double float int long short byte nonNegativeInteger positiveInteger nonPositiveInteger
    negativeInteger unsignedInt unsignedLong unsignedShort unsignedByte
"""
_NUMBERS = frozenset(_XSD + name for name in _NUMBER_TYPES.split())
_DATES = {_XSD + name for name in ("date", "dateTime", "dateTimeStamp", "gYear", "gYearMonth")}
_DATE = re.compile(r"\+?(-?\d{4,})(?:-(\d\d))?(?:-(\d\d))?(?:T.*)?(?:Z|[+-]\d\d:\d\d)?")
_CAPITALS = re.compile(r"(?<=[a-z])(?=[A-Z])")


@lru_cache(maxsize=100_000)
def literal_row(content: str, datatype: str) -> ValueRow | str:
    """The row of a literal without a language, or the reason why it is not kept."""
    try:
        if datatype in _NUMBERS:
            return value_row(number(content.strip()))
        if datatype in _DATES:
            return _date_row(content)
        if datatype.endswith("wktLiteral"):
            return value_row(point_of(content) or Text(content))
        if datatype == EDTF or datatype.startswith(BASE):  # as `ntriples` writes them
            return value_row(value_of(content, datatype, None))
        if (unit := _measured(datatype)) is not None:
            return value_row(number(content, unit))
    except (RollcallError, ArithmeticError, ValueError):
        return "unreadable literals"
    return value_row(Text(content))


def _date_row(content: str) -> ValueRow | str:
    found = _DATE.fullmatch(content.strip())
    if found is None:
        return "unreadable literals"
    year, month, day = found.groups()
    # Some graphs write an unknown month or day as 00.
    known_month = int(month or 0) or None
    return value_row(Date(int(year), known_month, (int(day or 0) or None) if known_month else None))


def _measured(datatype: str) -> str | None:
    """The unit that a datatype such as dbpedia.org/datatype/squareKilometre stands for."""
    if datatype.startswith(_XSD) or "/datatype/" not in datatype:
        return None
    return named_unit(_CAPITALS.sub(" ", datatype.rpartition("/")[2]).lower())
