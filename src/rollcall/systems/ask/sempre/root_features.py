"""Features of a whole parse: the words that it skips, how many answers it has, and of what kind they are."""

from rollcall.graph.index import GraphIndex
from rollcall.systems.ask.forms import Members
from rollcall.systems.ask.learned.answer_kinds import kinds_of, size_of
from rollcall.systems.ask.learned.tags import question_word, tag
from rollcall.systems.ask.sempre.derivations import Derivation
from rollcall.systems.ask.sempre.ground import Asking
from rollcall.systems.ask.words import roots_of


def root_features(asking: Asking, index: GraphIndex, part: Derivation) -> dict[str, float]:
    """The features of a parse that is complete."""
    reading = asking.reading
    found: dict[str, float] = {}
    for place, word in enumerate(reading.words):
        if not part.mask >> place & 1 and word.folded[0].isalnum():
            name = f"skipped {tag(word)}"
            found[name] = found.get(name, 0.0) + 1.0
    found[f"{'counted' if part.function == 'count' else 'answers'}: {size_of(part.terms)}"] = 1.0
    found[f"edges: {part.edges}"] = 1.0
    if isinstance(part.form, Members):
        found["a class alone"] = 1.0
    unused = sum(not one.mask & part.mask for one in reading.signs.superlatives)
    if unused:
        found["superlatives that are not used"] = float(unused)
    if reading.kind.counts and part.function != "count":
        found["how many, not counted"] = 1.0
    kinds = ["number"] if part.function == "count" else kinds_of(index, part.terms)
    asked = question_word(reading.words)
    for kind in kinds:
        found[f"{asked}: {kind}"] = 1.0
    if reading.kind.roots:
        focus = reading.kind.roots[-1]
        named = any(focus in roots_of(kind) for kind in kinds)
        found[
            "the noun asked for is a class of the answers" if named else "the noun asked for is no class"
        ] = 1.0
    return found
