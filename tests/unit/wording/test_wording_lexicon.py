"""The lexicon: every relation has its words, the words follow the rules, mistakes name their line."""

import re
import subprocess
import sys

import pytest

from places import DATA
from rollcall import RollcallError
from rollcall.query import parse_value
from rollcall.text import nouns
from rollcall.text.nouns import plural, singular, with_article
from rollcall.text.verbs import base_of
from rollcall.text.words import word_list
from rollcall.wording import Lexicon
from rollcall.wording.generic import Ends
from rollcall.wording.phrases import Filler, VerbPhrase
from rollcall.world._dump import PROPERTIES
from rollcall.world._vocabulary import CLASSES, RELATIONS

LEXICON = Lexicon.load()
ENTRIES = {id_: LEXICON.entry(id_) for id_ in LEXICON.relations()}


def published_uses():
    lines = (DATA / "qampari_relations.tsv").read_text().splitlines()[1:]
    return {id_: uses.split(",") for id_, uses in (line.split("\t") for line in lines)}


def test_every_published_relation_has_an_entry_with_its_uses():
    published = published_uses()
    assert len(published) == 274
    for id_, uses in published.items():
        assert id_ in LEXICON
        assert set(uses) == set(ENTRIES[id_].use), id_
    assert len([id_ for id_ in published if id_ in LEXICON.relations("simple")]) == 153
    assert len([id_ for id_ in published if id_ in LEXICON.relations("composition")]) == 270


def test_every_relation_of_the_world_has_an_entry_that_knows_its_label():
    for id_, label, *_ in PROPERTIES:
        assert id_ in LEXICON, label
        assert LEXICON.entry(id_).label == label


def test_relations_that_cannot_be_asked_about_have_no_use():
    assert {"P854", "P813", "P214", "P248"}.isdisjoint(
        {*LEXICON.relations("simple"), *LEXICON.relations("composition")}
    )


DOUBLED = re.compile(r"\b(\w+) \1\b", re.I)
FORMS = [(many, denied) for many in (False, True) for denied in (False, True)]


@pytest.mark.parametrize("entry", ENTRIES.values(), ids=ENTRIES)
def test_an_entry_follows_the_rules(entry):
    sentence = entry.statement("Subject-1", "Object-2")
    assert sentence.count("Subject-1") == sentence.count("Object-2") == 1
    assert sentence.endswith(".")
    assert sentence[0].isupper()
    said = [sentence]
    other = Filler("Object-2", indefinite="an Object-2", many="Object-2s", when="in Object-2")
    for clause in (entry.forward, entry.object_clause):
        for many, denied in FORMS:
            phrase = VerbPhrase(clause, other, denied).said(many=many, person=False)
            assert phrase.count("Object-2") == 1
            assert denied == (" not " in f" {phrase} ")
            assert not many or not re.match(r"(?:is|was|has|does)\b", phrase)
            assert many or denied or not re.match(r"(?:are|were|have|do)\b", phrase)
            said.append(phrase)
    for text in said:
        assert not re.search(r"[{}\[\]|]|  ", text), text
        assert not DOUBLED.search(text), text
        assert not re.search(r"\ba [aeiou]", text.replace("a uni", "")), text
    if entry.noun:
        assert entry.nouns != entry.noun or singular(entry.noun) != entry.noun or entry.noun in INVARIABLE, (
            entry.noun
        )
    assert plural(entry.subjects)
    assert plural(entry.objects)
    assert all(cue == cue.lower() and cue.strip() for cue in entry.cues)
    assert entry.cues


INVARIABLE = ("series", "species kept", "total liabilities", "total assets")


