"""Names in text: which forms count, held against a regular expression that says the same the slow way; names
letter by letter, in any case, and names of an index.
"""

import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rollcall.text.name_forms import END, forms, plain, usable
from rollcall.text.name_lookup import FoldedWords, NameFinder
from rollcall.text.names import NameMatcher, NamePattern, places_of_one, whole_words


def found(names, text):
    matcher = NameMatcher(plain(text))
    matcher.add(forms([names] if isinstance(names, str) else names), 0)
    return [text[start:end] for start, end, _keys in matcher.find()]


@pytest.mark.parametrize(
    ("names", "text", "expected"),
    [
        ("Marl", "He lives in Marl.", ["Marl"]),
        ("Marl", "Marl's mayor left Marl, and Marlow.", ["Marl", "Marl"]),
        ("Marl", "He likes marl and marls.", []),
        ("jazz", "Jazz is old. He plays jazz.", ["Jazz", "jazz"]),
        ("jazz", "The Jazz is a car.", []),
        ("jazz", "Two jazzes.", []),
        ("US", "The US is not us, nor Us.", ["US"]),
        ("Historical fiction", "She writes historical fiction.", ["historical fiction"]),
        ("Baltic amber", "It was found in Baltic amber.", ["Baltic amber"]),
        ("Tamil", "An Indian Tamil-language channel.", ["Tamil"]),
        ("Tamil", "An Indian Tamil language channel.", ["Tamil"]),
        ("Indian", "An Indian Tamil-language channel.", ["Indian"]),
        ("Indian", "An Indian Premier League club.", []),
        ("French", "A French Breton poet.", ["French"]),
        ("Danish", "A song by Danish DJ Mol.", ["Danish"]),
        ("Polish", "A Polish-Jewish judge.", ["Polish"]),
        ("American", "A Polish-American judge.", ["American"]),
        ("French", "A Polish-born French judge.", ["French"]),
        ("French", "She won the French Open.", []),
        ("French", "She is a French Olympic sailor.", ["French"]),
        ("French", "She is a former French Paralympic sailor.", ["French"]),
        ("French", "She sits on the French Olympic Committee.", []),
        ("Norrow", "He was a Norrow Republican politician.", ["Norrow"]),
        ("Republican", "He was a Norrow Republican politician.", ["Republican"]),
        ("Republican", "He founded the Norrow Republican Club.", []),
        ("Norrow", "A town in Northern Norrow.", ["Norrow"]),
        ("Norrow", "An office in Downtown Norrow.", ["Norrow"]),
        ("Ireland", "A town in Northern Ireland.", []),
        ("Marl", "It spans Ostrell's Marl and Venn.", ["Marl"]),
        ("Marl", "It spans Ostrell Marl and Venn.", []),
        ("Tamil", "An Indian Tamil -language film.", ["Tamil"]),
        ("P. G. Holt", "Stories by P.G. Holt and PG Holt.", ["P.G. Holt", "PG Holt"]),
        ("K.A.A. Marl", "He joined KAA Marl.", ["KAA Marl"]),
        ("Marl S.K.", "He joined Marl SK.", ["Marl SK"]),
        ("P. Holt", "Stories by P Holt.", []),
        ("Norrow line", "It is on the Norrow Line.", ["Norrow Line"]),
        ("2019 NBA draft", "Picked in the 2019 NBA Draft.", ["2019 NBA Draft"]),
        ("Least concern", "It is rated Least Concern.", ["Least Concern"]),
        ("Marl District", "In Marl district it rains.", ["Marl district"]),
        ("Marl District", "In Marl it rains.", []),
        ("Lakes Region", "West of the Five Lakes region.", []),
        ("Southwestern Norrow", "A town in southwestern Norrow.", ["southwestern Norrow"]),
        ("Shire of Norrow", "A town in the Norrow Shire.", ["Norrow Shire"]),
        ("Battle of Norrow", "He fell at the Norrow Battle.", []),
        ("stop motion", "A stop-motion film.", ["stop-motion"]),
        ("Centre-back", "He plays as Centre back.", ["Centre back"]),
        ("Atlético Marl", "He played for Atletico Marl.", ["Atletico Marl"]),
        ("Marl United F.C.", "He played for Marl United.", ["Marl United"]),
        ("FK Budur Marl", "Budur Marl won.", ["Budur Marl"]),
        ("Marl F.C.", "He was born in Marl.", []),
        ("P.G. von Holt", "He met von Holt.", []),
        ("Town of Ann's Bend, Upper Norrow (north-west)", "In Ann's Bend it rains.", []),
        ("Hawai'i", "An island of Hawaiʻi.", ["Hawaiʻi"]),
        (["Midfielder", "midfielder"], "He plays as a Midfielder for Marl.", ["Midfielder"]),
        ("Indian", "An American Indian poet.", []),
        ("York", "A New York-based firm.", []),
        ("Nintendo", "It came out for the Nintendo 64.", []),
        ("Marl", "In Marl 12 people met in 1990.", ["Marl"]),
        ("Marl", "He left Marl in Marl 1990.", ["Marl", "Marl"]),
        ("Bulgarian", "The church (Bulgarian: црква) is old.", []),
        ("Bulgarian", "One thing is Bulgarian: the church.", ["Bulgarian"]),
        ("actor", "Both actors met an actor.", ["actor"]),
        ("The Beatles", "He saw the Beatles.", ["the Beatles"]),
        ("O'Brien", "It was O’Brien who came.", ["O’Brien"]),
        ("Jean-Luc", "It was Jean‑Luc who came.", ["Jean‑Luc"]),
        ("São Paulo", "In Sa\u0303o Paulo it rains.", ["Sa\u0303o Paulo"]),
        ("Jose", "Jose\u0301 came.", []),
        ("York", "She lives in New York.", []),
        ("York", "In York it rains.", ["York"]),
        ("Paris", "He plays for Paris Saint-Germain.", []),
        ("Paris", "He left Paris, France.", ["Paris"]),
        ("Lorraine", "It is in Alsace-Lorraine.", []),
        ("Paris", "A Paris-based firm.", ["Paris"]),
        (["York", "New York"], "New York and York.", ["New York", "York"]),
        (["Marl, Norrow", "Norrow"], "He left Marl, Norrow.", ["Marl, Norrow", "Norrow"]),
        (["Marl, Norrow", "Marl"], "He left Marl, Norrow.", ["Marl, Norrow"]),
        (
            ["Rowing at the Norr Games", "Norr Games"],
            "In rowing at the Norr Games.",
            ["rowing at the Norr Games", "Norr Games"],
        ),
        ("(500) Days", "She saw (500) Days twice.", ["500) Days"]),
        ("C++", "Written in C++ by hand.", ["C++"]),
        ("it", "It is it.", []),
        ("1984", "He wrote 1984.", []),
        ("A", "A is a letter.", []),
        ("…", "Nothing … here", []),
    ],
)
def test_forms(names, text, expected):
    assert found(names, text) == expected


