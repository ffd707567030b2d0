"""How many of the true answers a set has, estimated from several sources of answers (capture and recapture).

`captures` holds which source gave which answer to which question; `estimators` has the formulas, `variance`
and `interval` their uncertainty, `dependence` how far sources depend on one another, and `estimating` puts it
together for kinds, relations and the whole set.
"""

from rollcall.audit.completeness.captures import Captures
from rollcall.audit.completeness.estimating import CompletenessReport, estimate

__all__ = ["Captures", "CompletenessReport", "estimate"]