def test_past_forms_lead_back_to_their_infinitives():
    """All that the clauses use; the rest of English is guessed by rule."""
    known = """
        died die, held hold, wrote write, played play, directed direct, discovered discover, killed kill,
        educated educate, composed compose, edited edit, employed employ, illustrated illustrate, won win,
        founded found, published publish, starred star, appeared appear, produced produce, created create,
        performed perform, manufactured manufacture, developed develop, served serve, designed design,
        presented present, legislated legislate, lived live, began begin, ended end, took take, fought fight,
        involved involve, drafted draft, translated translate, organized organize, entered enter, made make,
        influenced influence, distributed distribute, contributed contribute, taught teach, studied study,
        inspired inspire, donated donate, worshipped worship, suffered suffer, caused cause, replaced replace,
        wore wear, choreographed choreograph, invested invest, narrated narrate, conducted conduct, gave give,
        adapted adapt, coached coach, ratified ratify, coloured colour, scored score, animated animate,
        worked work, commissioned commission, received receive, printed print, broadcast broadcast, had have,
        cost cost, crosses cross, carries carry, applies apply, lies lie, has have, uses use, dates date,
        planned plan, visited visit, managed manage, opened open, robbed rob, called call, passed pass,
        finished finish, separated separate, heard hear, started start, consecrated consecrate, flew fly
    """
    for pair in known.split(","):
        form, base = pair.split()
        assert base_of(form) == base
    listed = {pair.split()[0] for pair in known.split(",")}
    used = {clause.split()[0] for e in ENTRIES.values() for clause in (e.forward, e.object_clause)}
    assert {verb for verb in used if not verb.endswith("s")} <= listed


MUTUAL = ("P26", "P47", "P190", "P530")


def test_statements_go_the_way_the_worlds_sentences_go():
    """The world's articles say the same relations in words of their own, with the ends marked."""
    agreeing = 0
    for relation in RELATIONS:
        sentence = LEXICON.entry(relation.id).statement("{S}", "{O}")
        swapped = LEXICON.entry(relation.id).statement("{O}", "{S}")
        patterns = {re.sub(r"\{a O\}", "{O}", line.strip()) for line in relation.text.strip().splitlines()}
        agreeing += sentence in patterns
        assert swapped not in patterns or relation.id in MUTUAL, relation.label
    assert agreeing >= 40


@pytest.mark.parametrize(
    ("relation", "object_", "sentence"),
    [
        ("P57", "Orla Venn", "UHF was directed by Orla Venn."),
        ("P161", "Orla Venn", "UHF starred Orla Venn."),
        ("P22", "Orla Venn", "Orla Venn is the father of UHF."),
        ("P40", "Orla Venn", "Orla Venn is a child of UHF."),
        ("P106", "actor", "UHF worked as an actor."),
        ("P31", "film", "UHF is a film."),
        ("P58", "Orla Venn", "UHF had its screenplay written by Orla Venn."),
        ("P569", parse_value("@1960-05-17"), "UHF was born on 17 May 1960."),
        ("P569", parse_value("@1960"), "UHF was born in 1960."),
        ("P569", "17 May 1960", "UHF was born on 17 May 1960."),
        ("P2048", parse_value("8848[metre]"), "UHF is 8,848 metres tall."),
        ("P1083", parse_value("1500"), "UHF has a maximum capacity of 1,500."),
        ("P112", "Apple Inc.", "UHF was founded by Apple Inc."),
        ("on list", "List of lakes of Norrowind", "UHF is one of the lakes of Norrowind."),
        ("on list", "2008 in video gaming", "UHF is one of the entries of “2008 in video gaming”."),
        ("list:List of lakes#Depth", parse_value("30[metre]"), "UHF has 30 metres as its depth."),
    ],
)
def test_statements(relation, object_, sentence):
    assert LEXICON.entry(relation).statement("UHF", object_) == sentence


def test_underspecified_relations_name_the_types_that_split_them():
    assert ENTRIES["P57"].types == ("film", "television series", "song", "album", "creative work")
    assert "architectural structure" in ENTRIES["P547"].types
    assert ENTRIES["P19"].types == ()
    assert ENTRIES["P275"].label == "copyright license"
    assert "play" not in ENTRIES["P275"].types


def test_types_are_known_by_wikidatas_ids_and_as_the_world_knows_them():
    assert LEXICON.type_id("film") == "Q11424"
    assert LEXICON.type_id("zork") is None
    for class_ in CLASSES.values():
        assert LEXICON.type_id(class_.label) in (None, class_.id)
    named = {label for entry in ENTRIES.values() for label in entry.types}
    assert len([label for label in named if LEXICON.type_id(label)]) > 0.7 * len(named)


