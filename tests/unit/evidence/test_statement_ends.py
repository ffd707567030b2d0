"""A verifier is asked about a statement only if the text names both ends; otherwise there is a reason."""

import csv
import json

import numpy as np
import pytest

from rollcall import RollcallError
from rollcall.cli.main import main
from rollcall.evidence import CandidateSentence, Verifier
from rollcall.evidence.labelled import Triple, to_candidates
from rollcall.graph import EntityRecord, Graph, write_graph


class Credulous(Verifier):
    """Believes everything that it is asked about, and remembers it."""

    name = "credulous"

    def __init__(self):
        self.asked = []

    def scores(self, candidates):
        self.asked += candidates
        return np.full(len(candidates), 0.9)


def judged(text, subject, object_, relation="born in", graph=None, topic=""):
    verdicts = Credulous().verdicts(
        to_candidates([Triple(text, subject, relation, object_, topic=topic)], graph)
    )
    return verdicts.score(0), verdicts.reasons[0]


NAMED = [
    ("Ann Ray was born in Paris.", "Ann Ray", "Paris"),
    ("Dr. Ann Ray was born in Paris, Texas.", "Ann Ray", "Paris"),
    ("Ann Ray's sister lives in Paris.", "Ann Ray", "Paris"),
    ("Ann Ray was born in Paris. Ann Rayburn lives in Paris, too.", "Ann Ray", "Paris"),
    ("Ann Ray is a painter. She was born in Paris.", "Ann Ray", "Paris"),
    ("Ann Ray is a painter. Ray was born in Paris.", "Ann Ray", "Paris"),
    ("In 1950, she was born in Paris.", "Ann Ray", "Paris"),
    ("ann ray was born in paris.", "Ann Ray", "Paris"),
    ("ANN RAY WAS BORN IN PARIS.", "Ann Ray", "Paris"),
    ("Ann Ray was born in Paris.", "ann ray", "paris"),
    ("José Núñez was born in Málaga.", "Jose Nunez", "Malaga"),
    ("Jose Nunez was born in Malaga.", "José Núñez", "Málaga"),
    ("Mr Hill was born in Paris.", "Hill", "Paris"),
    ("Tom Hill works for Nordwerk CEO Ann Ray.", "Tom Hill", "Nordwerk"),
    ("Yahoo! Inc. is based in Sunnyvale.", "Yahoo! Inc.", "Sunnyvale"),
    ("Rain (2001) was shot in Paris.", "Rain (film)", "Paris"),
    ("Washington was born in Washington.", "Washington", "Washington"),
    ("Ann Ray was not born in Paris.", "Ann Ray", "Paris"),
    ("Ann Ray was born on 3 May 1921.", "Ann Ray", "1921-05-03"),
    ("Ann Ray was born on May 3rd, 1921.", "Ann Ray", "@1921-05-03"),
    ("Ann Ray was born on 1921-05-03.", "Ann Ray", "3 May 1921"),
    ("Ann Ray was born on 3 May 1921.", "Ann Ray", "1921"),
    ("Ann Ray (1921–1980) was a painter.", "Ann Ray", "1980"),
    ("The mountain Kor is 8,848 metres high.", "Kor", "8848"),
    ("Anna Рей: Анна Рей родилась в город Париж.", "Анна Рей", "Париж"),
    ("安藤忠雄は大阪で生まれた。", "安藤忠雄", "大阪"),
    ("アン・レイはパリで生まれた。", "アン・レイ", "パリ"),
    ("앤 레이는 파리에서 태어났다.", "앤 레이", "파리"),
    ("อานนท์เกิดที่กรุงเทพ", "อานนท์", "กรุงเทพ"),
    ("राम का जन्म दिल्ली में हुआ।", "राम", "दिल्ली"),
]


@pytest.mark.parametrize(("text", "subject", "object_"), NAMED)
def test_a_text_that_names_both_ends_is_judged(text, subject, object_):
    assert judged(text, subject, object_) == (0.9, "")


