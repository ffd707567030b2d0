"""Entity-level paraphrases: the names that the corpus uses for a topic entity, the most frequent first.

Input: worded queries and the alias counts of a corpus. Output: variants of each wording. A name counts for an
entity only if it mostly means this entity and no other thing in the graph has it, so that a paraphrase asks
for the same thing. The realiser words the query again with the name as the label, so that the name gets the
article and the commas it needs.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from rollcall.corpus import Corpus
from rollcall.graph import Graph
from rollcall.query import Query
from rollcall.text.words import fold
from rollcall.wording import Lexicon, Realiser
from rollcall.wording.ends import EndNouns
from rollcall.wording.naming import Labels

MOST = 3
"""The most variants of a sentence, including the one with the label, as in the paper."""
_LEAST_SHARE = 0.5
"""The least share of the uses of a name that must mean the entity."""


class LexicalForm(NamedTuple):
    """A name of an entity and the number of its uses."""

    text: str
    uses: int


def lexical_forms(corpus: Corpus, entities: Iterable[str]) -> dict[str, list[LexicalForm]]:
    """The names of some entities with their counts, ranked; names that differ only in case are one."""
    forms = corpus.tables.forms
    ids = sorted(set(entities))
    rows = forms.filter(forms.entity.isin(ids) & (forms.share >= _LEAST_SHARE)).to_pyarrow().to_pylist()
    grouped: dict[str, dict[str, list[LexicalForm]]] = {}
    for row in rows:
        alike = grouped.setdefault(row["entity"], {}).setdefault(row["text"].casefold(), [])
        alike.append(LexicalForm(row["text"], row["count"]))
    return {
        entity: sorted((_merged(alike) for alike in names.values()), key=lambda form: (-form.uses, form.text))
        for entity, names in grouped.items()
    }


def _merged(alike: list[LexicalForm]) -> LexicalForm:
    """Spellings of one name as one form: the most frequent spelling, with the counts of all."""
    best = max(alike, key=lambda form: (form.uses, form.text))
    return LexicalForm(best.text, sum(form.uses for form in alike))


class Paraphraser:
    """Words queries again with another name of one entity."""

    def __init__(
        self,
        graph: Graph,
        lexicon: Lexicon,
        forms: Mapping[str, Sequence[LexicalForm]],
        most: int = MOST,
        ends: EndNouns | None = None,
    ) -> None:
        """`ends` must be those of the wordings that are varied."""
        self._graph, self._ends = graph, ends
        self._lexicon = lexicon
        self._forms = forms
        self._most = most

    def variants(self, query: Query, sentences: Sequence[str]) -> list[list[str]]:
        """For each wording of a query: the wording itself, then those with other names, the most frequent
        first.
        """
        usual = self._wordings(query, self._graph)
        variant_lists = [[sentence] for sentence in sentences]
        for entity in query.entities:
            for name in self._names(entity):
                if all(len(variants) >= self._most for variants in variant_lists):
                    return variant_lists
                renamed = self._wordings(query, _Renamed(self._graph, entity, name))
                # With another number of wordings, it is unknown which new one matches which old one.
                if len(renamed) == len(usual):
                    self._add(variant_lists, dict(zip(usual, renamed, strict=True)))
        return variant_lists

    def _add(self, variant_lists: list[list[str]], again: Mapping[str, str]) -> None:
        for variants in variant_lists:
            text = again.get(variants[0])
            if text is not None and text not in variants and len(variants) < self._most:
                variants.append(text)

    def _wordings(self, query: Query, labels: Labels) -> list[str]:
        wording = Realiser(labels, self._lexicon, ends=self._ends).word(query)
        return [wording.question, *wording.alternatives]

    def _names(self, entity: str) -> list[str]:
        """The other names of an entity that nothing else in the graph has."""
        label = self._graph.label(entity).casefold()
        names = [form.text for form in self._forms.get(entity, ()) if form.text.casefold() != label]
        return [name for name in names if self._bearers(name) <= {entity}]

    def _bearers(self, name: str) -> set[str]:
        index = self._graph.index
        bearers = {name} if index.entity_number(name) is not None else set()
        return bearers | {index.entity_ids[int(number)] for number in index.named(fold(name))}


class _Renamed:
    """The labels of a graph in which one entity has another name."""

    def __init__(self, graph: Graph, entity: str, name: str) -> None:
        self._renamed = {entity: name}
        self._graph = graph
        self.relation_label = graph.relation_label
        self.class_label = graph.class_label
        self.entity = graph.entity
        self.find = graph.find

    def label(self, id_: str) -> str:
        return self._renamed.get(id_) or self._graph.label(id_)
