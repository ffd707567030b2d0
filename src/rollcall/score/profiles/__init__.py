"""All profiles by name; `entity` is the default, the others reproduce published scorers."""

from rollcall.errors import RollcallError
from rollcall.score.profile import Profile
from rollcall.score.profiles.alce import AlceProfile
from rollcall.score.profiles.ambigqa import AmbigQaProfile
from rollcall.score.profiles.entity import EntityProfile
from rollcall.score.profiles.graphquestions import GraphQuestionsProfile
from rollcall.score.profiles.open_domain import AnswerEquivalenceProfile, NaturalQuestionsProfile
from rollcall.score.profiles.qampari import PigProfile, QampariProfile
from rollcall.score.profiles.romqa import RomqaProfile

PROFILES: dict[str, Profile] = {
    profile.name: profile
    for profile in (
        EntityProfile(),
        QampariProfile(),
        PigProfile(),
        RomqaProfile(),
        GraphQuestionsProfile(),
        NaturalQuestionsProfile(),
        AnswerEquivalenceProfile(),
        AmbigQaProfile(),
        AlceProfile(),
    )
}


def profile_named(name: str) -> Profile:
    if name not in PROFILES:
        raise RollcallError(f"profile {name!r:.80} is not known; choose one of {', '.join(PROFILES)}")
    return PROFILES[name]
