"""`composition`: a relation of the answers of a simple question."""

import msgspec

from rollcall.mine.kinds import (
    KINDS,
    LIMITS,
    Direction,
    Mined,
    MiningContext,
    Positive,
    QuestionKind,
    Share,
)


class CompositionKeys(msgspec.Struct, frozen=True):
    """Questions r2(r1(e))."""

    directions: tuple[Direction, ...] = ("object",)
    """Which end of the second relation's facts is asked for."""
    base: Share = 0.5
    """The share of the answers of r1(e) that must be validated."""
    same_relation: bool = False
    """Whether the second relation may be the first one again."""
    coverage: Share = 0.7
    """The least share of the answers of r1(e) that must have r2."""
    round_trip: Share = 0.5
    """The largest share of the answers of r1(e) that may lead back to e."""
    per_pair: Positive = 100
    """The most queries of one pair of relations."""
    per_entity: Positive = 20
    """The most queries that name one entity."""


@KINDS.register("composition")
class Composition(QuestionKind):
    """A relation of the answers of a simple question: "Where were the directors of X's films born?"."""

    name = "composition"
    Options = CompositionKeys
    quota = 400
    relations = "composition"
    sections = ("relations", "answers", "wording")

    @classmethod
    def mine(cls, options: CompositionKeys, context: MiningContext) -> Mined:
        """Mine compositions of proved simple queries, and list the facts that are new."""
        from rollcall.mine.composition import mine_composition
        from rollcall.mine.mining import write_facts
        from rollcall.mine.options import Caps, CompositionOptions

        wanted = CompositionOptions(
            min_answers=context.least,
            max_answers=context.most,
            relations=context.relations,
            excluded=context.excluded,
            directions=options.directions,
            same_relation=options.same_relation,
            coverage=options.coverage,
            round_trip=options.round_trip,
            caps=Caps(per_pair=options.per_pair, per_entity=options.per_entity, seed=context.seed),
        )
        proved, out = context.given_proved, context.folder
        found = mine_composition(context.graph, proved, out, wanted, context.engine)
        facts = write_facts([out / "proofs.parquet"], out, context.engine, known=[proved.facts])
        change = {
            **LIMITS,
            "coverage": "composition.coverage",
            "round_trip": "composition.round_trip",
            "caps": "composition.per_pair, composition.per_entity",
        }
        return Mined(found.queries, found.removed, change, counts={"facts": facts})
