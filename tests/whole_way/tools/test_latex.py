"""LaTeX sets our tables."""

from pathlib import Path

import pytest

import tool_questions
from rollcall.questions import QuestionSet, Run
from rollcall.score import score
from tools import output_of

pytestmark = pytest.mark.slow


def test_latex_compiles(asked: QuestionSet, run: Run, tmp_path: Path):
    import shutil

    if shutil.which("pdflatex") is None:
        pytest.skip("no pdflatex")
    from rollcall.score import compare

    other = tool_questions.run(asked, seed=2)
    found = compare(
        asked, [run, other], names=["my_system & co.", "100% [other]"], measures="P,R>=0.8,min(F1),R-5"
    )
    text = found.to_latex() + "\n\n" + score(asked, run, by="kind", completeness=0.9).to_latex()
    assert r"\textbf{" in text
    assert "Letters after a figure name the runs" in text
    head = r"\documentclass{article}\usepackage{booktabs}\begin{document}"
    page = f"{head}\n{text}\n\\end{{document}}\n"
    (tmp_path / "paper.tex").write_text(page)
    told = output_of(["pdflatex", "-halt-on-error", "-interaction=nonstopmode", "paper.tex"], tmp_path)
    assert "Output written on paper.pdf" in told
