"""The stages that mine queries: simple ones, then intersections and compositions of proved ones, and lists.

Input: a graph (for lists a corpus), and for intersections and compositions the validated simple queries.
Output: `queries`, `proofs`, and `facts` for which evidence is needed.
"""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rollcall.build.inputs import Inputs
from rollcall.build.qampari.parameters import Parameters
from rollcall.build.qampari.relations import choose
from rollcall.build.stage import Outcome, Work, filtered
from rollcall.build.tables_as_one import tables_as_one
from rollcall.files import remove
from rollcall.filter import Filter

if TYPE_CHECKING:
    import ibis.expr.types as ir

_ANSWERS = {"min_answers": "answers.least", "max_answers": "answers.most"}
"""The keys of the recipe for the mining options that all kinds have."""


def simple(parameters: Parameters, inputs: Inputs, work: Work) -> Outcome:
    """Mine simple queries, sample them by relation and type, and list the facts that they need."""
    from rollcall.mine.facts import write_facts
    from rollcall.mine.options import SimpleOptions, TypeRule
    from rollcall.mine.record_keeping import BOOKKEEPING
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
    found = mine_simple(inputs.graph, mined, options, memory=work.limits.memory, threads=work.limits.jobs)
    kept = _draw(mined, parameters, work)
    remove(mined)
    limits: dict[str, Any] = {"memory": work.limits.memory, "threads": work.limits.jobs}
    facts = write_facts([work.out("proofs"), work.out("vague_proofs")], work.folder, **limits)
    many = Filter(f"over {parameters.simple.per_relation:,} a relation and type", "per_relation")
    removed = {**found.removed, many: found.queries - kept}
    change = {**_ANSWERS, "type_rule": "simple.types", "per_relation": "simple.per_relation"}
    return filtered(kept, removed, change, notes=[choice.why], counts={"facts": facts})


def _draw(mined: Path, parameters: Parameters, work: Work) -> int:
    """Keep a random sample of the queries of each relation and type, with their proofs."""
    from ibis import _

    from rollcall.mine.keys import drawn
    from rollcall.mine.layout import TABLES
    from rollcall.mine.mining import Mining, mined_table

    def chosen(name: str) -> "ir.Table":
        rows = mined_table("queries", f"all_{name}")
        rows = rows.mutate(relation=_.relations[0], direction=_.directions[0])
        by = ["relation", "direction", "class"]
        return drawn(rows, by, parameters.simple.per_relation, parameters.seed).select(*TABLES["queries"])

    def proving(proofs: str) -> "ir.Table":
        return mined_table("proofs", f"all_{proofs}").semi_join(mined_table("queries", "chosen"), "key")

    rows = {}
    with Mining(work.folder, memory=work.limits.memory, threads=work.limits.jobs) as mining:
        for name, proofs in (("queries", "proofs"), ("vague", "vague_proofs")):
            mining.read(f"all_{name}", mined / f"{name}.parquet")
            mining.read(f"all_{proofs}", mined / f"{proofs}.parquet")
            mining.keep("chosen", partial(chosen, name))
            rows[name] = mining.write("queries", lambda: mined_table("queries", "chosen"), name=name)
            mining.write("proofs", partial(proving, proofs), name=proofs)
    return rows["queries"]


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
    with tables_as_one(
        [work.table("simple", name) for name in ("proofs", "vague_proofs")], work.folder
    ) as proofs:
        found = mine_intersection(
            inputs.graph,
            work.table("intersection-parts", "kept"),
            proofs,
            work.table("intersection-parts", "validated"),
            work.folder,
            options,
            memory=work.limits.memory,
            threads=work.limits.jobs,
        )
    caps = "intersection.per_pair, intersection.per_entity"
    return filtered(found.queries, found.removed, {**_ANSWERS, "caps": caps})


def composition(parameters: Parameters, inputs: Inputs, work: Work) -> Outcome:
    """Mine compositions of validated simple queries, and list the facts that are new."""
    from rollcall.mine.composition import mine_composition
    from rollcall.mine.facts import write_facts
    from rollcall.mine.options import Caps, CompositionOptions
    from rollcall.mine.record_keeping import BOOKKEEPING

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
    limits: dict[str, Any] = {"memory": work.limits.memory, "threads": work.limits.jobs}
    found = mine_composition(
        inputs.graph,
        work.table("composition-base", "kept"),
        work.table("simple", "proofs"),
        work.folder,
        options,
        **limits,
    )
    known = [work.table("simple", "facts")]
    facts = write_facts([work.out("proofs")], work.folder, known=known, **limits)
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
        per_column=wanted.per_column,
        per_list=wanted.per_list,
        seed=parameters.seed,
    )
    limits: dict[str, Any] = {"memory": work.limits.memory, "threads": work.limits.jobs}
    found = mine_lists(inputs.corpus, work.folder, options, **limits)
    if not wanted.membership:
        _drop_membership(work)
    return filtered(found.queries, found.removed, {**_ANSWERS, "linked": "tables.linked"})


def table_relations(inputs: Inputs, work: Work) -> Outcome:
    """Find the relations of the graph that lists stand for, and list the facts that the lists then state."""
    from rollcall.mine.lists.relations import relate_lists

    facts = relate_lists(
        inputs.graph,
        work.table("tables", "list_facts"),
        work.table("tables", "proofs"),
        work.folder,
        memory=work.limits.memory,
        threads=work.limits.jobs,
    )
    return Outcome(facts)


def _drop_membership(work: Work) -> None:
    """Remove membership from the proofs of compositions: text need not prove that a row is on the list."""
    from ibis import _

    from rollcall.corpus.lists import MEMBERSHIP
    from rollcall.mine.mining import Mining, mined_table

    def needed() -> "ir.Table":
        simple = mined_table("queries").filter(_.kind == "table-simple").select("key")
        proofs = mined_table("proofs")
        of_columns = proofs.filter(_.relation != MEMBERSHIP)
        return of_columns.union(proofs.filter(_.relation == MEMBERSHIP).semi_join(simple, "key"))

    with Mining(work.folder, memory=work.limits.memory, threads=work.limits.jobs) as mining:
        mining.read("queries", work.out("queries"))
        mining.read("proofs", work.out("proofs"))
        mining.keep("needed", needed)
        mining.write("proofs", lambda: mined_table("proofs", "needed"))
