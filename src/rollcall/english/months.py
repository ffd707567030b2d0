"""The months: their names in order, and the number of each name and abbreviation."""

MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
_ABBREVIATIONS = {"sept": 9} | {month[:3].lower(): number for number, month in enumerate(MONTHS, 1)}
MONTH_NUMBERS = {month.lower(): number for number, month in enumerate(MONTHS, 1)} | _ABBREVIATIONS
"""From a name or an abbreviation without its full stop, in lower case, to 1 for January and so on."""
SHORT_MONTHS = tuple(name.title() for name in _ABBREVIATIONS)
ANY_MONTH = "|".join(MONTHS)
"""The names as alternatives of a regular expression."""
