"""Free text as values: what each cell is read as, and what the cells of a relation have in common."""

import pytest

from rollcall.graph.ingest.cells import (
    NumberNotation,
    bare_integer,
    first_year,
    read_cell,
    readings,
    unit_in_name,
)

CELLS = """
120,000 → 120000
1,204 → 1204
1,57,628 → 157628
1 234 567 → 1234567
-3.5 → -3.5
−3.5 → -3.5
+44 → 44
007 → 7
.5 → 0.5
1.000 → 1
12[3] → 12
5,500 * → 5500
c. 1,200 → 1200
~300 → 300
12 % → 12[Q11229]
23% → 23[Q11229]
5 million → 5000000
1.5 billion → 1500000000
1st → 1
22nd → 22
No. 5 → 5
#12 → 12
1984 → 1984
1,204 m → 1204[Q11573]
342m → 342[Q11573]
38 km² → 38[Q712226]
38 km2 → 38[Q712226]
38 sq km → 38[Q712226]
12 square miles → 12[Q232291]
5 ft → 5[Q3710]
5 Km → 5[Q828224]
5\u00a0000 km → 5000[Q828224]
10 kilometres → 10[Q828224]
5 METRES → 5[Q11573]
100 km/h → 100[Q180154]
7 lbs → 7[Q100995]
12 MW → 12[Q6982035]
14 years → 14[Q577]
5 ft 11 in → 71[Q218593]
6' 2" → 74[Q218593]
2 h 30 min → 150[Q7727]
1,204 m (3,950 ft) → 1204[Q11573]
$1.2 million → 1200000[$]
US$5m → 5000000[US$]
€ 3,000 → 3000[€]
£3bn → 3000000000[£]
3.50 € → 3.5[€]
1.5 million US$ → 1500000[US$]
September 4, 1984 → @1984-09-04
September 4 , 1984 → @1984-09-04
Sept. 4, 1984 → @1984-09-04
4 September 1984 → @1984-09-04
4th of September, 1984 → @1984-09-04
Monday, 4 September 1984 → @1984-09-04
04-Sep-1984 → @1984-09-04
1984-09-04 → @1984-09-04
1984/9/4 → @1984-09-04
2011-05-03T10:11:12Z → @2011-05-03
24/09/1984 → @1984-09-24
09/24/1984 → @1984-09-24
Sep 1984 → @1984-09
May 1984 → @1984-05
1984-09 → @1984-09
1980s → @198X
19th century → @18XX
44 BC → @-0043
1944- → @1944
1944 – → @1944
AD 79 → @0079
04/09/1984 → "04/09/1984"
32 February 2000 → "32 February 2000"
31 February 1990 → "31 February 1990"
1990-02-31 → "1990-02-31"
0 BC → "0 BC"
AD 0 → "AD 0"
0th century → "0th century"
4 Sep → "4 Sep"
May → "May"
1984–1990 → "1984–1990"
12 June – 3 July 2009 → "12 June – 3 July 2009"
1999 season → "1999 season"
5 M → "5 M"
3 G → "3 G"
5+ → "5+"
3:45 → "3:45"
12,2 → "12,2"
0,125 → "0,125"
7 £ 3 $ → "7 £ 3 $"
1.85 m (tall) → "1.85 m (tall)"
1956,1963,1966 → "1956,1963,1966"
Q42 → "Q42"
$ → "$"
12. → "12."
1e5 → "1e5"
8.2e-05 → 0.000082
3.1e1 → 31
6.25e2 kg → 625[Q11570]
-1.5E+3 → -1500
2.5E-3 mm → 0.0025[Q174789]
1.5 x 10^-3 kg → 0.0015[Q11570]
3 × 10⁻⁵ → 0.00003
10 x 10 → "10 x 10"
1e-4000 → "1e-4000"
two → "two"
  spaced   out  → "spaced out"
"""


@pytest.mark.parametrize("line", [line for line in CELLS.split("\n") if line.strip()])
def test_cells(line: str) -> None:
    cell, _, expected = line.partition(" → ")
    assert read_cell(cell).text == expected


