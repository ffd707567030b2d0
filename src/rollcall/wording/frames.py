"""What English says where a heading is a noun: `is maintained by A`, `is in the A section`, `is A`.

`Has A as its section` can be said of any noun and is the last resort. Which clause is better depends on the
noun and on the names below the heading:

1. Nouns of agents are verbs: what has a maintainer is maintained by somebody (`agent_nouns.txt`).
2. Other common nouns have a clause of their own, in which a name may stand beside the noun
   (`noun_clauses.txt`); a name that has the noun in it stands alone: `belongs to group 11`.
3. Adjectives describe the noun or the thing itself: `has a graphical interface`, `is fragile`.
4. Kinds in the plural are what the thing is: `is a noble gas`.

`shape_of` says of what form the names below a heading are, `clause_of_noun` gives a relation's clause, and
`fitted` the clause for one name.
"""

import re
from collections.abc import Sequence
from dataclasses import replace

from rollcall.text.nouns import (
    demonyms,
    head_word,
    is_person,
    is_plural,
    land_of,
    plural,
    singular,
    with_article,
)  # fmt: skip
from rollcall.text.sentences import is_adverb
from rollcall.text.verbs import BE, base_of, is_participle, participle, past, third_person, verb_form
from rollcall.text.words import word_list, word_table
from rollcall.wording.phrases import Filler

ADJECTIVES, GERUNDS, KINDS, LANDS, ANSWERS = "adjectives", "gerunds", "kinds", "lands", "answers"
MANNERS = "manners"
"""The forms of names: `fragile`; `editing`; `Noble gases`; `France`; `yes` and `no`; `sparingly`."""
_MOST = 0.6
_NEARLY_ALL = 0.9
_ADJECTIVE = re.compile(
    r"\w{2,}(?:al|ic|ous|[ai]ble|ful|less|phile|phobe|philic|phobic|[a-z]ive|ish|ant|(?<!m)ent)$"
)
_PARTS = frozenset(("team", "department", "unit", "group", "office"))
_BODIES = _PARTS | {
    "agency", "authority", "bank", "body", "company", "house", "institution", "ministry", "officer",
    "organisation", "organization", "party", "person",
}  # fmt: skip
"""Who does what a gerund says: the owning team."""
_YES, _NO = ("yes", "true", "y"), ("no", "false", "n")
_OFTEN = frozenset(("hourly", "daily", "nightly", "weekly", "monthly", "quarterly", "yearly"))
_CLASSIFYING = frozenset(("group", "series", "category", "class", "type", "kind", "division", "set", "sort"))
_FEATURES = frozenset(("color", "colour", "shape", "texture"))
_ABSTRACT = re.compile(r"\w{3,}(?:ness|ency|ancy|ability|ibility)$")
_APPOSED = re.compile(r"the (?:\{object\} (?P<after>[\w -]+)|(?P<before>[\w-]+(?: [\w-]+)*) \{object\})$")
_VERB = re.compile(r"(?:uses|contains) \{object\}$")
"""Clauses after which the noun says as what: `uses {object} as its cooking method`."""
_AS_ONE = re.compile(r" as an? [^{}]+$")
_BESIDE = re.compile(r"^(?:uses|has|is under|follows) the \{object\} ")
"""Clauses in which the noun may have words before it: `uses the {object} file format`."""


def is_adjective(word: str) -> bool:
    """Whether a word is an adjective, as far as its form says."""
    small = word.lower()
    if small in word_list("adjectives") or re.fullmatch(r"\d+-?d", small):
        return True
    if small in word_list("nouns_like_adjectives") or is_person(small):
        return False
    last = small.rpartition("-")[2]
    if last in ("free", "based", "friendly", "proof") or (small != last and is_participle(last)):
        return True
    if is_participle(small) and small.endswith("ed"):
        return True
    return _ADJECTIVE.fullmatch(small) is not None


def shape_of(labels: Sequence[str]) -> str:
    """The form of most of some names; empty if they are of none that matters."""
    if not labels:
        return ""
    tests = {
        ANSWERS: lambda label: label.lower() in _YES + _NO,
        MANNERS: lambda label: is_adverb(label) or label in _OFTEN,
        LANDS: lambda label: label.removeprefix("the ") in demonyms(),
        ADJECTIVES: lambda label: bool(land_of(label)) or (" " not in label and is_adjective(label)),
        GERUNDS: lambda label: verb_form(label.lower(), "gerund") is not None,
        KINDS: _is_kind,
    }
    for shape, test in tests.items():
        least = 1.0 if shape == ANSWERS else _MOST
        if shape == ADJECTIVES and any(label[:1].isupper() and not land_of(label) for label in labels):
            least = _NEARLY_ALL  # `Logic` and `Dynamic` may be names
        if sum(map(test, labels)) >= least * len(labels):
            return shape if shape != KINDS or any(map(_is_of_words, labels)) else ""
    return ""


