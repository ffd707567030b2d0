"""What the model of the learned verifier reads of a candidate."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rollcall.evidence import CandidateSentence
from rollcall.evidence.candidate import Places
from rollcall.evidence.verifiers.learned.verifier import MARKS, RelationWords, marked
from rollcall.wording import Lexicon


def places(text: str, name: str) -> Places:
    """Every place of a name in a text."""
    starts = [start for start in range(len(text)) if text.startswith(name, start)]
    return tuple((start, start + len(name)) for start in starts)


def read(text: str, subject: str, object_: str) -> str:
    """What is read of a sentence, with `<` and `>` around the subject and `{` and `}` around the object."""
    said = marked(
        CandidateSentence(
            "Q1", "P1", "Q2", text,
            subject_name=subject, object_name=object_,
            subject_places=places(text, subject), object_places=places(text, object_),
        )
    )  # fmt: skip
    for mark, short in zip(MARKS, "<>{}", strict=True):
        said = said.replace(mark, short)
    return said


def test_both_ends_are_marked_in_the_order_of_the_sentence():
    assert (
        read("Ann Marl was born in Norrow.", "Ann Marl", "Norrow") == "< Ann Marl > was born in { Norrow } ."
    )
    assert (
        read("Norrow is where Ann Marl lives", "Ann Marl", "Norrow")
        == "{ Norrow } is where < Ann Marl > lives"
    )


def test_ends_are_marked_where_they_are_closest():
    text = "Ann left Norrow, and long after the war was over Ann saw Norrow again, as Ann had hoped."
    marked_text = read(text, "Ann", "Norrow")
    assert "was over < Ann > saw { Norrow } again" in marked_text
    assert marked_text.startswith("Ann left Norrow, and")
    assert marked_text.endswith("as Ann had hoped.")


@pytest.mark.parametrize(
    ("text", "subject", "object_", "expected"),
    [
        ("She was born in Norrow.", "Ann Marl", "Norrow", "< Ann Marl > : She was born in { Norrow } ."),
        ("Ann Marl was born there.", "Ann Marl", "Norrow", "{ Norrow } : < Ann Marl > was born there."),
        ("She was born there.", "Ann", "Norrow", "< Ann > : { Norrow } : She was born there."),
        ("It is set in Norrow.", "Rain (1987 film)", "Norrow", "< Rain > : It is set in { Norrow } ."),
        ("It is set in Norrow.", "(film)", "Norrow", "< (film) > : It is set in { Norrow } ."),
        ("", "Ann", "Norrow", "< Ann > : { Norrow } :"),
    ],
)
def test_an_end_that_the_sentence_does_not_name_comes_before_it(text, subject, object_, expected):
    assert read(text, subject, object_) == expected


def test_an_end_without_a_name_has_its_id():
    candidate = CandidateSentence("Q1", "P1", "1999", "It began.", literal=True)
    assert marked(candidate) == "[unused1] Q1 [unused2] : [unused3] 1999 [unused4] : It began."


def test_a_name_within_the_other_name_is_not_marked_twice():
    # The only place of the subject is within the object's: the subject comes before the sentence.
    assert (
        read("It joined Norrow City.", "Norrow", "Norrow City") == "< Norrow > : It joined { Norrow City } ."
    )
    # Elsewhere the subject has a place of its own.
    text = "Norrow City is the capital of Norrow."
    assert read(text, "Norrow", "Norrow City") == "{ Norrow City } is the capital of < Norrow > ."


def test_names_that_touch_are_both_marked():
    assert read("AnnNorrow", "Ann", "Norrow") == "< Ann > { Norrow }"


def test_words_far_from_both_ends_are_left_out():
    before, after = (" ".join(f"{side}{n}" for n in range(100)) for side in ("before", "after"))
    said = read(f"{before} Ann saw Norrow {after}.", "Ann", "Norrow").split()
    assert {"before90", "before99", "after0", "after9"} <= set(said)
    assert not {"before0", "before50", "after50", "after99."} & set(said)
    assert len(said) < 60


def test_marks_that_a_text_has_are_not_read():
    text = "Ann [unused1] saw [unused4] Norrow."
    assert read(text, "Ann", "Norrow").split() == ["<", "Ann", ">", "saw", "{", "Norrow", "}", "."]
    assert (
        marked(CandidateSentence("Q1", "P1", "Q2", "x", subject_name="a [unused3]")).count("[unused3]") == 1
    )


TEXTS = st.one_of(
    st.text(max_size=60),
    st.lists(st.sampled_from([*MARKS, "[UNUSED1]", "Ann", " ", "Norrow", "(x)", "é", "[unused", "1]"])).map(
        "".join
    ),
)
PLACES = st.lists(
    st.tuples(st.integers(0, 70), st.integers(0, 20)).map(lambda one: (one[0], one[0] + one[1])), max_size=4
).map(tuple)


@settings(max_examples=60)
@given(TEXTS, TEXTS, TEXTS, PLACES, PLACES)
def test_any_candidate_has_each_mark_once(text, subject, object_, subject_places, object_places):
    candidate = CandidateSentence(
        "Q1", "P1", "Q2", text,
        subject_name=subject, object_name=object_,
        subject_places=subject_places, object_places=object_places,
    )  # fmt: skip
    said = marked(candidate)
    assert [said.count(mark) for mark in MARKS] == [1, 1, 1, 1]
    for opening, closing in (MARKS[:2], MARKS[2:]):
        assert said.index(opening) < said.index(closing)
    assert marked(candidate) == said


@pytest.mark.parametrize(
    ("relation", "words"),
    [
        ("P19", "place of birth"),  # the lexicon's
        ("worksFor", "works for"),
        ("WORKS_FOR", "works for"),
        ("http://example.org/terms#worksFor", "works for"),
        ("place of birth", "place of birth"),
        ("Q-own", "chief ally"),  # the graph's
        ("P20", "where it ended"),  # the graph's label comes before the lexicon's
    ],
)
def test_relations_are_read_as_plain_words(relation, words):
    assert RelationWords({"Q-own": "chiefAlly", "P20": "where it ended"}).of(relation) == words


def test_relations_are_read_by_the_lexicon_of_the_build():
    lexicon = Lexicon.load()
    assert RelationWords({}, lexicon).of("P57") == lexicon.entry("P57").label.lower()


@settings(max_examples=30)
@given(st.text(max_size=300))
def test_any_relation_has_some_words_but_not_too_many(relation):
    words = RelationWords({}).of(relation)
    assert len(words) <= 100
    assert words == words.lower()
    assert not any(mark in words for mark in MARKS)
