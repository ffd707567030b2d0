"""The stages that mine queries: simple ones, then intersections and compositions of proved ones, and lists.

Input: a graph (for lists a corpus), and for intersections and compositions the validated simple queries.
Output: `queries`, `proofs`, and `facts` for which evidence is needed.
"""

from pathlib import Path
from typing import TYPE_CHECKING

from rollcall._core.errors import Filter
from rollcall._core.files import remove
from rollcall.build.qampari.parameters import Parameters
from rollcall.build.qampari.relations import choose
from rollcall.build.stage import Inputs, Outcome, Work, filtered

if TYPE_CHECKING:
    from rollcall.tables.build import Proofs, Queries, SimpleProofs
    from rollcall.tables.table import Rows

_ANSWERS = {"min_answers": "answers.least", "max_answers": "answers.most"}
"""The keys of the recipe for the mining options that all kinds have."""


def simple(parameters: Parameters, inputs: Inputs, work: Work) -> Outcome:
    """Mine simple queries, sample them by relation and type, and list the facts that they need."""
    from rollcall.mine.mining import BOOKKEEPING, write_facts
    from rollcall.mine.options import SimpleOptions, TypeRule
    from rollcall.mine.simple import mine_simple

    choice = choose(inputs.graph, parameters, "simple")
    options = SimpleOptions(
        min_answers=parameters.answers.least,
        max_answers=parameters.most_in_graph,
        relations=choice.relations,
        excluded=(*BOOKKEEPING, *parameters.relations.excluded),
        directions=parameters.simple.directions,
        types=choice.types,
        type_rule=TypeRule(split=parameters.simple.types),
    )
    mined = work.folder / "mined"
    found = mine_simple(inputs.graph, mined, options, work.engine)
    kept = _draw(mined, parameters, work)
    remove(mined)
    facts = write_facts([work.out("proofs"), work.out("vague_proofs")], work.folder, work.engine)
    many = Filter(f"over {parameters.simple.per_relation:,} a relation and type", "per_relation")
    removed = {**found.removed, many: found.queries - kept}
    change = {**_ANSWERS, "type_rule": "simple.types", "per_relation": "simple.per_relation"}
    return filtered(kept, removed, change, notes=[choice.why], counts={"facts": facts})


def _draw(mined: Path, parameters: Parameters, work: Work) -> int:
    """Keep a random sample of the queries of each relation and type, with their proofs."""
    from ibis import _

    from rollcall.mine.mining import drawn, mining_bench
    from rollcall.tables.build import Queries, SimpleProofs
    from rollcall.tables.table import shaped, unbound

    def chosen() -> "Rows[Queries]":
        rows = unbound(Queries, "mined").mutate(relation=_.relations[0], direction=_.directions[0])
        by = ["relation", "direction", "class"]
        return shaped(Queries, drawn(rows, by, parameters.simple.per_relation, parameters.seed))

    def proving() -> "Rows[SimpleProofs]":
        return unbound(SimpleProofs).semi_join(unbound(Queries), "key")

    kept = {}
    with mining_bench(work.engine, work.folder) as bench:
        for queries, proofs in (("queries", "proofs"), ("vague", "vague_proofs")):
            bench.read(Queries, mined / f"{queries}.parquet", "mined")
            bench.read(SimpleProofs, mined / f"{proofs}.parquet")
            bench.keep(Queries, chosen)
            kept[queries] = bench.write(Queries, lambda: unbound(Queries), work.out(queries))
            bench.write(SimpleProofs, proving, work.out(proofs))
    return kept["queries"]


def intersection(parameters: Parameters, inputs: Inputs, work: Work) -> Outcome:
    """Mine intersections of validated simple queries; their facts are already proved."""
    from rollcall.mine.intersection import mine_intersection
    from rollcall.mine.options import Caps, IntersectionOptions

    wanted = parameters.intersection
    options = IntersectionOptions(
        min_answers=parameters.answers_of("intersection").least,
        max_answers=parameters.most_in_graph,
        caps=Caps(per_pair=wanted.per_pair, per_entity=wanted.per_entity, seed=parameters.seed),
        per_answer=wanted.per_answer,
        ways=wanted.ways,
    )
    found = mine_intersection(
        inputs.graph,
        work.table("intersection-parts", "kept"),
        [work.table("simple", name) for name in ("proofs", "vague_proofs")],
        work.table("intersection-parts", "validated"),
        work.folder,
        options,
        work.engine,
    )
    caps = "intersection.per_pair, intersection.per_entity"
    return filtered(found.queries, found.removed, {**_ANSWERS, "caps": caps})


