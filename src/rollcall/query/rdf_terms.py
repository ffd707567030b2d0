"""How ids and values are written in RDF, for SPARQL queries and for exporting a graph.

An id that is an IRI stands for itself; any other becomes one under a base. Numbers are `xsd:decimal`, dates
have the XML Schema type of their precision (EDTF beyond the year), and a quantity is typed with its unit.
"""

import re
from urllib.parse import quote, unquote

from rollcall.errors import RollcallError
from rollcall.query.values import Date, Number, Point, Text, Value, escape, number, parse_edtf

XSD = "http://www.w3.org/2001/XMLSchema#"
EDTF = "http://id.loc.gov/datatypes/edtf/EDTF"
WKT = "http://www.opengis.net/ont/geosparql#wktLiteral"
BASE = "urn:rollcall:"

_ABSOLUTE = re.compile(r"(?:https?|urn|tag|file):[^\s<>\"{}|\\^`]+")
_DATE_TYPES = {"day": XSD + "date", "month": XSD + "gYearMonth", "year": XSD + "gYear"}


def iri(id_: str, base: str = BASE) -> str:
    """The IRI of an id: itself, or under the base with odd characters percent-encoded."""
    return id_ if _ABSOLUTE.fullmatch(id_) else base + quote(id_, safe="")


def id_of(iri_: str, base: str = BASE) -> str:
    """The inverse of `iri`."""
    return unquote(iri_[len(base) :]) if iri_.startswith(base) else iri_


def unit_iri(unit: str, base: str = BASE) -> str:
    """The datatype of quantities in a unit."""
    return f"{base}unit:{quote(unit, safe='')}"


def typed_literal(value: Value, base: str = BASE) -> tuple[str, str | None, str | None]:
    """A value as RDF: its lexical form, its datatype, its language."""
    if isinstance(value, Number):
        datatype = XSD + "decimal" if value.unit is None else unit_iri(value.unit, base)
        return f"{value.amount:f}", datatype, None
    if isinstance(value, Date):
        return value.edtf, _DATE_TYPES.get(value.precision, EDTF), None
    if isinstance(value, Point):
        return f"Point({value.longitude!r} {value.latitude!r})", WKT, None
    return value.content, None, value.language


def literal_text(value: Value, base: str = BASE) -> str:
    """A value as N-Triples, Turtle and SPARQL write it."""
    lexical, datatype, language = typed_literal(value, base)
    quoted = f'"{escape(lexical, chr(34))}"'
    if language is not None:
        return f"{quoted}@{language}"
    return quoted if datatype is None else f"{quoted}^^<{datatype}>"


def value_of(lexical: str, datatype: str | None, language: str | None, base: str = BASE) -> Value:
    """The value that an RDF literal stands for; what has no better reading is a text."""
    if language is not None:
        return Text(lexical, language)
    name = (datatype or "").removeprefix(XSD).lower()  # published files write datetime for dateTime
    try:
        if datatype is not None and datatype.startswith(unit_iri("", base)):
            return number(lexical, unquote(datatype.removeprefix(unit_iri("", base))))
        if _NUMERIC_TYPES.fullmatch(name):
            return number(lexical)
        if name in ("date", "gyear", "gyearmonth", "datetime") or datatype == EDTF:
            return parse_edtf(re.sub(r"(T.*|Z|[+-]\d\d:\d\d)$", "", lexical))
        if datatype == WKT and (found := _POINT.fullmatch(lexical)):
            return Point(float(found[2]), float(found[1]))
    except RollcallError:  # ill-typed, as real data is
        pass
    return Text(lexical)


_POINT = re.compile(r"(?:<[^>]*>\s*)?Point\(\s*(\S+)\s+(\S+)\s*\)", re.IGNORECASE)
_NUMERIC_TYPES = re.compile(
    "decimal|double|float|((non)?(positive|negative))?integer|(unsigned)?(int|long|short|byte)"
)
