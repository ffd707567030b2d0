"""`simple`: one relation of one entity, split by type if the relation does not say what is asked for."""

import msgspec

from rollcall.mine.kinds import (
    KINDS,
    LIMITS,
    Direction,
    Mined,
    MiningContext,
    Positive,
    QuestionKind,
)


class SimpleKeys(msgspec.Struct, frozen=True):
    """Simple questions r(e), split by type if the relation does not say what is asked for."""

    directions: tuple[Direction, ...] = ("subject",)
    """Which end of a fact is asked for; with object, questions are asked from the other side too."""
    types: bool = True
    """Whether a relation that does not say what is asked for is split by the types of its answers."""
    per_relation: Positive = 2000
    """The most queries of one relation and type for which evidence is searched, sampled at random."""


@KINDS.register("simple")
class Simple(QuestionKind):
    """One relation of one entity: "Which films did X direct?"; the other kinds of QAMPARI start from it."""

    name = "simple"
    Options = SimpleKeys
    quota = 830
    relations = "simple"
    sections = ("relations", "answers", "wording")

    @classmethod
    def mine(cls, options: SimpleKeys, context: MiningContext) -> Mined:
        """Mine simple queries, sample them by relation and type, and list the facts that they need."""
        from rollcall.mine.mining import write_facts
        from rollcall.mine.options import SimpleOptions, TypeRule
        from rollcall.mine.simple import mine_simple

        wanted = SimpleOptions(
            min_answers=context.least,
            max_answers=context.most,
            relations=context.relations,
            excluded=context.excluded,
            directions=options.directions,
            types=context.types,
            type_rule=TypeRule(split=options.types),
            per_relation=options.per_relation,
            seed=context.seed,
        )
        out = context.folder
        found = mine_simple(context.graph, out, wanted, context.engine)
        proofs = [out / "proofs.parquet", out / "vague_proofs.parquet"]
        facts = write_facts(proofs, out, context.engine)
        change = {**LIMITS, "type_rule": "simple.types", "per_relation": "simple.per_relation"}
        return Mined(found.queries, found.removed, change, counts={"facts": facts})
