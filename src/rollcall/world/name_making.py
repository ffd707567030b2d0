"""Names made from sounds and words: for people, places, works and organizations, as many as a world needs.

A name is made from the bits of a hash, so it need not be stored. Large worlds have a limited number of short
names, so that homonyms are a few percent at any size.
"""

from rollcall.world.syllables import PHONOLOGIES, REAL_NAMES, Phonology
from rollcall.world.vocabulary import WORDS

_ADJECTIVES, _NOUNS, _PLURALS = WORDS["adjective"], WORDS["noun"], WORDS["plural"]
_SHORT_TITLES, _SHORTEST_TITLES = 5_000, 400
"""How many works of a kind can have short and shortest titles before too many titles are equal."""
_NUMBERS = ("Two", "Three", "Five", "Seven", "Nine", "Forty")


class Bits:
    """The bits of a hash, used one after another for choices."""

    __slots__ = ("_bits",)

    def __init__(self, bits: int):
        self._bits = bits

    def below(self, limit: int) -> int:
        self._bits, choice = divmod(self._bits, limit)
        return choice

    def of(self, options: tuple[str, ...]) -> str:
        self._bits, choice = divmod(self._bits, len(options))
        return options[choice]


def stem(bits: Bits, sounds: Phonology, syllables: int) -> str:
    """A sequence of syllables, the last one open: `Velma`, `Orandi`."""
    return "".join(bits.of(sounds.onsets) + bits.of(sounds.vowels) for _ in range(syllables))


def _joined(first: str, ending: str) -> str:
    """Join a stem and an ending without doubled vowels or letters."""
    if first[-1] in "aeiouyé" and ending[0] in "aeiouyé":
        first = first.rstrip("aeiouyé") or first
    if first[-1] == ending[0]:
        ending = ending[1:]
    return first + ending


def _proper(text: str) -> str:
    return text[0].upper() + text[1:]


def given_name(bits: Bits, sounds: Phonology, female: bool) -> str:
    body = stem(bits, sounds, 1 + (bits.below(3) == 0))
    if bits.below(2):
        body += bits.of(sounds.codas)
    name = _proper(_joined(body, bits.of(sounds.female if female else sounds.male)))
    return name if len(name) > 3 else name + ("na" if female else "ren")


def surname(bits: Bits, sounds: Phonology) -> str:
    body = stem(bits, sounds, 1 + (bits.below(5) < 3)) + bits.of(sounds.codas)
    name = _proper(_joined(body, bits.of(sounds.surname)))
    return name if name not in REAL_NAMES else name + "a"


def place_name(bits: Bits, sounds: Phonology, long: bool) -> str:
    body = stem(bits, sounds, 2 if long or bits.below(3) else 1) + bits.of(sounds.codas)
    name = _proper(_joined(body, bits.of(sounds.place)) if bits.below(4) else body + "a")
    return name if name not in REAL_NAMES else name + "el"


def country_name(bits: Bits, sounds: Phonology) -> str:
    body = stem(bits, sounds, 1) + bits.of(sounds.codas)
    name = _proper(_joined(body, bits.of(sounds.country)))
    return name if name not in REAL_NAMES else name + "ra"


def title(bits: Bits, works: int, place: str, person: str) -> str:
    """The title of a book, film, song …; kinds with more works have fewer short titles."""
    if bits.below(10_000) < 5_200 * min(1.0, _SHORT_TITLES / works):
        return _short_title(bits, works)
    shape = bits.below(10)
    adjective, noun, other = bits.of(_ADJECTIVES), bits.of(_NOUNS), bits.of(_NOUNS)
    return (
        (
            f"The {noun} of {place}",
            f"Letters to {person}",
            f"The {adjective} {noun} of {place}",
            f"{adjective} {noun}, {adjective_after(bits, adjective)} {other}",
            f"A {noun} in {place}",
            f"{person} and the {noun}",
            f"The {noun} and the {adjective} {other}",
            f"{bits.of(_PLURALS)} over {place}",
            f"The {adjective} {noun}'s {other}",
            f"Goodbye, {person}",
        )[shape]
        .replace("A A", "An A")
        .replace("A I", "An I")
        .replace("A O", "An O")
        .replace("A U", "An U")
    )


def adjective_after(bits: Bits, first: str) -> str:
    second = bits.of(_ADJECTIVES)
    return second if second != first else "Nameless"


def _short_title(bits: Bits, works: int) -> str:
    adjective, noun = bits.of(_ADJECTIVES), bits.of(_NOUNS)
    shapes = 6 if bits.below(10_000) < 10_000 * min(1.0, _SHORTEST_TITLES / works) else 4
    return (
        f"The {adjective} {noun}",
        f"{adjective} {bits.of(_PLURALS)}",
        f"The {noun}'s {bits.of(_NOUNS)}",
        f"{noun} and {bits.of(_NOUNS)}",
        f"Beyond the {noun}",
        f"{bits.of(_NUMBERS)} {bits.of(_PLURALS)}",
    )[bits.below(shapes)]


def with_ending(name: str, ending: str) -> str:
    """A name with another ending: `Murrena`, `Murrenish`."""
    return (name.rstrip("aeiouyé") or name) + ending


def sounds_of(country_bits: int) -> Phonology:
    return PHONOLOGIES[country_bits % len(PHONOLOGIES)]
