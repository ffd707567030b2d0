"""Figures that only some profiles define: each is a measure that those profiles can report."""

from rollcall.score.measure_kind import OwnMeasure
from rollcall.score.measures import MEASURES


@MEASURES.register("SubspanEM")
class SubspanMatch(OwnMeasure):
    """Subspan match: every gold answer has a prediction of its own that contains it, or the other way."""

    source = "LOFT, subspan_em"
    figure = "SubspanEM"


@MEASURES.register("SetEM")
class SetMatch(OwnMeasure):
    """Set match: the normalised predictions are exactly the normalised gold answers."""

    source = "LOFT, em"
    figure = "SetEM"


@MEASURES.register("Coverage")
class Coverage(OwnMeasure):
    """Coverage: share of the gold answers that are predicted, of the questions that were answered."""

    source = "LOFT, coverage"
    figure = "Coverage"


@MEASURES.register("ItemP")
class ItemPrecision(OwnMeasure):
    """Precision by item: share of the cells of the predicted table that are right."""

    source = "WideSearch, by item"
    figure = "ItemP"


@MEASURES.register("ItemR")
class ItemRecall(OwnMeasure):
    """Recall by item: share of the cells of the gold table that are found."""

    source = "WideSearch, by item"
    figure = "ItemR"


@MEASURES.register("ItemF1")
class ItemF1(OwnMeasure):
    """F1 by item: harmonic mean of precision and recall of the cells of a table."""

    source = "WideSearch, by item"
    figure = "ItemF1"


@MEASURES.register("FullyWrong")
class FullyWrong(OwnMeasure):
    """Fully wrong: none of the gold answers is in the response."""

    source = "DeepSearchQA, fully incorrect"
    figure = "FullyWrong"
    lower_is_better = True


@MEASURES.register("Extraneous")
class Extraneous(OwnMeasure):
    """Extraneous: all gold answers are in the response, and others too."""

    source = "DeepSearchQA, correct with excessive answers"
    figure = "Extraneous"
    lower_is_better = True