@pytest.mark.parametrize("name", ["", "!", "x", "12", "the", "It", "N/A"])
def test_vague_names_are_not_looked_for(name):
    assert not usable(name)


ALPHABET = st.sampled_from(
    ["Ann", "ann", "Marl", "é", "Ö", "b", "New", "York", "of", "the", "jazz", "'s", "-", " ", ",", "."]
)


@given(
    st.lists(ALPHABET, max_size=12),
    st.lists(st.sampled_from(["Ann Marl", "New York", "jazz", "Öb", "Marl of York"]), min_size=1),
)
def test_agrees_with_a_regular_expression(pieces, names):
    """Every match of the matcher is a whole-word match of a form, and the longest at its place."""
    text = unicodedata.normalize("NFC", " ".join(pieces))
    matcher = NameMatcher(text)
    matcher.add(forms(names), 0)
    every = forms(names)
    slow = {}
    for form in every:
        for match in re.finditer(rf"(?<!\w){re.escape(form.text)}(?!\w)", text):
            if not form.opening or not re.search(r"\w", text[: match.start()]):
                slow[match.start()] = max(slow.get(match.start(), 0), match.end())
    mentions = matcher.find()
    for start, end, _keys in mentions:
        assert slow.get(start) == end
    for start, end in slow.items():
        covered = any(place < end and start < place_end for place, place_end, _keys in mentions)
        capital = text[start].isupper()
        assert covered or capital, "only capitalised neighbours may hide a name"


