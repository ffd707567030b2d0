"""What sentences of a corpus state, and do not state, by a graph."""

from pathlib import Path

import pytest

from rollcall.evidence import CandidateSentence
from rollcall.evidence.verifiers.contrast.training_sentences import FactSample, akin_relations
from rollcall.evidence.verifiers.learned import learning as drawing
from rollcall.evidence.verifiers.learned.learning import LabelledSentence, draw_examples, exchanged

LABELS = {
    "author": "author", "editor": "editor", "translator": "translator", "first": "first author",
    "critic": "critic", "met": "met", "area": "area",
}  # fmt: skip
"""All but `area` connect books and people; `author` and `first author` are akin by their labels."""
PEOPLE = ("editor", "translator", "author", "first", "critic", "met")
COUNT = 60


def sample() -> FactSample:
    """Each thing is joined with some others; `met` holds in both directions."""
    pairs: dict[tuple[str, str], frozenset[str]] = {}
    for number in range(COUNT):
        for step, relation in enumerate(PEOPLE):
            pair = (f"a{number}", f"b{(number + step) % COUNT}")
            pairs[pair] = pairs.get(pair, frozenset()) | {relation}
            if relation == "met":
                pairs[pair[::-1]] = pairs.get(pair[::-1], frozenset()) | {relation}
        if number % 6 == 0:  # `editor` and `translator` often hold together, which makes them akin
            pair = (f"a{number}", f"b{number}")
            pairs[pair] |= {"translator"}
        pairs[(f"a{number}", str(number))] = frozenset({"area"})
    kinds = {relation: [("book", "person", COUNT)] for relation in PEOPLE}
    return FactSample(Path("facts"), pairs, {**kinds, "area": [("book", "value", COUNT)]}, LABELS)


def candidates(found: FactSample) -> list[CandidateSentence]:
    """Two sentences for each fact."""
    return [
        CandidateSentence(
            subject, relation, object_, f"{subject} and {object_} {number}.",
            literal=relation == "area", page=f"page of {subject}", sentence=number,
            subject_places=((0, len(subject)),),
        )
        for (subject, object_), held in found.pairs.items()
        for relation in sorted(held)
        for number in range(2)
    ]  # fmt: skip


@pytest.fixture(scope="module")
def known() -> FactSample:
    return sample()


@pytest.fixture(scope="module")
def drawn(known) -> list[LabelledSentence]:
    return draw_examples(candidates(known), known)


def test_the_same_examples_are_drawn_in_any_order(known, drawn):
    assert draw_examples(candidates(known), known) == drawn
    turned = FactSample(known.facts, dict(reversed(known.pairs.items())), known.kinds, known.labels)
    again = draw_examples(candidates(turned), turned)
    assert {one.candidate: (one.wrong, one.exchanged) for one in again} == {
        one.candidate: (one.wrong, one.exchanged) for one in drawn
    }


def test_wrong_relations_do_not_hold_and_mean_something_else(known, drawn):
    akin = akin_relations(known.labels, known.pairs)
    assert "first" in akin["author"]
    assert "translator" in akin["editor"]
    assert sum(len(one.wrong) for one in drawn) > len(drawn)
    for one in drawn:
        held = known.pairs[(one.candidate.subject, one.candidate.object)]
        assert not held & set(one.wrong)
        assert not any(akin[name] & set(one.wrong) for name in held)
        assert len(set(one.wrong)) == len(one.wrong) <= drawing.WRONG
        assert not one.candidate.literal or one.wrong == (), "no other relation has values of this kind"


def test_ends_are_exchanged_only_where_that_cannot_hold(known, drawn):
    turned = [one for one in drawn if one.exchanged]
    assert turned
    for one in turned:
        assert one.candidate.relation not in ("met", "area")
        assert (one.candidate.object, one.candidate.subject) not in known.pairs
    possible = [one for one in drawn if one.candidate.relation not in ("met", "area")]
    assert 0.1 < len(turned) / len(possible) < 0.4


def test_what_is_not_stated_is_about_the_same_sentence(drawn):
    one = next(one for one in drawn if one.exchanged and one.wrong)
    *wrong, turned = one.not_stated()
    assert [other.relation for other in wrong] == list(one.wrong)
    assert {other.text for other in (*wrong, turned)} == {one.candidate.text}
    assert (turned.subject, turned.object) == (one.candidate.object, one.candidate.subject)
    assert turned.object_places == one.candidate.subject_places
    assert exchanged(turned) == one.candidate


def test_sentences_of_one_fact_on_one_page_are_one_group(drawn):
    facts = {}
    for one in drawn:
        fact = (one.candidate.relation, one.candidate.subject, one.candidate.object, one.candidate.page)
        assert facts.setdefault(one.group, fact) == fact
    assert len(set(facts.values())) == len(facts) == len(drawn) / 2


def test_whole_pages_are_held_out(drawn):
    held_out = {one.candidate.page: one.held_out for one in drawn}
    assert all(held_out[one.candidate.page] == one.held_out for one in drawn)
    assert 0.05 < sum(held_out.values()) / len(held_out) < 0.45


@pytest.mark.parametrize(("of_relation", "most"), [(10, 10_000), (350, 80)])
def test_no_more_facts_are_drawn_than_stated(known, monkeypatch, of_relation, most):
    monkeypatch.setattr(drawing, "MOST_OF_RELATION", of_relation)
    monkeypatch.setattr(drawing, "MOST", most)
    facts: dict[str, set[int]] = {}
    for one in draw_examples(candidates(known), known):
        facts.setdefault(one.candidate.relation, set()).add(one.group)
    assert set(facts) == set(LABELS)
    assert max(map(len, facts.values())) <= of_relation
    assert sum(map(len, facts.values())) <= most


def test_a_fact_the_sample_does_not_have_is_no_error(known):
    strange = CandidateSentence("x", "author", "y", "x wrote y.", page="x")
    (one,) = draw_examples([strange], known)
    assert not {"author", "first"} & set(one.wrong)
    assert draw_examples([], known) == []
