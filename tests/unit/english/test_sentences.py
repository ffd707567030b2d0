"""Sentences and passages: nothing is lost, and boundaries are where readers see them."""

import json
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from places import ROOT, SHARED
from rollcall import RollcallError
from rollcall.corpus import Chunking
from rollcall.corpus.shard import pack, qampari
from rollcall.text.sentences import split

LABELLED = ROOT / "benchmarks" / "sentences.txt"
REFERENCE = SHARED / "reference" / "qampari_chunking.json"
TOO_HARD = {"bell hooks was read widely."}
"""Paragraphs that no splitter is asked to get right, by their first sentence."""


def labelled():
    paragraphs = LABELLED.read_text(encoding="utf-8").split("\n\n")
    lines = [
        [line for line in paragraph.splitlines() if not line.startswith("#")] for paragraph in paragraphs
    ]
    return [sentences for sentences in lines if sentences[0] not in TOO_HARD]


@pytest.mark.parametrize("sentences", labelled(), ids=lambda sentences: sentences[0][:40])
def test_labelled_paragraphs_are_split_as_readers_do(sentences):
    text = " ".join(sentences)
    assert [text[start:end] for start, end in split(text)] == sentences


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("他来了。她走了！", ["他来了。", "她走了！"]),
        ("「行く。」と言った。", ["「行く。」", "と言った。"]),
        ("वह आया। वह गया।", ["वह आया।", "वह गया।"]),
        ("（やってるか！, Minna）Yes。", ["（やってるか！, Minna）Yes。"]),
        ("In Dude! (2008) he sang. Why? (Ask him.)", ["In Dude! (2008) he sang.", "Why?", "(Ask him.)"]),
        ("One line\nanother line", ["One line", "another line"]),
        ("1. First item. 2. Second item.", ["1. First item.", "2. Second item."]),
        ("", []),
        ("  \n ", []),
        ("...", ["..."]),
        ("No end", ["No end"]),
    ],
)
def test_other_scripts_and_odd_texts(text, sentences):
    assert [text[start:end] for start, end in split(text)] == sentences


MESSY = st.lists(
    st.sampled_from(
        ["Dr.", " ", "  ", "\n", "e.g.", "The", "end.", "A.", "?", "!", "…", "\u00a0", '"', "3.5", "。"]
    )
).map("".join)  # fmt: skip


@settings(max_examples=300)
@given(st.one_of(st.text(), MESSY))
def test_between_sentences_there_is_only_white_space(text):
    position = 0
    for start, end in split(text):
        assert position <= start < end
        assert not text[position:start].strip()
        assert text[start:end] == text[start:end].strip()
        position = end
    assert not text[position:].strip()


@given(st.lists(st.integers(0, 300)), st.integers(1, 200))
def test_packing_keeps_every_sentence_and_the_limit(lengths, most):
    ranges = pack(lengths, most)
    assert [number for first, end in ranges for number in range(first, end)] == list(range(len(lengths)))
    assert all(sum(lengths[first:end]) <= most or end - first == 1 for first, end in ranges)
    for (first, end), (_, next_end) in pairwise(ranges):
        assert sum(lengths[first:end]) + lengths[end] > most, "the next sentence would have fitted"
        assert next_end > end


@pytest.mark.skipif(not REFERENCE.exists(), reason="the published boundaries are not here")
def test_qampari_mode_gives_the_published_boundaries():
    cases = json.loads(REFERENCE.read_text(encoding="utf-8"))["cases"]
    assert len(cases) >= 50
    for case in cases:
        lengths = case["sentence_tokens"]
        ranges = qampari(lengths)
        assert [list(found) for found in ranges] == case["chunks"]
        assert len(lengths) - sum(end - first for first, end in ranges) == case["sentences_dropped"]


def test_qampari_mode_drops_what_follows_a_long_sentence():
    assert qampari([50, 50, 200, 50]) == [(0, 2)]
    assert qampari([200, 50]) == [(0, 2)]
    assert qampari([]) == []


def test_qampari_mode_counts_tokens_and_the_other_counts_words():
    assert Chunking("qampari").count("He's 5.5 m tall, isn't he?") == 10
    assert Chunking().count("He's 5.5 m tall, isn't he?") == 6


@pytest.mark.parametrize("chunking", [Chunking("pages"), Chunking(words=0)])
def test_a_wrong_way_of_cutting_is_refused(chunking):
    with pytest.raises(RollcallError):
        chunking.check()
