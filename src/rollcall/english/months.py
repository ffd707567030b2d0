"""The months: their names in order, and the number of each name and abbreviation."""

MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
_ABBREVIATIONS = {"sept": 9} | {month[:3].lower(): number for number, month in enumerate(MONTHS, 1)}
MONTH_NUMBERS = {month.lower(): number for number, month in enumerate(MONTHS, 1)} | _ABBREVIATIONS
"""The number of each month (1 for January), by name or abbreviation in lower case, without a full stop."""
SHORT_MONTHS = tuple(name.title() for name in _ABBREVIATIONS)
ANY_MONTH = "|".join(MONTHS)
"""The names as alternatives of a regular expression."""
