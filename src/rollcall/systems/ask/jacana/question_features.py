"""What is asked, as features: question word, noun asked for, verb, class of the topic, words and pairs.

The publication reads them off a dependency parse. Here the order of the words stands for it: pairs of
neighbouring words, and the first verb.
"""

from itertools import pairwise

from rollcall.graph.index import GraphIndex
from rollcall.systems.ask.jacana.topics import Topic
from rollcall.systems.ask.learned.tags import question_word, tag
from rollcall.systems.ask.reading import Reading

_WORDS = 10


def question_features(index: GraphIndex, reading: Reading, topic: Topic) -> list[str]:
    """The features of a question about a topic; the words of the topic's name are none of them."""
    told = [
        word
        for place, word in enumerate(reading.words)
        if not topic.mask >> place & 1 and word.folded.isalnum()
    ]
    content = [word for word in told if not word.is_empty][:_WORDS]
    found = ["any", f"asks {question_word(reading.words)}"]
    if reading.kind.roots:
        found.append(f"noun {reading.kind.roots[-1]}")
    verb = next((word.root for word in content if tag(word) in ("past", "verb", "gerund")), None)
    if verb is not None:
        found.append(f"verb {verb}")
    found += [f"topic {index.class_labels[int(one)]}" for one in index.direct_types(topic.entity)[:2]]
    found += [f"word {word.root}" for word in content]
    found += [
        f"pair {one.folded} {other.folded}"
        for one, other in pairwise(told)
        if not (one.is_empty and other.is_empty)
    ][:_WORDS]
    return list(dict.fromkeys(found))
