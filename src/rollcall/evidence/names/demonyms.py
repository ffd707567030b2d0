"""Words for people and things of a country: text says of a citizen of France that he "is a French painter".

Such a word states belonging (nationality, citizenship, country of origin), not a place: a French painter need
not have been born in France. So it counts as a name of the country only for relations whose label says so.
"""

import ibis

from rollcall.evidence.names.forms import BETWEEN
from rollcall.tables.engine import Workbench
from rollcall.tables.evidence import RelationNames
from rollcall.tables.graph import Entities, Relations
from rollcall.tables.table import Rows, String, Table, arrow, shaped, unbound


class Demonyms(Table):
    """The words for what belongs to a country."""

    country = String("the country's name")
    words = String("the words, with a separator between them")


class NationalNames(RelationNames, name="national_names"):
    """Words that name a country as the object of a relation of belonging."""


_BELONGING = r"\b(nation|nationality|nationalities|citizenship|country|countries|origin)\b"
_PLACE = r"\b(birth|born|death|died|burial|residence|location|located|host|hosts|venue|filming|visited)\b"

# A country and the words for what belongs to it; | separates countries.
_COUNTRIES = """
Afghanistan Afghan|Albania Albanian|Algeria Algerian|Andorra Andorran|Angola Angolan
Argentina Argentine Argentinian|Armenia Armenian|Australia Australian|Austria Austrian
Azerbaijan Azerbaijani|Bahamas Bahamian|Bahrain Bahraini|Bangladesh Bangladeshi|Barbados Barbadian
Belarus Belarusian|Belgium Belgian|Belize Belizean|Benin Beninese|Bermuda Bermudian|Bhutan Bhutanese
Bolivia Bolivian|Bosnia_and_Herzegovina Bosnian|Botswana Botswanan Motswana|Brazil Brazilian|Brunei Bruneian
Bulgaria Bulgarian|Burkina_Faso Burkinabé|Burma Burmese|Burundi Burundian|Cambodia Cambodian
Cameroon Cameroonian|Canada Canadian|Cape_Verde Cape_Verdean|Chad Chadian|Chile Chilean|China Chinese
Colombia Colombian|Costa_Rica Costa_Rican|Croatia Croatian Croat|Cuba Cuban|Cyprus Cypriot
Czech_Republic Czech|Czechia Czech|Czechoslovakia Czechoslovak|Democratic_Republic_of_the_Congo Congolese
Denmark Danish|Djibouti Djiboutian|Dominica Dominican|Dominican_Republic Dominican|East_Germany East_German
East_Timor Timorese|Ecuador Ecuadorian|Egypt Egyptian|El_Salvador Salvadoran|England English
Eritrea Eritrean|Estonia Estonian|Eswatini Swazi|Ethiopia Ethiopian|Faroe_Islands Faroese|Fiji Fijian
Finland Finnish|France French|Gabon Gabonese|Gambia Gambian|Georgia Georgian|Germany German|Ghana Ghanaian
Greece Greek|Greenland Greenlandic|Grenada Grenadian|Guatemala Guatemalan|Guinea Guinean|Guyana Guyanese
Haiti Haitian|Honduras Honduran|Hong_Kong Hongkonger|Hungary Hungarian|Iceland Icelandic|India Indian
Indonesia Indonesian|Iran Iranian|Iraq Iraqi|Ireland Irish|Israel Israeli|Italy Italian|Ivory_Coast Ivorian
Jamaica Jamaican|Japan Japanese|Jordan Jordanian|Kazakhstan Kazakh Kazakhstani|Kenya Kenyan
Kingdom_of_the_Netherlands Dutch|Kosovo Kosovan|Kuwait Kuwaiti|Kyrgyzstan Kyrgyz|Kyrgyzstan Kyrgyzstani
Laos Laotian Lao|Latvia Latvian|Lebanon Lebanese|Lesotho Basotho|Liberia Liberian|Libya Libyan
Liechtenstein Liechtensteiner|Lithuania Lithuanian|Luxembourg Luxembourgish|Madagascar Malagasy
Malawi Malawian|Malaysia Malaysian|Maldives Maldivian|Mali Malian|Malta Maltese|Mauritania Mauritanian
Mauritius Mauritian|Mexico Mexican|Moldova Moldovan|Monaco Monégasque Monegasque|Mongolia Mongolian
Montenegro Montenegrin|Morocco Moroccan|Mozambique Mozambican|Myanmar Burmese|Namibia Namibian
Nepal Nepalese Nepali|Netherlands Dutch|New_Zealand New_Zealander|Nicaragua Nicaraguan|Niger Nigerien
Nigeria Nigerian|North_Korea North_Korean|North_Macedonia Macedonian|Northern_Ireland Northern_Irish
Norway Norwegian|Oman Omani|Pakistan Pakistani|Palestine Palestinian|Panama Panamanian
Papua_New_Guinea Papua_New_Guinean|Paraguay Paraguayan|People's_Republic_of_China Chinese|Peru Peruvian
Philippines Filipino Filipina Philippine|Poland Polish|Portugal Portuguese|Puerto_Rico Puerto_Rican
Qatar Qatari|Republic_of_Ireland Irish|Romania Romanian|Russia Russian|Russian_Empire Russian|Rwanda Rwandan
Saint_Lucia Saint_Lucian|Samoa Samoan|San_Marino Sammarinese|Saudi_Arabia Saudi Saudi_Arabian
Scotland Scottish|Senegal Senegalese|Serbia Serbian Serb|Seychelles Seychellois|Sierra_Leone Sierra_Leonean
Singapore Singaporean|Slovakia Slovak|Slovenia Slovenian Slovene|Somalia Somali|South_Africa South_African
South_Korea South_Korean|South_Sudan South_Sudanese|Soviet_Union Soviet|Spain Spanish|Sri_Lanka Sri_Lankan
State_of_Palestine Palestinian|Sudan Sudanese|Suriname Surinamese|Sweden Swedish|Switzerland Swiss
Syria Syrian|Taiwan Taiwanese|Tajikistan Tajik Tajikistani|Tanzania Tanzanian|Thailand Thai|Togo Togolese
Tonga Tongan|Trinidad_and_Tobago Trinidadian|Tunisia Tunisian|Turkey Turkish|Turkmenistan Turkmen
Uganda Ugandan|Ukraine Ukrainian|United_Arab_Emirates Emirati|United_Kingdom British|United_States American
United_States_of_America American|Uruguay Uruguayan|Uzbekistan Uzbek Uzbekistani|Vanuatu Vanuatuan
Venezuela Venezuelan|Vietnam Vietnamese|Wales Welsh|West_Germany West_German|Yemen Yemeni
Yugoslavia Yugoslav|Zambia Zambian|Zimbabwe Zimbabwean
"""


def demonyms() -> dict[str, list[str]]:
    """Countries with the words for what belongs to them."""
    found: dict[str, list[str]] = {}
    for line in _COUNTRIES.strip().replace("|", "\n").splitlines():
        country, *words = (word.replace("_", " ") for word in line.split())
        found.setdefault(country, []).extend(words)
    return found


def keep_national_names(bench: Workbench) -> None:
    """Keep `national_names`: the words by which text may name the objects of relations of belonging."""
    words = {country: BETWEEN.join(words) for country, words in sorted(demonyms().items())}
    bench.give(Demonyms, arrow(Demonyms, {"country": list(words), "words": list(words.values())}))
    bench.keep(NationalNames, _national_names)


def _national_names() -> Rows[NationalNames]:
    relations = unbound(Relations, "graph_relations")
    label = ibis.coalesce(relations.label, relations.id).lower()
    telling = relations.filter(label.re_search(_BELONGING) & ~label.re_search(_PLACE)).select(relation="id")
    entities, words = unbound(Entities, "graph_entities"), unbound(Demonyms)
    named = entities.select(entity="id", country=ibis.coalesce(entities.label, entities.id))
    countries = named.join(words, "country").select("entity", "words")
    return shaped(NationalNames, telling.cross_join(countries))
