"""The normalisers: what they hold equal, what apart, and that they agree with independent statements."""

import re
import string

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from rollcall.score.match import name_key, name_keys, normalise, normalise_all, words

TEXT = st.text(st.one_of(st.characters(), st.sampled_from(" -'.,&the aAn\n\t123éÉø²–’“́​")), max_size=20)


@pytest.mark.parametrize(
    "names",
    [
        ["The Beatles", "beatles", "Beatles!", " the  Beatles "],
        ["São Paulo", "Sao Paulo", "SA\u0303O PAULO"],
        ["U.S.A.", "USA", "usa"],
        ["García-López", "Garcia Lopez", "García–López"],
        ["O'Brien", "O’Brien", "OBrien"],
        ["Straße", "STRASSE"],
        ["İzmir", "Izmir", "izmir"],
        ["a-ha", "Aha"],
        ["Garden & River", "garden and river"],
        ["“Heroes”", '"Heroes"', "Heroes"],
        ["1,000", "1000"],
        ["ジョン・レノン", "ジョンレノン"],
        ["ΑΘΗΝΑ", "Αθήνα"],
        ["ＡＢＣ", "abc"],
        ["Łódź", "Lodz"],
        ["٣", "3"],
    ],
)
def test_same_name(names: list[str]) -> None:
    assert len(set(name_keys(names))) == 1


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("C", "C++"),
        ("C#", "C"),
        ("3.5", "35"),
        ("-5", "5"),
        ("1 1", "11"),
        ("1914–18", "191418"),
        ("Vitamin A", "Vitamin"),
        ("Йод", "Иод"),
        ("か", "が"),
        ("!!!", "???"),
        ("The", "A"),
    ],
)
def test_other_name(one: str, other: str) -> None:
    assert name_key(one) != name_key(other)


@given(TEXT)
def test_a_name_never_becomes_nothing(name: str) -> None:
    import unicodedata

    visible = [sign for sign in name if not sign.isspace() and unicodedata.category(sign) not in ("Cc", "Cf")]
    if any(unicodedata.category(sign)[0] in "LNPS" for sign in visible):
        assert name_key(name)
    if not visible:
        assert not name_key(name)


@given(TEXT)
def test_a_key_is_its_own_key(name: str) -> None:
    assert name_key(name_key(name).decode(errors="surrogatepass")) == name_key(name)


@given(TEXT)
def test_case_and_composition_do_not_matter(name: str) -> None:
    import unicodedata

    assert name_key(unicodedata.normalize("NFD", name)) == name_key(unicodedata.normalize("NFC", name))
    if name.isascii():
        assert name_key(name.upper()) == name_key(name)


@given(st.lists(TEXT, max_size=6))
def test_many_at_a_time_is_one_by_one(names: list[str]) -> None:
    assert name_keys(names) == [name_key(name) for name in names]
    for boundary in ("re", "regex"):
        assert normalise_all(names, boundary) == [normalise(name, boundary) for name in names]


@given(TEXT)
def test_published_normaliser_as_described(text: str) -> None:
    """Lower, delete ASCII punctuation, blank out articles by either boundary, squeeze."""
    bare = "".join(sign for sign in text.lower() if sign not in string.punctuation)
    articles = r"\b(a|an|the)\b"
    assert normalise(text, "re") == " ".join(re.sub(articles, " ", bare).split())
    assert normalise(text, "regex") == " ".join(regex.sub(articles, " ", bare).split())


def test_words_of_running_text() -> None:
    assert words("The “Río Negro”, (1,000 km) – U.S.A.'s") == "the rio negro 1000 km usas"


@given(st.text(st.characters(max_codepoint=255, exclude_characters="\n\r"), max_size=12))
def test_company_does_not_change_a_western_name(name: str) -> None:
    """Names of Latin-1 alone are replaced by one table, mixed ones character by character."""
    assert name_keys([name, "x"])[0] == name_keys([name, "Łódź"])[0]