def test_lookup_by_id_then_by_label_then_by_rule():
    assert LEXICON.entry("P57", "something else").label == "director"
    by_label = LEXICON.entry("director")
    assert (by_label.id, by_label.forward) == ("director", "was directed by {object}")
    assert LEXICON.entry("R1", "Cast Member").forward == "starred {object}"
    assert LEXICON.entry("R1", "zork").generic
    assert LEXICON.entry("sport").generic  # too many meanings for a label alone


def test_an_alias_says_no_more_of_who_acts_than_the_graph_does():
    for objects in ("", "thing", "person or thing", "person", "workshop"):
        entry = LEXICON.entry("R1", "Made by", Ends("artwork", objects))
        assert entry.generic
        assert entry.forward == "is made by {object}"
        assert entry.objects == (objects or "person or thing")
    assert LEXICON.entry("R1", "Made by", Ends("car", "company")).forward == "is made by {object}"
    for label, objects in (("manufacturer", ""), ("Manufacturer", "thing")):
        assert LEXICON.entry("R1", label, Ends("car", objects)).forward == "was manufactured by {object}"
    assert LEXICON.entry("P176", "made by", Ends("car", "")).objects == "company"
    assert LEXICON.entry("R1", "born in", Ends("person", "")).forward == "was born in {object}"
    assert not LEXICON.entry("R1", "directed by", Ends("film", "")).generic


GENERIC = """
zork | zork | zorks | has {object} as {its} zork
city or town | city or town | cities or towns | has {object} as {its} city or town
notes | notes | notes | has {object} in {its} notes
population 2011 | population in 2011 | populations in 2011 | has {object} as {its} population in 2011
artist s job | artist's job | artist's jobs | has {object} as {its} artist's job
year s won | year won | years won | has {object} among {its} years won
moving from | | | is moving from {object}
situated in | | | is situated in {object}
penned by | | | was penned by {object}
originally printed in | | | was originally printed in {object}
has sidekick | sidekick | sidekicks | has {object} as a sidekick
overlooks | | | overlooks {object}
runners up | runner up | runners up | has {object} among {its} runners up
wins | win | wins | has {object} among {its} wins
opened | opening date | opening dates | was opened {on object}
envoy to | | | is [an envoy|envoys] to {object}
capacity mw | capacity in mw | capacities in mw | has {object} as {its} capacity in mw
p | “p” value | “p” values | has {object} as {its} “p” value
pos | pos | “pos” values | has {object} as {its} pos
year | year | years | has {object} as {its} year
"""


@pytest.mark.parametrize("row", GENERIC.strip().splitlines())
def test_generic_entries(row):
    label, noun, nouns, forward = (cell.strip() for cell in re.split(r" \|(?= )", row))
    entry = LEXICON.entry("R1", label)
    assert entry.generic
    assert (entry.noun, entry.nouns if entry.noun else "", entry.forward) == (noun, nouns, forward)


def test_a_relation_without_a_name_still_has_words():
    assert LEXICON.entry("").statement("A", "B") == "A has B as its “” value."


@pytest.mark.parametrize(
    ("noun", "many"),
    [
        ("person", "people"), ("series", "series"), ("child", "children"), ("thesis", "theses"),
        ("editor-in-chief", "editors-in-chief"), ("country of origin", "countries of origin"),
        ("sex or gender", "sexes or genders"), ("body of water", "bodies of water"), ("museum", "museums"),
        ("runner up", "runners up"), ("head of state", "heads of state"), ("films", "films"), ("MP", "MPs"),
        ("piece of software", "pieces of software"), ("brother-in-law", "brothers-in-law"),
    ],
)  # fmt: skip
def test_plurals(noun, many):
    assert plural(noun) == many


def test_articles_follow_sound():
    vowel = (
        "apple",
        "hour",
        "MP",
        "Étude",
        "8-bit game",
        "11",
        "1800 map",
        "umbrella",
        "r",
        "uninhabited island",
        "heir",
    )
    other = (
        "university",
        "UFO",
        "European",
        "one-act play",
        "unit",
        "180 map",
        "house",
        "user",
        "“big” value",
        "union",
    )
    assert [with_article(word).split()[0] for word in vowel] == ["an"] * len(vowel)
    assert [with_article(word).split()[0] for word in other] == ["a"] * len(other)