@pytest.mark.parametrize(
    ("cell", "reading", "expected"),
    [
        ("1,2", NumberNotation.COMMA, "1.2"),
        ("-0,125", NumberNotation.COMMA, "-0.125"),
        (",5", NumberNotation.COMMA, "0.5"),
        ("1.234,5 kg", NumberNotation.COMMA, "1234.5[Q11570]"),
        ("1 234,5", NumberNotation.COMMA, "1234.5"),
        ("12,5 %", NumberNotation.COMMA, "12.5[Q11229]"),
        ("€ 3,50", NumberNotation.COMMA, "3.5[€]"),
        ("1.299,00 €", NumberNotation.COMMA, "1299[€]"),
        ("1.234.567", NumberNotation.COMMA, "1234567"),
        ("1,2 m (3,9 ft)", NumberNotation.COMMA, "1.2[Q11573]"),
        ("1.5", NumberNotation.POINT, "1.5"),
        ("0.125", NumberNotation.POINT, "0.125"),
        ("1,234.5", NumberNotation.POINT, "1234.5"),
        ("1,234,567", NumberNotation.POINT, "1234567"),
        ("1,234", NumberNotation.COMMA_OR_THOUSANDS, "1.234"),
        ("1.234", NumberNotation.POINT_OR_THOUSANDS, "1234"),
        ("1,2,3", NumberNotation.LIST, '"1,2,3"'),
        ("12", None, "12"),
        ("n.a.", None, '"n.a."'),
        ("24.09.1984", None, "@1984-09-24"),
        ("September 4,1984", None, "@1984-09-04"),
        ("Type 1,2", None, '"Type 1,2"'),
        ("No. 5", None, "5"),
        ("1,2" * 100, None, f'"{"1,2" * 100}"'),
    ],
)
def test_cells_with_decimal_commas(cell: str, reading: NumberNotation | None, expected: str) -> None:
    assert readings(cell) == reading
    assert read_cell(cell, decimal_comma=True).text == expected


@pytest.mark.parametrize(
    ("cell", "expected"),
    [
        ("1984", "@1984"),
        ("987", "@0987"),
        ("85", "85"),
        ("-1954", "-1954"),
        ("1,984", "1984"),
        ("2500", "2500"),
    ],
)
def test_years_where_the_relation_holds_years(cell: str, expected: str) -> None:
    assert read_cell(cell, first_year=100).text == expected


def test_a_unit_of_the_relation_is_of_numbers_only() -> None:
    assert read_cell("12", unit="Q11573").text == "12[Q11573]"
    assert read_cell("12 ft", unit="Q11573").text == "12[Q3710]"
    assert read_cell("unknown", unit="Q11573").text == '"unknown"'


@pytest.mark.parametrize(
    ("cell", "expected"),
    [
        ("1984", True),
        ("984", False),
        ("2500", False),
        ("1,984", False),
        ("-5", False),
        ("12 m", None),
        ("x", None),
    ],
)
def test_bare_integers(cell: str, expected: bool | None) -> None:
    assert bare_integer(cell) is expected


@pytest.mark.parametrize(
    ("relation", "bare", "years", "expected"),
    [
        ("year", 3, 3, 100),
        ("founded", 10, 5, 100),
        ("years held", 33, 0, None),
        ("date of birth", 4, 1, None),
        ("term limited", 40, 40, 1000),
        ("term limited", 4, 4, None),
        ("term limited", 40, 35, None),
        ("population", 40, 40, None),
        ("height m", 10, 10, None),
    ],
)
def test_relations_that_hold_years(relation: str, bare: int, years: int, expected: int | None) -> None:
    assert first_year(relation, bare, years) == expected


@pytest.mark.parametrize(
    ("relation", "expected"),
    [
        ("height m", "Q11573"),
        ("Height (m)", "Q11573"),
        ("area km²", "Q712226"),
        ("size sq ft", "Q857027"),
        ("area km", None),  # an area is not measured in kilometres
        ("density km²", None),
        ("round m", None),
        ("m", None),
        ("height", None),
    ],
)
def test_units_in_the_names_of_relations(relation: str, expected: str | None) -> None:
    assert unit_in_name(relation) == expected
