"""Where the model of the learned verifier is: in the package `rollcall-models`, if it is installed."""

from pathlib import Path

from rollcall.errors import RollcallError


def packaged_model() -> Path:
    """The folder of the packaged model."""
    try:
        from rollcall_models import statement_model
    except ImportError:
        raise RollcallError(
            "the verifier learned needs its model: pip install rollcall-models; or choose contrast"
        ) from None
    return Path(statement_model())
