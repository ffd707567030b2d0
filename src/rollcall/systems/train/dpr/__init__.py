"""Dense retrievers that are trained on a set, as in DPR: questions near the passages that prove answers."""

from rollcall.systems.train.dpr.system import Dpr

__all__ = ["Dpr"]
