"""The table of evidence: the same for facts of the graph and of lists, in every pipeline."""

from rollcall.tables.mining import ProvableFacts
from rollcall.tables.table import Boolean, Float64, Int32, Int64, String, Table


class Evidence(Table):
    """A sentence that may prove a fact."""

    subject = ProvableFacts.subject
    relation = ProvableFacts.relation
    object = ProvableFacts.object
    literal = ProvableFacts.literal
    rank = Int32("its place among the sentences for this fact, from 1")
    page = String("the page's id")
    sentence = Int32("the sentence's place on the page")
    start = Int64("where it starts in the page's text, in characters")
    end = Int64("where it ends")
    passage = String("the passage that contains it; null if no passage does")
    side = String("which end of the fact the page is about: `subject`, `object`, or neither")
    name = String("the name in the sentence by which the other end was found")
    text = String("the sentence")
    score = Float64("the verifier's score, from 0 to 1")
    validated = Boolean("whether the verifier accepts the sentence as a statement of the fact")