def _is_kind(label: str) -> bool:
    """Whether a name is a common noun in the plural: `Noble gases`, `Lanthanides`."""
    *_words, last = words = label.split(" ")
    return (
        is_plural(last)
        and all(word.isalpha() and word[1:].islower() for word in words if word)
        and all(word.islower() for word in words[1:])
    )


def _is_of_words(label: str) -> bool:
    """Whether a plural is a common noun for certain, unlike a name such as `Passeriformes`."""
    return " " in label or label.islower()


def stands_beside_names(noun: str, shape: str) -> bool:
    """Whether names of a form stand beside a noun, as those of a section do: `the editors section`."""
    clause = clause_of_noun(noun, shape, person=False)
    return _APPOSED.search(clause) is not None and not clause.startswith(("uses ", "has "))


def clause_of_features(noun: str, shape: str) -> str:
    """The clause of a noun for what parts of a thing are like, or for when it does something.

    `has [a {object} flower|{object} flowers]` below `flower color`, `has edible {object}` below `edible
    parts`, `flowers in {object}` below `flowering months`; empty for other nouns. The names are common nouns.
    """
    qualifier, _, head = noun.rpartition(" ")
    if not qualifier or " " in qualifier:
        return ""
    if head in _FEATURES and shape == ADJECTIVES and not is_adjective(qualifier):
        if is_mass(qualifier) or is_plural(qualifier):
            return f"has {{object}} {qualifier}"
        return f"has [{{a object}} {qualifier}|{{object}} {plural(qualifier)}]"
    if head == "part" and is_adjective(qualifier):
        return f"has {qualifier} {{object}}"
    return ""


def clause_of_time(noun: str) -> str:
    """The clause of a noun for when something is done: `flowers in {object}` below `flowering months`."""
    gerund, _, head = noun.rpartition(" ")
    form = verb_form(gerund, "gerund") if head in ("month", "season") else None
    return f"{third_person(form.base)} in {{object}}" if form else ""


def clause_of_noun(noun: str, shape: str, *, person: bool) -> str:
    """The clause that says a relation with this noun; empty if there is only `has … as its …`."""
    *qualifiers, head = noun.split(" ")
    if noun in word_list("graded_nouns"):
        return f"has {{object}} {noun}"
    if shape == ADJECTIVES and (clause := _describing(noun, qualifiers, head)):
        return clause
    if clause := clause_of_time(noun):
        return clause
    if shape == KINDS and noun in _CLASSIFYING:
        return "is [{a object}|{objects}]"
    if head in word_list("nouns_of_parts"):
        return f"has {{a object}} {noun}"
    table = word_table("noun_clauses")
    if not qualifiers or noun in table:
        return (table.get(f"person: {noun}") if person else None) or table.get(noun, "")
    if qualifiers == ["target"]:
        return f"targets the {{object}} {head}"
    if (form := verb_form(qualifiers[0], "gerund")) and head in _BODIES and not qualifiers[1:]:
        return f"is {participle(form.base)} by {'the {object} ' + head if head in _PARTS else '{object}'}"
    clause = table.get(head, "")
    adverbs = [word_table("adverbs_of_adjectives").get(word, "") for word in qualifiers]
    if clause.split(" ")[0] in BE and all(adverbs) and not _APPOSED.search(clause):
        be, rest = clause.split(" ", 1)
        return f"{_tense(be, adverbs)} {' '.join(adverbs)} {rest}"
    if (verb := _VERB.match(clause)) and not word_list("qualifiers_of_relations") & {*qualifiers}:
        return f"{verb[0]} as {{its}} {noun}"
    if len(qualifiers) == 1 and is_participle(qualifiers[0]):
        preposition = word_table("prepositions_of_participles").get(qualifiers[0], "")
        return f"is {qualifiers[0]} {preposition} {{object}}" if preposition else ""
    return clause.replace(f"}} {head}", f"}} {noun}") if _BESIDE.match(clause) else ""


def _describing(noun: str, qualifiers: list[str], head: str) -> str:
    if head == "language":
        return ""
    clause = word_table("noun_clauses").get(noun, "")
    if noun in ("condition", "shape"):
        return f"is in {{object}} {noun}"
    if _BESIDE.match(clause):
        return clause
    if head in word_list("nouns_with_adjectives"):
        return f"has {{a object}} {noun}"
    if is_mass(head) or _ABSTRACT.fullmatch(head):
        return f"has {{object}} {noun}"
    return "is {object}" if not qualifiers or head == "status" else ""


