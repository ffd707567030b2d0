"""Units of measurement that can be compared with one another, by their Wikidata item ids.

Each unit belongs to a dimension and has an exact decimal factor to that dimension's base unit, so that
a foot and a metre can be ordered. A unit that is not listed is its own dimension: its values are compared
only with each other. Currencies are deliberately not listed.
"""

from decimal import Decimal
from typing import NamedTuple


class Unit(NamedTuple):
    """One unit: its dimension, its size in base units, and how it is written."""

    id: str
    dimension: str
    factor: Decimal
    symbol: str
    names: tuple[str, ...]


def _units() -> list[Unit]:
    rows = [
        ("Q11573", "length", "1", "m", "metre meter metres meters"),
        ("Q828224", "length", "1000", "km", "kilometre kilometer kilometres kilometers"),
        ("Q174728", "length", "0.01", "cm", "centimetre centimeter centimetres centimeters"),
        ("Q174789", "length", "0.001", "mm", "millimetre millimeter millimetres millimeters"),
        ("Q3710", "length", "0.3048", "ft", "foot feet"),
        ("Q218593", "length", "0.0254", "in", "inch inches"),
        ("Q482798", "length", "0.9144", "yd", "yard yards"),
        ("Q253276", "length", "1609.344", "mi", "mile miles"),
        ("Q93318", "length", "1852", "nmi", "nautical_mile nautical_miles"),
        ("Q25343", "area", "1", "m²", "square_metre square_meter square_metres square_meters m2"),
        (
            "Q712226",
            "area",
            "1000000",
            "km²",
            "square_kilometre square_kilometer square_kilometres square_kilometers km2",
        ),
        ("Q35852", "area", "10000", "ha", "hectare hectares"),
        ("Q81292", "area", "4046.8564224", "acre", "acres"),
        ("Q232291", "area", "2589988.110336", "sq mi", "square_mile square_miles mi2"),
        ("Q857027", "area", "0.09290304", "sq ft", "square_foot square_feet ft2"),
        ("Q25517", "volume", "1", "m³", "cubic_metre cubic_meter cubic_metres cubic_meters m3"),
        ("Q4243638", "volume", "1000000000", "km³", "cubic_kilometre cubic_kilometer km3"),
        ("Q11582", "volume", "0.001", "L", "litre liter litres liters"),
        ("Q11570", "mass", "1", "kg", "kilogram kilograms"),
        ("Q41803", "mass", "0.001", "g", "gram grams"),
        ("Q191118", "mass", "1000", "t", "tonne tonnes metric_ton metric_tons"),
        ("Q100995", "mass", "0.45359237", "lb", "pound pounds lbs"),
        ("Q48013", "mass", "0.028349523125", "oz", "ounce ounces"),
        ("Q11574", "duration", "1", "s", "second seconds sec"),
        ("Q7727", "duration", "60", "min", "minute minutes mins"),
        ("Q25235", "duration", "3600", "h", "hour hours hrs"),
        ("Q573", "duration", "86400", "d", "day days"),
        ("Q23387", "duration", "604800", "wk", "week weeks"),
        ("Q577", "duration", "31557600", "yr", "annum years"),
        ("Q182429", "speed", "1", "m/s", "metre_per_second metres_per_second"),
        ("Q180154", "speed", "0.277777777777777778", "km/h", "kilometre_per_hour kilometres_per_hour kmh"),
        ("Q211256", "speed", "0.44704", "mph", "mile_per_hour miles_per_hour"),
        ("Q128822", "speed", "0.514444444444444444", "kn", "knot knots"),
        ("Q25236", "power", "1", "W", "watt watts"),
        ("Q6982035", "power", "1000000", "MW", "megawatt megawatts"),
        ("Q752079", "tonnage", "1", "GRT", "gross_register_ton gross_register_tons"),
        ("Q11229", "share", "1", "%", "percent per_cent"),
        ("Q794261", "flow", "1", "m³/s", "cubic_metre_per_second cubic_metres_per_second m3/s"),
    ]
    return [
        Unit(id_, dimension, Decimal(factor), symbol, tuple(name.replace("_", " ") for name in names.split()))
        for id_, dimension, factor, symbol, names in rows
    ]


UNITS: dict[str, Unit] = {unit.id: unit for unit in _units()}
DIMENSIONS = frozenset(unit.dimension for unit in UNITS.values())
_BY_NAME = {name: unit.id for unit in UNITS.values() for name in (unit.symbol, *unit.names)}


def unit_id(name: str) -> str:
    """The id of a unit given by id, name or symbol; an unknown unit keeps the given name."""
    return _BY_NAME.get(name, name)


def named_unit(name: str) -> str | None:
    """The id of a listed unit by its name or symbol, or None; used to read free text."""
    return _BY_NAME.get(name) or _BY_NAME.get(name.lower())
