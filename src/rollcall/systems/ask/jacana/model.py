"""What `jacana` has learned: the weights of features, aligned words, and the least score of an answer."""

from rollcall.systems.ask.learned.alignment import Table
from rollcall.systems.ask.learned.stored_model import StoredModel


class JacanaModel(StoredModel, frozen=True, kw_only=True):
    """A trained model."""

    file = "jacana.json"
    alignment: Table
    threshold: float
    topics: int
    nodes: int