def agent_clause(noun: str, *, person: bool, of_places: bool) -> tuple[str, str]:
    """What is done by an agent with this noun, and what the agent does; empty for other nouns.

    `is maintained by {object}` and `maintains {subject}`; of countries, `is mainly produced in {object}`.
    """
    *qualifiers, head = noun.split(" ")
    table = word_table("agent_nouns")
    clause = (table.get(f"person: {head}") if person else None) or table.get(head, "")
    adverbs = [word_table("adverbs_of_adjectives").get(word, "") for word in qualifiers]
    if not clause or not all(adverbs):
        return "", ""
    be, _, rest = clause.partition(" ")
    if be not in BE:
        return ("", "") if adverbs else (clause, "")
    be = _tense(be, adverbs)
    clause = " ".join([be, *adverbs, rest])
    if of_places:
        return clause.replace(" by {object}", " in {object}"), ""
    words = rest.removesuffix(" by {object}").split(" ")
    form = verb_form(words[0], "participle")
    base = form.base if form else base_of(words[0])
    verb = third_person(base) if be == "is" else past(base)
    return clause, " ".join([*adverbs, verb, "{subject}", *words[1:]])


def _tense(be: str, adverbs: list[str]) -> str:
    """The verb before some adverbs: what was formerly so is so no longer."""
    return "was" if {"formerly", "previously", "originally"} & {*adverbs} else be


def fitted(clause: str, noun: str, filler: Filler, *, is_name: bool) -> tuple[str, Filler]:
    """The clause and the filler for one name, or for what is no name (`a section that …`, `it`).

    The noun beside a name is left out where the name has it: `belongs to group 11`.
    """
    if is_name and _described_by(noun, filler.name) and not clause.startswith(("is {", "has {")):
        return f"has {{a object}} {noun}", _with_article(_in_small(filler))
    if is_name and (many := _AS_ONE.search(clause)) and _is_kind(filler.name) and filler.name.islower():
        return f"{clause[: many.start()]} as {plural(noun)}", filler
    match = _APPOSED.search(clause)
    if match:
        phrase = match["after"] or match["before"]
        head = head_word(phrase)
        filler = replace(filler, name=filler.name.removesuffix(f" ({noun})"))  # not `the gimp (suite) suite`
        if not is_name or head.lower() in [singular(word) for word in filler.name.lower().split(" ")]:
            return clause[: match.start()] + "{object}", filler
        if match["after"] and " " not in filler.name and is_adjective(filler.name):
            return clause[: match.start()] + f"{{a object}} {phrase}", _with_article(filler)
        return clause, replace(filler, name=filler.name.removeprefix("the "))
    is_of_people = filler.name.islower() and is_person(filler.name) and not is_plural(head_word(filler.name))
    if is_name and is_of_people and "{a " not in clause:
        filler = _with_article(filler)
        return clause, replace(filler, name=filler.indefinite)
    if "{a object} " in clause and is_name:
        return clause, _with_article(_in_small(filler))
    if clause in ("is {object}", "is [{a object}|{objects}]") and is_name:
        return clause, _as_common(filler) if "{a " in clause else _in_small(filler)
    if is_name and filler.counted and clause.endswith("{object}") and (not noun or _VERB.match(clause)):
        return clause, replace(filler, name=filler.many)
    if not is_name and clause.endswith(f"{{object}} {noun}"):
        return clause.removesuffix(f" {noun}"), filler
    return clause, filler


def is_mass(noun: str) -> bool:
    """Whether a noun has no plural: `equipment`."""
    return head_word(noun) in word_list("mass_nouns")


def _described_by(noun: str, name: str) -> bool:
    """Whether a name is an adjective of a noun that has adjectives: a permissive licence."""
    is_single = noun and " " not in name
    return bool(is_single) and head_word(noun) in word_list("nouns_with_adjectives") and is_adjective(name)


def stripped(clause: str) -> str:
    """The clause without the noun beside its name."""
    return _APPOSED.sub("{object}", clause).replace(" the {object}", " {object}")


def _with_article(filler: Filler) -> Filler:
    return replace(filler, indefinite=with_article(filler.name))


def _in_small(filler: Filler) -> Filler:
    """An adjective without the capital of a heading's cell: `Tropical`, but `French`."""
    is_plain = filler.name.istitle() and not land_of(filler.name) and is_adjective(filler.name)
    return replace(filler, name=filler.name.lower()) if is_plain else filler


def _as_common(filler: Filler) -> Filler:
    """A kind in the plural as common noun: `a noble gas`, `noble gases`."""
    small = filler.name[:1].lower() + filler.name[1:]
    return replace(filler, indefinite=with_article(singular(small)), many=plural(singular(small)))


def answer_in(name: str) -> bool | None:
    """What a name means that is yes or no; None for other names."""
    small = name.lower()
    return True if small in _YES else False if small in _NO else None


def clause_of_answer(noun: str) -> str:
    """What `yes` says below a heading: `is contagious`, `is [a captain|captains]`, `has a balcony`."""
    if is_adjective(noun) or is_participle(noun.split(" ")[0]):
        return f"is {noun}"
    if is_person(noun):
        return f"is [{with_article(noun)}|{plural(noun)}]"
    if is_mass(noun) or is_plural(head_word(noun)):
        return f"has {noun}"
    return f"has {with_article(noun)}"
