"""Many pages searched at once: the same mentions as each page by itself gives, one name after another."""

import numpy as np
from hypothesis import example, given
from hypothesis import strategies as st

from rollcall.evidence import block_names
from rollcall.evidence.arrays import among, changes, matches, missing, ranges
from rollcall.evidence.block_names import BlockNames, Sought
from rollcall.evidence.characters import Characters
from rollcall.evidence.matcher import NameMatcher
from rollcall.evidence.names import END, WORD, Form, form, forms, plain

WORDS = st.sampled_from(
    [
        *("New", "York", "new", "Marl", "of", "The", "the", "I", "64", "1990", "_x", "US"),
        *("\u00d6b", "O\u0308b", "Жук", "北"),
    ]
)
MARKS = st.sampled_from(
    [" ", " ", " ", "-", "’", "'s ", ": ", " (", ", ", "; ", ".", "\u0301", "$", "-language ", END]
)
PIECES = st.lists(st.one_of(WORDS, MARKS), max_size=12).map("".join)
FEW = st.lists(st.sampled_from(["ab", "cd", "jazz", "Jazz"]), min_size=1, max_size=6).map(" ".join)
TEXTS = st.one_of(
    FEW, PIECES, st.lists(WORDS, max_size=8).map(" ".join), st.text("Aab É\u0301-.:1", max_size=12)
)
NAMES = st.one_of(
    st.lists(WORDS, min_size=1, max_size=3).map(" ".join),
    st.lists(WORDS, min_size=1, max_size=3).map("-".join),
    FEW,
    st.sampled_from(["$New York", "York.", "C++", "jazz", "The York", "Jazz music", "Marl 64", "US", "Öb"]),
    st.text("Aab É-.1", min_size=1, max_size=4),
)
RAW = st.builds(form, st.text("Aab É\u0301-.$", min_size=1, max_size=4), st.booleans())
FORMS = st.one_of(
    st.lists(NAMES, min_size=1, max_size=3).map(forms), st.lists(RAW, min_size=1, max_size=3, unique=True)
)


def block_of(pages: list[list[str]]) -> tuple[BlockNames, list[int], list[list[int]]]:
    """The pages in one text, where each begins, and where its sentences do."""
    text, places, sentences = "", [], []
    for page in pages:
        places.append(len(text))
        sentences.append([])
        for sentence in page:
            sentences[-1].append(len(text))
            text += plain(sentence) + END
        text += END
    starts = [start for page in sentences for start in page]
    return BlockNames(Characters(text), np.array(places), starts), places, sentences


def one_by_one(pages, keys, groups, chosen=None):
    """What `NameMatcher` finds for each group of keys on each page: (group, start, end, key)."""
    found = set()
    for group in sorted(set(groups)):
        page = group // 2
        text, starts = "", []
        for sentence in pages[page]:
            starts.append(len(text))
            text += plain(sentence) + END
        matcher = NameMatcher(text[:-1], starts)
        for key, (own, sought) in enumerate(zip(groups, keys, strict=True)):
            if own == group:
                matcher.add(sought, key)
        for start, end, under in matcher.find():
            sentence = sum(first <= start for first in starts) - 1
            if chosen is None or (page, sentence) in chosen:
                found |= {(group, start, end, key) for key in under}
    return found


def named_in(pages: list[list[str]]) -> st.SearchStrategy[list[Form]]:
    """Forms of what stands in the pages: words in a row, or any piece."""
    texts = [plain(sentence) for page in pages for sentence in page]
    rows = [text.split()[first : first + length] for text in texts for first in range(8) for length in (1, 2)]
    pieces = [
        text[first : first + length] for text in texts for first in range(len(text)) for length in (2, 5)
    ]
    every = [*map(" ".join, rows), *pieces, "New York", "★ Ⓐ"]
    names = st.sampled_from([name for name in every if name and END not in name])
    return st.one_of(st.lists(names, min_size=1, max_size=3).map(forms), names.map(lambda name: [form(name)]))


