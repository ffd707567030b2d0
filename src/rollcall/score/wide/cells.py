"""How cells are prepared and compared: the functions that the rules of a WideSearch task name.

Dates are read by the library that the published scorer uses, with a fixed day in place of today's, so that a
figure does not depend on when it was computed.
"""

import re
from collections.abc import Callable
from datetime import datetime
from urllib.parse import urlparse

from rollcall.errors import RollcallError

JUDGED = "llm_judge"
"""The comparison that a language model makes."""
_NUMBERS = re.compile(r"[-+]?\d*\.\d+%?|[-+]?\d+\.?\d*%?")
_ADDRESS = re.compile(r"http[s]?://(?:[a-zA-Z]|[0-9]|[$-_@.&+]|[!*\\(\\),]|(?:%[0-9a-fA-F][0-9a-fA-F]))+")
_TODAY = datetime(2025, 1, 1)
_NEAR_DAYS = 31
Criterion = str | float | None


def extract_number(cell: str) -> str:
    """The first number in a cell, or `NULL`."""
    found = _NUMBERS.search(cell.replace(",", ""))
    return found[0] if found else "NULL"


def norm_str(cell: str) -> str:
    """A cell in lower case, without spaces and asterisks."""
    return cell.lower().strip().replace(" ", "").replace("*", "")


def norm_date(cell: str) -> str:
    """A date as 2025-01-31; any other cell as it is."""
    date = _date(cell)
    return cell if date is None else date.strftime("%Y-%m-%d")


def exact_match(said: str, gold: str, criterion: Criterion) -> float:
    return float(said.lower() == gold.lower())


def url_match(said: str, gold: str, criterion: Criterion) -> float:
    """Whether both cells name the same hosts."""
    return float(_hosts(said) == _hosts(gold))


def in_match(said: str, gold: str, criterion: Criterion) -> float:
    """Whether the predicted cell stands in the gold one."""
    return float(said in gold)


def number_near(said: str, gold: str, criterion: Criterion) -> float:
    """Whether a number is within a share of the gold one; cells that are no numbers must be equal."""
    first, second = _number(said), _number(gold)
    if first is None or second is None:
        return float(first is None and second is None and said == gold)
    if not isinstance(criterion, int | float):
        raise ValueError("number_near has no number as its criterion")
    return float(abs(first - second) <= abs(second) * criterion)


def date_near(said: str, gold: str, criterion: Criterion) -> float:
    """Whether dates are at most 31 days apart; two cells that are no dates pass."""
    first, second = _date(said), _date(gold)
    if first is None or second is None:
        return float(first is None and second is None)
    return float(abs((first - second).days) <= _NEAR_DAYS)


PREPARATIONS: dict[str, Callable[[str], str]] = {
    "extract_number": extract_number,
    "norm_str": norm_str,
    "norm_date": norm_date,
}
COMPARISONS: dict[str, Callable[[str, str, Criterion], float]] = {
    "exact_match": exact_match,
    "url_match": url_match,
    "in_match": in_match,
    "number_near": number_near,
    "date_near": date_near,
}


def _number(cell: str) -> float | None:
    try:
        return float(cell.replace("%", "")) / 100 if "%" in cell else float(cell)
    except ValueError:
        return None


def _hosts(cell: str) -> set[str]:
    return {urlparse(address).netloc for address in _ADDRESS.findall(cell)}


def _date(cell: str) -> datetime | None:
    try:
        import dateparser
    except ImportError:
        raise RollcallError(
            "comparing dates needs the extra `dates`: pip install 'rollcall-qa[dates]'"
        ) from None
    settings = {"PREFER_DAY_OF_MONTH": "first", "RELATIVE_BASE": _TODAY, "RETURN_AS_TIMEZONE_AWARE": False}
    try:
        found = dateparser.parse(cell, settings=settings)
    except Exception:  # whatever a foreign parser makes of any text: what it cannot read is no date
        return None
    return found if isinstance(found, datetime) else None
