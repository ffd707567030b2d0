"""How lopsided a set is: by relation, and by the class, popularity, country and gender of its answers.

The figure is the share of questions or answers that would have to be others for the set to have the expected
shares (the total variation distance). Expected is what the graph has, and for relations that all are asked
equally often. A lopsided set is not wrong, so these are notes; a threshold makes one of them fail.
"""

from collections import Counter

from rollcall.audit.check import QualityCheck
from rollcall.audit.checks import QUALITY_CHECKS
from rollcall.audit.findings import Findings
from rollcall.audit.material import Material
from rollcall.audit.skew import COUNTRY, GENDER, Trait, of_classes, of_popularity, of_relations
from rollcall.graph import Graph


@QUALITY_CHECKS.register("skew-relations")
class SkewRelations(QualityCheck):
    """Relations of questions: how far from all being asked equally often."""

    severity = "note"
    unit = "relations of questions"

    def examine(self, material: Material, findings: Findings) -> None:
        counts = Counter[str]()
        for question in material.questions:
            query = material.query(question)
            counts.update(set(query.relations) if query is not None else ())
        if not counts:
            findings.skip("no question has a query")
            return
        labels = material.graph.relation_label if material.graph is not None else str
        named = Counter[str]()
        for relation, count in counts.items():
            named[labels(relation)] += count
        findings.distribution(named, dict.fromkeys(named, 1 / len(named)))


class AnswerSkew(QualityCheck):
    """The answers that are entities, by a trait, held against all entities of the graph."""

    severity = "note"
    unit = "answers"
    needs = ("graph",)

    def trait(self, graph: Graph) -> Trait | None:
        """The trait of all entities; None if the graph does not tell it."""
        raise NotImplementedError

    def examine(self, material: Material, findings: Findings) -> None:
        assert material.graph is not None
        trait = self.trait(material.graph)
        if trait is None:
            findings.skip("the graph has no such relation")
            return
        counts = Counter[str]()
        for question in material.questions:
            for answer in question.answers:
                number = None if answer.id is None else material.graph.index.entity_number(answer.id)
                value = None if number is None else trait.of(number)
                counts.update(() if value is None else (value,))
        if counts:
            findings.distribution(counts, trait.shares())
        else:
            findings.skip("no answer has a value in the graph")


@QUALITY_CHECKS.register("skew-classes")
class SkewClasses(AnswerSkew):
    """Classes of answers: how far from those of all entities of the graph."""

    def trait(self, graph: Graph) -> Trait:
        return of_classes(graph)


@QUALITY_CHECKS.register("skew-popularity")
class SkewPopularity(AnswerSkew):
    """Popularity of answers, by facts that name them: how far from that of all entities of the graph."""

    def trait(self, graph: Graph) -> Trait:
        return of_popularity(graph)


@QUALITY_CHECKS.register("skew-countries")
class SkewCountries(AnswerSkew):
    """Countries of answers: how far from those of all entities of the graph that have one."""

    def trait(self, graph: Graph) -> Trait | None:
        return of_relations(graph, COUNTRY)


@QUALITY_CHECKS.register("skew-genders")
class SkewGenders(AnswerSkew):
    """Genders of answers: how far from those of all entities of the graph that have one."""

    def trait(self, graph: Graph) -> Trait | None:
        return of_relations(graph, GENDER)
