"""Nearly equal questions: MinHash finds what a comparison of all pairs finds."""

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from rollcall.audit.checks.leakage import are_alike, near_pairs, sketch
from rollcall.questions import Question

WORDS = [
    "which", "films", "books", "did", "by", "were", "directed", "written", "shown", "in", "the", "of", "and",
    "Marl", "Tarn", "Norrow", "1984", "what", "are", "that",
]  # fmt: skip
ANSWERS = st.frozensets(st.sampled_from("abc"), min_size=1)


@given(st.lists(st.tuples(st.lists(st.sampled_from(WORDS), min_size=3, max_size=12), ANSWERS), max_size=25))
def test_the_index_finds_what_all_pairs_have(drawn):
    sketches = [
        sketch(Question(str(n), " ".join(words)), answers) for n, (words, answers) in enumerate(drawn)
    ]
    groups = ["train" if n % 2 else "test" for n in range(len(drawn))]
    everyone = {
        (one, other)
        for one, other in combinations(range(len(drawn)), 2)
        if groups[one] != groups[other] and are_alike(sketches[one], sketches[other])
    }
    found = set(near_pairs(sketches, groups))
    assert found <= everyone
    # MinHash may miss pairs near the threshold: 1 in 80 by its bands; those well above it never here.
    sure = {(a, b) for a, b in everyone if _jaccard(sketches[a].shingles, sketches[b].shingles) > 0.9}
    assert sure <= found


def _jaccard(one, other):
    return len(one & other) / len(one | other)


def test_other_words_of_content_need_equal_answers_and_names_must_agree():
    def like(text: str, answers: str = "ab", entities: str = "") -> object:
        return sketch(Question("", text), frozenset(answers), entities)

    first = like("Which films that Ann Marl directed were shown in Norrow in 1984?")
    assert are_alike(first, like("Which films which Ann Marl directed were shown in Norrow in 1984?"))
    assert not are_alike(first, like("Which films that Ann Tarn directed were shown in Norrow in 1984?"))
    assert not are_alike(first, like("Which films that Ann Marl directed were shown in Norrow in 1985?"))
    assert are_alike(first, like("Which movies that Ann Marl directed were shown in Norrow in 1984?"))
    assert not are_alike(
        first, like("Which movies that Ann Marl directed were shown in Norrow in 1984?", "bcd")
    )
    flute, guitar = (like(f"What do people do who play the {it}?", "ab", it) for it in ("flute", "guitar"))
    assert not are_alike(flute, guitar)