@given(st.lists(st.lists(ALPHABET, max_size=8), min_size=1, max_size=4))
def test_a_page_is_searched_like_its_sentences(sentences):
    """Sentences joined give the mentions of each by itself."""
    names = forms(["Ann Marl", "York", "New York", "jazz", "Öb", "Marl of York"])
    texts = [unicodedata.normalize("NFC", " ".join(pieces)) for pieces in sentences]
    starts = [0]
    for text in texts[:-1]:
        starts.append(starts[-1] + len(text) + 1)
    page = NameMatcher(END.join(texts), starts)
    page.add(names, 0)
    single = []
    for text, first in zip(texts, starts, strict=True):
        matcher = NameMatcher(text)
        matcher.add(names, 0)
        single += [(first + start, first + end, keys) for start, end, keys in matcher.find()]
    assert page.find() == single


PIECES = st.sampled_from(
    [*("New", "York", "new", "Marl", "of", "The", "64", "US", "Öb", "Жук", "jazz", "Jazz"), *" -:.(", "'s "]
)
SENTENCES = st.lists(st.lists(PIECES, max_size=8).map("".join), min_size=1, max_size=4)
SOUGHT = st.lists(
    st.lists(
        st.sampled_from(["New York", "York", "Marl 64", "jazz", "US", "$New", "Öb", "The York"]), max_size=3
    ),
    min_size=1,
    max_size=4,
)


@given(SENTENCES, SOUGHT)
def test_many_names_and_single_sentences_are_searched_alike(sentences, sought):
    """Passing over names by their first words loses none, nor does a search of one sentence of many."""
    text = END.join(map(plain, sentences))
    starts = [sum(len(before) + 1 for before in sentences[:number]) for number in range(len(sentences))]
    found = []
    for many in (False, True):
        matcher = NameMatcher(text, starts, many=many)
        for key, names in enumerate(sought):
            matcher.add(forms(names), key)
        found.append(matcher.find())
    parts = [
        mention
        for start, sentence in zip(starts, sentences, strict=True)
        for mention in matcher.find(start, start + len(sentence))
    ]
    assert found[0] == found[1] == parts


def test_a_place_that_several_things_share_names_none_of_them():
    names = [forms(["Ann Marl", "Marl"]), forms(["Marl"]), forms(["Norrow"])]
    assert list(places_of_one("Ann Marl left Marl for Norrow.", names)) == [(0, 8, 0), (23, 29, 2)]


@given(st.text(alphabet="ab _-é1", max_size=12).map(str.strip).filter(bool), st.text("ab _-é1", max_size=40))
def test_whole_words_have_no_word_character_beside_them(name, text):
    overlapping = re.finditer(rf"(?<!\w)(?=({re.escape(name)})(?!\w))", text)
    assert list(whole_words(text, name)) == [match.span(1) for match in overlapping]


def test_nothing_is_no_name():
    assert list(whole_words("a b", "")) == []
    assert NamePattern(["", " "]).places("a b") == []


@pytest.mark.parametrize(
    ("names", "text", "expected"),
    [
        (["art"], "An artist likes ART.", ["ART"]),
        (["New  York", "York"], "In new\nyork, not in York.", ["new\nyork", "York"]),
        (["U.S.", "U.S.A."], "The U.S.A., or the u.s.", ["U.S.A.", "u.s."]),
        (["Straße"], "Straße, STRASSE, strasse", ["Straße", "STRASSE", "strasse"]),
        (["İzmir"], "İzmir", ["İzmir"]),
    ],
)
def test_names_in_any_case_and_with_any_spaces(names, text, expected):
    assert [text[start:end] for start, end in NamePattern(names).places(text)] == expected


class Names:
    """The names of a small graph, each of the entity of its number."""

    def __init__(self, *names: str) -> None:
        self.names = names

    def named(self, folded):
        return [number for number, name in enumerate(self.names) if name == folded]

    def has_name_beginning(self, folded):
        return any(name.startswith(folded) for name in self.names)


def test_readers_take_the_longest_name_and_ask_weighs_all_of_them():
    finder = NameFinder(Names("salt", "salt road", "the", "film editor", "road"))
    text = "The Salt  Road of film editors"
    assert [(one.text, one.entities) for one in finder.mentions(text)] == [("Salt  Road", (1,))]
    words = FoldedWords(text)
    assert [one.name for one in finder.names_from(words, 1)] == ["salt", "salt road"]
    assert list(finder.names_from(words, 4)) == []
    plurals = list(finder.names_from(words, 4, lambda folded: [folded.removesuffix("s")]))
    assert plurals == [(6, "film editor", (3,))]
