"""The sounds from which names are made, in eight invented phonologies."""

from typing import NamedTuple


class Phonology(NamedTuple):
    """Onsets, vowels and codas of a language area, and the usual endings of its names."""

    onsets: tuple[str, ...]
    vowels: tuple[str, ...]
    codas: tuple[str, ...]
    male: tuple[str, ...]
    female: tuple[str, ...]
    surname: tuple[str, ...]
    place: tuple[str, ...]
    country: tuple[str, ...]


def _phonology(
    onsets: str, vowels: str, codas: str, male: str, female: str, surname: str, place: str, country: str
) -> Phonology:
    parts = [tuple(part.split()) for part in (onsets, vowels, codas, male, female, surname, place, country)]
    return Phonology(*parts)


PHONOLOGIES = (
    _phonology(
        "b br d dr f g gr h k kr l m n r s st t th tr v w y",
        "a e i o u ae ei",
        "l ld lm n nd nn r rd rn rv s st th",
        "an en ard or in ulf ek",
        "a ia ild eth ina wen is",
        "sen mar vick gard lund holt ner berg",
        "by stad havn vik dal sund nes mo",
        "mark mland ria vold gaard",
    ),
    _phonology(
        "b c ch d f fl g gl j l m n p pl q r s t tr v",
        "a e i o ou ai é oi",
        "l n r s t nt rd lle sse x",
        "ien el oux ard ain eau is",
        "ine elle ette anne ise aude a",
        "ois aud ier eau let mont vigne rac",
        "court ville ac elles roche fond bourg-sur-Vey",
        "onne aine avie oire ance",
    ),
    _phonology(
        "b br c d f g gr l m n p pr r s sc t tr v z",
        "a e i o u ia io",
        "l n r ll nn rr",
        "o io eo ino aldo ero",
        "a ia ella ina etta anda",
        "elli ini etti ano oni ardo ucci esco",
        "ara ola ento ese iano etta alba onza",
        "oria alia edra oma ena",
    ),
    _phonology(
        "b br č d dr g h k kr l m n p r s sl š t v z ž",
        "a e i o u ja je",
        "k l m n r s v z",
        "ko slav mir an ek or il",
        "ka mila na ja ena ica",
        "ović ek ský in ak ov ičan ar",
        "ov ice grad sk ín ovac hora",
        "ovia inia enska ava ija",
    ),
    _phonology(
        "b d g h k m n r s sh t ts y z ky ry",
        "a i u e o ai ou",
        "n k",
        "o to ki suke ro ji",
        "ko mi na e ka ri",
        "mura da no hara saki moto shi wa",
        "mori hama kawa saki jima no mi",
        "koku toku mara nori zan",
    ),
    _phonology(
        "b d f g h j k kh l m n q r s sh t y z",
        "a i u aa ou ei",
        "b d f l m n r s t z q",
        "ir em aad eed an if",
        "a iya een ara ah ima",
        "ani awi oud een our adi ar",
        "abad iya or an ane eh",
        "istar anya ouria aran ef",
    ),
    _phonology(
        "b d f g j k kw l m mb n nd ng ny p s t w y z",
        "a e i o u",
        "m n ",
        "o a u i ele ani",
        "a i ela isa ambe enya",
        "eko ambo uli anda iso umba ole aye",
        "ongo ambe uru ira ena isi",
        "anda ungu ambia esa oro",
    ),
    _phonology(
        "b br c d dr f g gl h l ll m n p r rh s t tr w",
        "a e i o u y ue ae",
        "dd l n r rn s th nt ch",
        "wyn an or aith yr edd",
        "wen ys eth a iad ona",
        "ach ryn llan ell oran wyd arth ick",
        "carn dun port worth ford wick mere",
        "wyd alba annon erry ennow",
    ),
)

_REAL_NAMES = """
Accra Agra Albania Amman Angola Armenia Austin Bari Beirut Benin Bergen Biden Bosnia Boston Brno Cairo
Chile China Congo Cuba Dallas Delhi Doha Dubai Estonia Gabon Georgia Ghana Goa Haiti Hitler India Iran
Iraq Italia Japan Kenya Kiev Kobe Korea Lagos Latvia Lenin Libya Lima London Malawi Mali Malta Mao Mecca
Medina Milano Minsk Moldova Moskva Nairobi Nara Nepal Niger Nigeria Obama Oman Osaka Oslo Paris Parma
Peru Praha Putin Rabat Riga Roma Romania Rome Russia Rwanda Samara Sanaa Serbia Siena Slovakia Slovenia
Sofia Stalin Syria Tirana Togo Tokyo Torino Toronto Trump Tunis Turkey Uganda Verona Zambia
"""
REAL_NAMES = frozenset(_REAL_NAMES.split())
"""Names of real places or persons that might be drawn by chance; such a draw is repeated."""