UNNAMED = [
    ("Ann Ray was born in Paris.", "Tom Hill", "Paris", "subject, Tom Hill"),
    ("Ann Rayburn was born in Paris.", "Ann Ray", "Paris", "subject, Ann Ray"),
    ("Ann Ray was born in Paris.", "Ann Rayburn", "Paris", "subject, Ann Rayburn"),
    ("Anne Ray was born in Paris.", "Ann Ray", "Paris", "subject, Ann Ray"),
    ("Ann-Marie Ray was born in Paris.", "Ann", "Paris", "subject, Ann"),
    ("Tom was born in Paris.", "Tom Hill", "Paris", "subject, Tom Hill"),
    ("Hill was born in Paris.", "Tom Hill", "Paris", "subject, Tom Hill"),
    ("Paris Hilton was born in New York City.", "Paris", "New York City", "subject, Paris"),
    ("Paris Hilton was born in London.", "paris", "London", "subject, paris"),
    ("Ann Ray met Paris Hilton.", "Ann Ray", "Paris", "object, Paris"),
    ("The New York Times was founded in 1851.", "New York", "1851", "subject, New York"),
    ("Ann Ray was born in New York.", "Ann Ray", "York", "object, York"),
    ("Washington was a general.", "Washington", "Washington", "object, Washington"),
    ("Ann Ray was born in 1921.", "Ann Ray", "1921-05-03", "object, 1921-05-03"),
    ("Ann Ray was born on 4 May 1921.", "Ann Ray", "1921-05-03", "object, 1921-05-03"),
    ("Ann Ray is a French painter.", "Ann Ray", "France", "object, France"),
    ("Анна Рейман родилась в город Париж.", "Анна Рей", "Париж", "subject, Анна Рей"),
    ("アン・レイバーンはパリで生まれた。", "アン・レイ", "パリ", "subject, アン・レイ"),
    ("रामायण की रचना दिल्ली में हुई।", "राम", "दिल्ली", "subject, राम"),
]


@pytest.mark.parametrize(("text", "subject", "object_", "what"), UNNAMED)
def test_a_text_that_does_not_name_an_end_scores_nothing_and_says_which(text, subject, object_, what):
    assert judged(text, subject, object_) == (0.0, f"the text does not name the {what}")


def test_an_end_of_another_sentence_is_not_the_one_that_a_sentence_is_about():
    text = "Tom Hill is a painter. Ann Ray was born in Paris."
    told = "the sentence “Ann Ray was born in Paris.” does not name the subject, Tom Hill"
    assert judged(text, "Tom Hill", "Paris") == (0.0, told)
    assert judged("Ann painted. She was born in Paris.", "Tom Hill", "Paris")[0] == 0.0
    assert judged("It rains.", "Tom Hill", "Paris") == (
        0.0,
        "the text names neither the subject, Tom Hill, nor the object, Paris",
    )


@pytest.mark.parametrize(
    "text", ["Hill was born in Paris.", "Born in Paris.", "The painter was born in Paris."]
)
def test_the_topic_of_a_text_is_understood(text):
    assert judged(text, "Tom Hill", "Paris")[0] == 0.0
    assert judged(text, "Tom Hill", "Paris", topic="Tom Hill (painter)") == (0.9, "")
    assert judged(text, "Paris", "Tom Hill", topic="Tom Hill") == (0.9, "")
    assert judged(text, "Tom Hill", "Paris", topic="Ann Ray")[0] == 0.0


@pytest.fixture
def graph(tmp_path):
    entities = [EntityRecord("a", "Ann Ray", aliases=("Annie R.",)), EntityRecord("p", "Paris")]
    relations = {"P99999": "birthplace"}
    folder = write_graph(
        tmp_path / "graph", entities=entities, relations=relations, facts=[("a", "P99999", "p")]
    )
    return Graph.open(folder)


def test_aliases_of_the_graph_name_an_end_and_ids_have_names(graph):
    for subject in ("a", "Ann Ray"):
        assert judged("Annie R. was born in Paris.", subject, "p", graph=graph) == (0.9, "")
        assert judged("Tom was born in Paris.", subject, "p", graph=graph)[1].endswith("subject, Ann Ray")