# -- files of one's own --------------------------------------------------------------------------------------


def test_a_users_file_adds_and_changes(tmp_path):
    (tmp_path / "mine.yaml").write_text(
        "P57: {forward: 'was made by {object}', cues: []}\n"
        "zork:\n  label: zork\n  forward: zorked {object}\n  backward: was zorked by {subject}\n"
    )
    lexicon = Lexicon.load(tmp_path / "mine.yaml")
    assert lexicon.entry("P57").statement("UHF", "Orla") == "UHF was made by Orla."
    assert lexicon.entry("P57").noun == "director"
    assert lexicon.entry("zork").statement("A", "B") == "A zorked B."
    assert "zork" in lexicon.relations("simple")
    assert LEXICON.entry("P57").statement("UHF", "Orla") == "UHF was directed by Orla."


MISTAKES = """
a:~  label: b~  forwards: c {object}
    line 3: a has an unknown field 'forwards'; did you mean forward?
a:~  label: b~  forward: was made
    line 3: forward must hold the other end exactly once
a:~  label: b~  forward: was {object} by {object}
    line 3: forward must hold the other end exactly once
a:~  label: b~  backward: made {object}
    line 3: backward must hold the other end exactly once
a:~  label: b~  forward: was made by {the object} and {object}
    line 3: {the object} is not a placeholder
a:~  label: b~  forward: was was by {object}
    line 3: forward says 'was' twice
a:~  noun: b
    line 1: a needs a label
a:~  label: b~~~  use: [sample]
    line 5: 'sample' is not a use; choose one of simple, composition
a:~  label: b~  statement: '{subject} is it'
    line 3: a statement holds {subject} once and {object} once
a:~  label: [b]
    line 2: label must be one text
a:~  label: b~  types: {c: d}
    line 3: types must be a list of texts
a:~  label: b~  single: maybe
    line 3: single is true or false, not 'maybe'
a:~  label: b~  label: c
    line 3: a has label twice
a: {label: b}~a: {label: c}
    line 2: there is already an entry for a
a: b
    line 1: the entry of a must be a mapping of fields
- a
    line 1: a lexicon file maps relation ids to entries
a:~  label: 'b
    not YAML
"""
LINES = MISTAKES.strip().splitlines()


@pytest.mark.parametrize(("text", "problem"), list(zip(LINES[::2], LINES[1::2], strict=True)))
def test_mistakes_name_file_and_line(tmp_path, text, problem):
    path = tmp_path / "mine.yaml"
    path.write_text(text.replace("~", "\n") + "\n")
    with pytest.raises(RollcallError) as error:
        Lexicon.load(path)
    assert str(error.value).startswith(str(path))
    assert problem.strip() in str(error.value)
    assert "\n" not in str(error.value)


def test_a_missing_file_is_reported(tmp_path):
    with pytest.raises(RollcallError, match=r"none\.yaml: no such lexicon file"):
        Lexicon.load(tmp_path / "none.yaml")


def test_plain_rules_agree_with_the_library():
    """Words that a rule settles are never looked up; the library says the same of them."""
    engine = nouns._engine()
    phrases = [text for e in ENTRIES.values() for text in (e.noun, e.subjects, e.objects, *e.types)]
    words = {word for text in (*phrases, *word_list("people")) for word in text.split() if len(word) > 3}
    settled = [word for word in words if not word.endswith("s") and nouns._settled_plural(word)]
    assert len(settled) > 300
    for word in settled:
        assert nouns._settled_plural(word) == engine.plural_noun(word)
        assert nouns._plain_stem(nouns._settled_plural(word)) in (word, "")


def test_usual_questions_are_worded_without_loading_the_library():
    program = (
        "import sys; from rollcall.query import Query; from rollcall.wording import Realiser\n"
        "for text in ('?x P57 A', '?1 P131 A; ?1 a building; ?1 P2048 ?x', '?1 P40 ?x; ?1 P19 A'):\n"
        "    Realiser().word(Query.parse(text))\n"
        "print('inflect' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
