"""The keys, and names of columns, under which people keep predictions."""

ID_KEYS = (
    *("id", "qid", "question_id", "QuestionId", "instance_id", "example_id"),
    *("question", "question_text", "query", "query_text", "problem"),
)
"""Possible keys of a prediction's question, best first."""
_SAID = (
    *("predictions", "prediction", "pred_answers", "pred", "fid_pred", "output"),
    *("model_outputs", "response", "llm_response"),
)
SAID_KEYS = frozenset(_SAID)
"""Keys that are used only for a system's answers."""
ANSWER_KEYS = (*_SAID, "answers", "answer")
"""Possible keys of the answers, best first: beside `prediction`, `answers` would be the gold ones."""