def test_a_citizen_goes_by_the_adjective_of_a_land():
    assert judged("Ann Ray is a French painter.", "Ann Ray", "France", "P27") == (0.9, "")
    assert judged("Ann Ray is a French painter.", "Ann Ray", "France", "P19")[0] == 0.0


def test_an_unknown_id_of_a_relation_is_refused_or_has_the_label_of_the_graph(graph):
    statement = Triple("Ann Ray was born in Paris.", "Ann Ray", "P99999", "Paris")
    with pytest.raises(
        RollcallError, match="triple 1: the relation P99999 is not in the lexicon; give it in words"
    ):
        to_candidates([statement])
    assert to_candidates([statement], graph)[0].relation == "P99999"
    for relation, known in (("wdt:P19", "P19"), ("P19", "P19"), ("born in", "born in")):
        assert to_candidates([Triple(statement.text, "Ann Ray", relation, "Paris")])[0].relation == known


def test_verifiers_are_never_asked_about_a_sentence_that_lacks_an_end():
    judge = Credulous()
    candidates = [
        CandidateSentence("s", "P19", "o", "He was born here.", side="subject", object_places=((16, 20),)),
        CandidateSentence("s", "P19", "o", "He was born here.", side="neither", object_places=((16, 20),)),
        CandidateSentence("s", "P19", "o", "He was born here.", side="subject"),
    ]
    verdicts = judge.verdicts(candidates)
    assert judge.asked == candidates[:1]
    assert verdicts.accepted.tolist() == [True, False, False]
    assert verdicts.scores.tolist() == [0.9, 0.0, 0.0]
    assert [bool(reason) for reason in verdicts.reasons] == [False, True, True]
    assert judge.verdicts([]).scores.tolist() == []


def run(capsys, *arguments):
    with pytest.raises(SystemExit) as ended:
        main([str(argument) for argument in arguments])
    return ended.value.code, *capsys.readouterr()


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "triples.jsonl"
    rows = [("Tom Hill", "P19", "Paris"), ("Ann Ray", "P19", "Paris")]
    lines = [
        json.dumps({"text": "Ann Ray was born in Paris.", "subject": s, "relation": r, "object": o})
        for s, r, o in rows
    ]
    path.write_text("\n".join(lines))
    return path


def test_the_reason_is_printed_and_written(file, tmp_path, capsys, packaged_model):
    reason = "the text does not name the subject, Tom Hill"
    code, printed, _ = run(capsys, "verify", file, "--verifier", "learned")
    assert code == 0
    assert f"1 triple does not name both ends, so its score is 0:\n  triple 1: {reason}\n" in printed
    made = json.loads(run(capsys, "verify", file, "--verifier", "learned", "--json")[1])
    assert made["reasons"] == [reason, None]
    assert made["scores"][0] == 0.0
    assert made["scores"][1] > 0.8
    assert made["accepted"] == 1
    for name in ("out.jsonl", "out.csv"):
        run(capsys, "verify", file, "--verifier", "learned", "--out", tmp_path / name)
    lines = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    assert [(line["score"], line.get("reason")) for line in lines] == [
        (0.0, reason),
        (made["scores"][1], None),
    ]
    with (tmp_path / "out.csv").open(newline="") as stream:
        cells = list(csv.DictReader(stream))
    assert [(float(row["score"]), row["reason"]) for row in cells] == [(0.0, reason), (made["scores"][1], "")]


def test_an_unknown_relation_is_one_clear_line(tmp_path, capsys):
    path = tmp_path / "triples.jsonl"
    path.write_text('{"text": "A is B.", "subject": "A", "relation": "P99999", "object": "B"}')
    code, out, err = run(capsys, "verify", path, "--verifier", "none")
    assert (code, out) == (2, "")
    assert "the relation P99999 is not in the lexicon" in err
    assert err.count("\n") == 1


def test_an_empty_end_is_one_clear_line(tmp_path, capsys):
    path = tmp_path / "triples.jsonl"
    path.write_text('{"text": "A is B.", "subject": " ", "relation": "is", "object": "B"}')
    code, _, err = run(capsys, "verify", path, "--verifier", "none")
    assert code == 2
    assert "line 1: subject, relation or object is empty" in err