SEARCHES = st.lists(st.lists(TEXTS, min_size=1, max_size=3), min_size=1, max_size=3).flatmap(
    lambda pages: st.tuples(
        st.just(pages),
        st.lists(
            st.tuples(
                st.one_of(FORMS, named_in(pages)),
                st.integers(0, 2 * len(pages) - 1),
            ),
            min_size=1,
            max_size=6,
        ),
    )
)


@given(SEARCHES, st.sampled_from([1, 3, 1 << 20]), st.integers(0, 511))
@example(([["In New York York-based firms left York."]], [(forms(["York", "New York"]), 0)]), 1 << 20, 511)
@example(([["$A."]], [([form("$A")], 0), ([form("A.")], 0)]), 1 << 20, 511)
@example(([["Jazz"], ["Jazz is Jazz"]], [(forms(["jazz"]), 2), (forms(["jazz"]), 2)]), 1, 511)
@example(([["The church (Marl: x) is old."]], [(forms(["Marl"]), 0)]), 1 << 20, 511)
@example(([["ab cd ef gh"]], [([form(name)], 1) for name in ("ab cd", "cd ef", "ef gh", "ef")]), 1 << 20, 511)
def test_a_block_is_searched_like_its_pages(search, pairs, chosen):
    """Whole names, parts, openings, decomposed letters, nested names: all as `NameMatcher` finds them."""
    pages, wanted = search
    keys, groups = [sought for sought, _group in wanted], [group for _sought, group in wanted]
    names, places, sentences = block_of(pages)
    sought = Sought(keys, np.arange(len(keys)), np.array(groups) // 2, np.array(groups))
    numbers = [(page, number) for page, starts in enumerate(sentences) for number in range(len(starts))]
    kept = [row for row in range(len(numbers)) if chosen >> row & 1]
    limit, block_names.MOST_PAIRS = block_names.MOST_PAIRS, pairs
    try:
        found = [names.find(sought), names.find(sought, np.array(kept, np.int64))]
    finally:
        block_names.MOST_PAIRS = limit
    told = [
        {
            (groups[key], start - places[groups[key] // 2], end - places[groups[key] // 2], key)
            for key, start, end in zip(*(column.tolist() for column in one), strict=True)
        }
        for one in found
    ]
    assert told[0] == one_by_one(pages, keys, groups)
    assert told[1] == one_by_one(pages, keys, groups, {numbers[row] for row in kept})


@given(st.text(max_size=30), st.data())
def test_equal_pieces_have_equal_hashes(text, data):
    """A piece has the hash of the same characters elsewhere, and words are those of the language."""
    characters = Characters(text + "|" + text)
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    shift = len(text) + 1
    starts, ends = np.array([start, start + shift]), np.array([end, end + shift])
    first, second = characters.hashes(starts, ends)
    assert first == second
    other = characters.hashes(np.array([0]), np.array([end - start]))[0]
    assert (other == first) == (text[start:end] == (text + "|" + text)[: end - start])
    words = zip(characters.word_starts.tolist(), characters.word_ends.tolist(), strict=True)
    assert [characters.text[first:last] for first, last in words] == WORD.findall(characters.text)


NUMBERS = st.lists(st.integers(0, 9), max_size=12).map(lambda numbers: np.array(numbers, np.int64))


@given(NUMBERS, NUMBERS)
def test_array_operations(some, others):
    assert among(some, others).tolist() == [number in others for number in some]
    assert missing(some, 10).tolist() == [number for number in range(10) if number not in some]
    assert changes(some).tolist() == [not row or some[row] != some[row - 1] for row in range(len(some))]
    ordered = np.sort(others)
    first, counts = matches(ordered, some)
    assert ordered[ranges(first, counts)].tolist() == [n for n in some for other in others if n == other]
