"""Names as running text writes them: common nouns small, demonyms, places that name the topic too."""

import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from rollcall.corpus import make_corpus
from rollcall.evidence import find_evidence
from rollcall.evidence.candidate import CandidateSentence
from rollcall.graph import write_graph
from rollcall.text.name_forms import forms
from rollcall.text.nouns import demonyms

PAGES = {
    "Pitcher": "In baseball, the pitcher throws the ball. A pitcher stands on a mound.",
    "Catcher": "A catcher stands behind the batter.",
    "Forward": "Forwards are the players in front.",
    "Eleven": "Eleven shows films and news.",
    "Ben Vale": "Ben Vale plays as a forward.",
    "Late Talk": "Late Talk is a show of eleven seasons.",
    "Cy Dorn": "Cy Dorn sat in parliament for the Liberal Party.",
    "Ed Fell": "Ed Fell ran for Ostrell State.",
    "Earthquake": "Earthquake is a film about an earthquake. In Earthquake many houses fall.",
    "Baltic amber": "Baltic amber is found by the sea.",
    "France": "France is a country.",
    "Gloucester, Ostrell": "Gloucester is a town in the state of Ostrell.",
    "Hotel Marl": "Hotel Marl is a hotel in Marl.",
    "Orla Marl": "Orla Marl was a painter. Marl died young.",
    "Ann Bell": "Ann Bell was a pitcher. She survived an earthquake and was a French citizen.",
    "Fossil One": "Fossil One was found in Baltic amber.",
    "Channel One": "Channel One is a French Tamil-language station.",
    "Mia Holt": "Mia Holt is a French fencer and a violinist.",
    "Fencing (sport)": "Fencing is fought with blades.",
    "Pairs race": "The pairs race was an event in rowing at the 2004 Norrish Games.",
    "Solo": "She asked for rowing at the club.",
    "Velon": "Velon is a pale gas of the noble kind.",
    "Quill": "A noble gas, found in the United States.",
    "Norite": "Norite is sold in the UK.",
    "Slow Row": "Take a barbell with both hands.",
    "Deep Bend": "Lift the barbell with a straight back.",
    "Tour One": "They sailed to an island in the Star and saw a star.",
    "Tour Two": "A star was seen.",
    "Marlview": "Marlview opens MP3 files and shows an image. It is a text editor.",
}
FACTS = [
    ("Ann Bell", "position", "Pitcher", True),
    ("Dan Moss", "position", "Catcher", False),
    ("Ben Vale", "position", "Forward", True),
    ("Late Talk", "network", "Eleven", False),
    ("Cy Dorn", "elected party", "Liberal", True),
    ("Ed Fell", "home state", "Ostrell", False),
    ("Ann Bell", "film", "Earthquake", False),
    ("Ann Bell", "nationality", "France", True),
    ("Ann Bell", "place of birth", "France", False),
    ("Fossil One", "unit", "Baltic amber", True),
    ("Gloucester, Ostrell", "state", "Ostrell", True),
    ("Hotel Marl", "town", "Marl", True),
    ("Orla Marl", "home", "Marl", False),
    ("Channel One", "country", "France", True),
    ("Channel One", "language", "Tamil", True),
    ("Mia Holt", "sport", "Fencing (sport)", True),
    ("Mia Holt", "instruments", "Violin", True),
    ("Mia Holt", "award", "Violin", False),
    ("Mia Holt", "nat", "France", True),
    ("Pairs race", "sport", "Rowing at the 2004 Norrish Games", True),
    ("Solo", "sport", "Rowing at the 2004 Norrish Games", False),
    ("Quill", "series", "Noble gases", True),
    ("Velon", "series", "Noble gases", False),
    ("Velon", "series", "Alkali metals", False),
    ("Velon", "series", "Halogens", False),
    ("Quill", "mined in", "USA", True),
    ("Norite", "sold in", "United Kingdom", True),
    ("Norite", "sold in", "USA", False),
    ("Marlview", "file format", "mp3", True),
    ("Marlview", "works with", "images", True),
    ("Marlview", "section", "editors", False),
    ("Slow Row", "equipment", "Barbell", True),
    ("Deep Bend", "equipment", "Barbell", True),
    ("Tour One", "ship", "Star", True),
    ("Tour Two", "ship", "Star", False),
]


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    """The facts for which a sentence names both ends, and how it does."""
    folder = tmp_path_factory.mktemp("forms")
    facts = [fact[:3] for fact in FACTS]
    write_graph(folder / "graph", facts=facts)
    lines = [{"id": page, "title": page, "text": text, "entity": page} for page, text in PAGES.items()]
    (folder / "pages.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    make_corpus([folder / "pages.jsonl"], folder / "corpus", graph=folder / "graph", jobs=1)
    rows = [dict(zip(("subject", "relation", "object"), fact, strict=True), literal=False) for fact in facts]
    pq.write_table(pa.Table.from_pylist(rows), folder / "facts.parquet")
    out = folder / "evidence.parquet"
    find_evidence(folder / "graph", folder / "corpus", folder / "facts.parquet", out, verifier="none", jobs=1)
    return {
        (row["subject"], row["relation"], row["object"]): row["name"]
        for row in pq.read_table(out).to_pylist()
    }


@pytest.mark.parametrize("fact", FACTS, ids=lambda fact: f"{fact[0]} {fact[1]}")
def test_facts_are_found_where_text_names_both_ends(found, fact):
    assert (fact[:3] in found) == fact[3]


def test_evidence_says_how_the_name_was_written(found):
    assert found["Ann Bell", "position", "Pitcher"] == "pitcher"
    assert found["Ann Bell", "nationality", "France"] == "French"
    assert found["Cy Dorn", "elected party", "Liberal"] == "Liberal Party"


def test_every_country_has_a_word_that_is_not_its_name():
    for country, words in demonyms().items():
        assert words, country
        assert country not in words
    assert demonyms()["United States"] == ["American"]
    assert demonyms()["Costa Rica"] == ["Costa Rican"]


def test_a_common_noun_may_keep_the_capital_of_its_title() -> None:
    texts = {one.text for one in forms(["Folk music", "Folk", "folk music"]) if not one.opening}
    assert {"Folk music", "folk music"} <= texts


@pytest.mark.parametrize(
    ("text", "side", "object_places", "defines"),
    [
        ("Marl is a text editor.", "subject", ((0, 4),), True),
        ("Marl is the default editor.", "subject", ((0, 4),), False),
        ("Marl was a founder of it.", "subject", ((0, 4),), False),
        ("It needs Marl.", "subject", ((9, 13),), False),
        ("Marl is a text editor.", "neither", ((0, 4),), False),
        ("Marl is a text editor.", "object", ((0, 4),), False),
    ],
)
def test_a_sentence_about_the_other_end_alone_states_no_fact(text, side, object_places, defines):
    sentence = CandidateSentence("Norr", "depends on", "Marl", text, side=side, object_places=object_places)
    assert sentence.defines_other_end == defines
