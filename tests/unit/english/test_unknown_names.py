"""Names in text when no list of names is given."""

import pytest

from rollcall.text.unknown_names import called, capital_runs, list_item, noun_phrases, numbered


def parts(text, places):
    return [text[start:end] for start, end in places]


@pytest.mark.parametrize(
    ("sentence", "names"),
    [
        ("However, the Norrow Shire hosted Orla Venn in 1981.", ["Norrow Shire", "Orla Venn"]),
        ("In Marl, A. B. Holt met Ludwig van Strell.", ["Marl", "A. B. Holt", "Ludwig van Strell"]),
        ("Discovered by Holt and Venn, it was the prize of the 1988 Winter Games.",
         ["Holt", "Venn", "1988 Winter Games"]),
        ("Painted by nobody, it hangs in The Long Room.", ["The Long Room"]),
        ("Rivers flow to the Aar and the Mere.", ["Aar", "Mere"]),
        ("It snowed.", []),
    ],
)  # fmt: skip
def test_runs_of_capitals_are_names_without_what_opens_the_sentence(sentence, names):
    assert parts(sentence, capital_runs(sentence)) == names


def test_common_nouns_end_at_verbs_and_function_words():
    sentence = "The main organs are the penis and the testicles, which produce semen."
    assert parts(sentence, noun_phrases(sentence)) == ["main organs", "penis", "testicles", "semen"]
    sentence = "It was discovered by electrolysis of caustic potash and belongs to group 15 of the table."
    assert parts(sentence, noun_phrases(sentence)) == ["electrolysis", "caustic potash", "group", "table"]
    assert parts(sentence, numbered(sentence)) == ["group 15"]


@pytest.mark.parametrize(
    ("line", "item"),
    [("- Senning", "Senning"), ("2. Kestrel 5: a pump", "Kestrel 5"), ("Apple cider", "Apple cider"),
     ("It was moved to Senning.", None), ("* It was moved to another town.", None)],
)  # fmt: skip
def test_items_of_lists_are_names_and_sentences_are_not(line, item):
    place = list_item(line)
    assert (line[slice(*place)] if place else None) == item


@pytest.mark.parametrize(
    ("sentence", "name", "noun"),
    [
        ("He met the physicist Orla Venn.", "Orla Venn", "physicist"),
        ("They moved to Marl, a small town in Norrow.", "Marl", "town"),
        ("Rivers such as the Aar and the Mere are long.", "Mere", "river"),
        ("They crossed the Aar, the Mere and other rivers.", "Aar", "river"),
        ("Ludwig Strell (1867–1934) left early.", "Ludwig Strell", "person"),
        ("It was read by A. B. Holt.", "A. B. Holt", "person"),
    ],
)
def test_a_sentence_says_what_its_names_are(sentence, name, noun):
    names = list(capital_runs(sentence))
    assert (name, noun) in {(sentence[start:end], said) for (start, end), said in called(sentence, names)}
