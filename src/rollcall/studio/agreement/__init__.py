"""How far people agree, whom to trust, and what is most likely true.

Everything here is a pure function of judgments: `coefficients` (Krippendorff's alpha, Gwet's AC1 and AC2,
with intervals), `dawid_skene` (the likeliest verdicts, from everybody's own mistakes), `person` (what is
known of each person) and `carelessness` (when somebody is warned, and when stopped).
"""