def composition(parameters: Parameters, inputs: Inputs, work: Work) -> Outcome:
    """Mine compositions of validated simple queries, and list the facts that are new."""
    from rollcall.mine.composition import mine_composition
    from rollcall.mine.mining import BOOKKEEPING, write_facts
    from rollcall.mine.options import Caps, CompositionOptions

    wanted = parameters.composition
    choice = choose(inputs.graph, parameters, "composition")
    options = CompositionOptions(
        min_answers=parameters.answers.least,
        max_answers=parameters.most_in_graph,
        relations=choice.relations,
        excluded=(*BOOKKEEPING, *parameters.relations.excluded),
        directions=wanted.directions,
        same_relation=wanted.same_relation,
        coverage=wanted.coverage,
        round_trip=wanted.round_trip,
        caps=Caps(per_pair=wanted.per_pair, per_entity=wanted.per_entity, seed=parameters.seed),
    )
    found = mine_composition(
        inputs.graph,
        work.table("composition-base", "kept"),
        work.table("simple", "proofs"),
        work.folder,
        options,
        work.engine,
    )
    known = [work.table("simple", "facts")]
    facts = write_facts([work.out("proofs")], work.folder, work.engine, known=known)
    change = {
        **_ANSWERS,
        "coverage": "composition.coverage",
        "round_trip": "composition.round_trip",
        "caps": "composition.per_pair, composition.per_entity",
    }
    return filtered(found.queries, found.removed, change, notes=[choice.why], counts={"facts": facts})


def tables(parameters: Parameters, inputs: Inputs, work: Work) -> Outcome:
    """Mine questions about lists from the tables of the corpus."""
    from rollcall.mine.lists.mine import mine_lists
    from rollcall.mine.lists.queries import ListOptions

    wanted = parameters.tables
    options = ListOptions(
        prefix=wanted.prefix,
        min_answers=parameters.answers.least,
        max_answers=parameters.most_in_graph,
        linked=wanted.linked,
    )
    found = mine_lists(inputs.corpus, work.folder, options, work.engine)
    if not wanted.membership:
        _drop_membership(work)
    return filtered(found.queries, found.removed, {**_ANSWERS, "linked": "tables.linked"})


def table_relations(inputs: Inputs, work: Work) -> Outcome:
    """Find the relations of the graph that lists stand for, and list the facts that the lists then state."""
    from rollcall.mine.lists.mine import relate_lists

    facts = relate_lists(
        inputs.graph,
        work.table("tables", "list_facts"),
        work.table("tables", "proofs"),
        work.folder,
        work.engine,
    )
    return Outcome(facts)


def _drop_membership(work: Work) -> None:
    """Remove membership from the proofs of compositions: text need not prove that a row is on the list."""
    from ibis import _

    from rollcall.corpus.lists import MEMBERSHIP
    from rollcall.mine.mining import mining_bench
    from rollcall.tables.build import Proofs, Queries
    from rollcall.tables.table import shaped, unbound

    def needed() -> "Rows[Proofs]":
        simple = unbound(Queries).filter(_.kind == "table-simple").select("key")
        proofs = unbound(Proofs)
        of_columns = proofs.filter(_.relation != MEMBERSHIP)
        memberships = proofs.filter(_.relation == MEMBERSHIP).semi_join(simple, "key")
        return shaped(Proofs, of_columns.union(memberships))

    with mining_bench(work.engine, work.folder) as bench:
        bench.read(Queries, work.out("queries"))
        bench.read(Proofs, work.out("proofs"))
        bench.keep(Proofs, needed, "needed")
        bench.write(Proofs, lambda: unbound(Proofs, "needed"), work.out("proofs"))
