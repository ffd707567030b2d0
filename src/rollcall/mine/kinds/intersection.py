"""`intersection`: the answers that two or three simple questions share."""

from typing import Literal

import msgspec

from rollcall.mine.kinds import KINDS, LIMITS, Mined, MiningContext, Positive, QuestionKind, Share


class IntersectionKeys(msgspec.Struct, frozen=True):
    """Questions for the answers that two simple questions share."""

    ways: Literal[2, 3] = 2
    """How many conditions a question has; with 3, those with two and those with three."""
    least: Positive | None = None
    """The least number of answers, if it differs from that of all kinds."""
    validated: Share | None = None
    """The share of answers that text must prove, if it differs from that of all kinds."""
    parts: Share = 0.0
    """The share of its answers that each part must have validated, besides the check of shared answers."""
    per_pair: Positive = 100
    """The most queries of one pair of relations."""
    per_entity: Positive = 20
    """The most queries that name one entity."""
    per_answer: Positive = 200
    """An answer of more simple questions than this is not used to find pairs."""


@KINDS.register("intersection")
class Intersection(QuestionKind):
    """What two or three simple questions share: "Which films did X both direct and produce?"."""

    name = "intersection"
    Options = IntersectionKeys
    quota = 400
    in_test = "all"
    sections = ("answers",)

    @classmethod
    def mine(cls, options: IntersectionKeys, context: MiningContext) -> Mined:
        """Mine intersections of proved simple queries; their facts are already proved."""
        from rollcall.mine.intersection import mine_intersection
        from rollcall.mine.options import Caps, IntersectionOptions

        wanted = IntersectionOptions(
            min_answers=context.least,
            max_answers=context.most,
            caps=Caps(per_pair=options.per_pair, per_entity=options.per_entity, seed=context.seed),
            per_answer=options.per_answer,
            ways=options.ways,
        )
        found = mine_intersection(context.graph, context.given_proved, context.folder, wanted, context.engine)
        change = {**LIMITS, "caps": "intersection.per_pair, intersection.per_entity"}
        return Mined(found.queries, found.removed, change)
