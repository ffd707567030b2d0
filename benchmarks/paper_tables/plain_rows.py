"""The rows that need no network, or only the scores of one: they are run where graph and corpus are.

What is there is not run again.
"""

from collections.abc import Sequence
from pathlib import Path

import msgspec

import rollcall
from paper_tables.names import questions_of
from paper_tables.place import DEPTH, Data, Place
from paper_tables.profile import PROFILES
from paper_tables.rows import PARTS
from rollcall.questions import Question
from rollcall.questions.run import Passage, Prediction, Run
from rollcall.systems import Context
from rollcall.systems.retrieve.fusion import fused
from rollcall.systems.retrieve.learned import is_packaged


class PlainRows:
    """Runs what is missing of these rows."""

    def __init__(self, place: Place, data: Data) -> None:
        self._place, self._data = place, data
        self._profile, self._tested = PROFILES[data.profile], data.sources[data.test]
        place.shown.mkdir(parents=True, exist_ok=True)

    def run(self) -> None:
        self._retrieval()
        asked = self._questions("qampari")
        rounds = {"rounds": self._profile.rounds}
        self._read("mentions", asked, "mentions")
        self._read("mentions-oracle", asked, "mentions", retriever="oracle", k=DEPTH)
        self._read("mentions-verified", asked, "mentions", check="words")
        self._read("mentions-rounds", asked, "mentions", check="words", options=rounds)
        if is_packaged():
            self._read("mentions-learned", asked, "mentions", retriever="learned")
            self._read("rollcall-packaged", asked, "rollcall")
            self._read_found("rollcall-packaged-dpr", asked, "rollcall")
        # Weights are tuned with passages for training questions, which were not kept.
        self._read_found("mentions-dpr", asked, "mentions", tune=False)
        self._rollcall(asked)
        closed = self._questions("romqa")
        self._read("all-candidates", closed, "all-candidates", retriever=None)
        opened = [msgspec.structs.replace(one, candidates=[]) for one in closed]
        self._read("mentions-romqa", opened, "mentions", k=self._profile.other_k)

    def ask_model(self, address: str, model: str) -> None:
        """The rows of a language model behind a server; RoMQA's language models see no passages."""
        qampari, romqa = self._questions("qampari"), self._questions("romqa")
        for mode in ("closed-book", "passages", "each"):
            self._ask(f"llm-{mode}", qampari, address, model, {"mode": mode})
        asked = {one.id for one in romqa}
        learned = self._data.sources[self._data.learn[0]].sets["romqa"]
        training = [one for one in questions_of(learned, ("train",)) if one.id not in asked]
        for shots, suffix in ((0, ""), (8, "-shots")):
            every = [*romqa, *training] if shots else romqa
            for row, mode in (("closed", "closed"), ("open", "closed-book")):
                options = {"mode": mode, "shots": shots}
                self._ask(f"llm-{row}{suffix}", every, address, model, options, retriever=None)

    def _questions(self, kind: str) -> list[Question]:
        """The questions of a set; of a source that nothing is learned from, only those that are asked."""
        learned = self._data.test in self._data.learn
        return questions_of(self._tested.sets[kind], None if learned else ("test",))

    def _out(self, row: str) -> Path:
        return self._place.shown / f"{row}.test.jsonl"

    def _read(
        self,
        row: str,
        questions: Sequence[Question],
        reader: str,
        *,
        retriever: str | None = "bm25",
        **given: object,
    ) -> None:
        if self._out(row).exists():
            return
        given.setdefault("k", self._data.k)
        made = rollcall.run(
            questions,
            reader,
            retriever=retriever,
            split="test",
            corpus=self._tested.corpus,
            graph=self._tested.graph,
            **given,
        )
        made.save(self._out(row))

    def _read_found(self, row: str, questions: Sequence[Question], reader: str, **options: object) -> None:
        """With the passages that the trained retriever found."""
        found = self._out("dpr")
        if found.exists():
            options = {**options, "stored.passages": str(found)}
            self._read(row, questions, reader, retriever="stored", options=options)

    def _ask(
        self,
        row: str,
        questions: Sequence[Question],
        address: str,
        model: str,
        options: dict[str, object],
        retriever: str | None = "bm25",
    ) -> None:
        self._read(row, questions, "llm", retriever=retriever, client=address, model=model, options=options)

    def _retrieval(self) -> None:
        """What is packaged, and the fusion; the texts of what dense retrievers found, whose ids were kept."""
        packaged = ("bm25", "learned") if is_packaged() else ("bm25",)
        for row in packaged:
            if not self._out(row).exists():
                found = rollcall.retrieve(
                    self._tested.sets["qampari"], row, corpus=self._tested.corpus, split="test", k=DEPTH
                )
                found.save(self._out(row))
        with Context(corpus=self._tested.corpus) as context:
            for row in ("dense", "dpr"):
                kept = self._place.run(row)
                if kept.exists() and not self._out(row).exists():
                    Run(_with_texts(one, context) for one in Run.open(kept)).save(self._out(row))
        if self._out("dpr").exists() and not self._out("hybrid").exists():
            dense = {one.id: one.retrieved for one in Run.open(self._out("dpr"))}
            both = ((one.id, (one.retrieved, dense[one.id])) for one in Run.open(self._out("bm25")))
            joined = Run(Prediction(id_, retrieved=fused(these, DEPTH)) for id_, these in both)
            joined.save(self._out("hybrid"))

    def _rollcall(self, questions: Sequence[Question]) -> None:
        """The trees, and what they answer by the scores that the models gave where the GPU is."""
        parts, model = self._place.models / PARTS, self._place.models / "rollcall"
        if not parts.is_dir():
            return
        if not model.is_dir():
            learned = self._data.sources[self._data.learn[0]]
            rollcall.train(
                "rollcall",
                out=model,
                examples=self._place.learning("qampari-bm25")[0],
                corpus=learned.corpus,
                graph=learned.graph,
                options={"trained": str(parts), "parts": self._profile.parts},
            )
        for row, retriever in (("rollcall", "bm25"), ("rollcall-oracle", "oracle")):
            folder = str(self._place.asked(f"qampari-{retriever}"))
            options: dict[str, object] = {
                "model": str(model),
                "stored.passages": folder,
                "scores": str(self._place.scores),
            }
            if retriever == "oracle":  # what is not evidence is not read
                options |= {"further": 0, "nearest": 0}
            self._read(row, questions, "rollcall", retriever="stored", options=options, k=DEPTH)


def _with_texts(prediction: Prediction, context: Context) -> Prediction:
    found: list[Passage] = []
    for one in prediction.retrieved:
        number = context.store.number(one.id)
        if number is not None:
            found.append(context.store.passage(number, one.score))
    return Prediction(prediction.id, retrieved=found)
