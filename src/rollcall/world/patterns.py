"""How names of each kind are formed: patterns with slots for sounds, words and other names.

`{place}`, `{surname}` and `{given}` are made from the sounds of the entity's country; `{where}` is the name
of its home; `{namesake}` is the name of the person it is named after, or a surname; the other slots are
words.
"""

PATTERNS: dict[str, tuple[str, ...]] = {
    "city": ("{place}",),
    "region": ("{place}", "{place} Province", "Upper {place}", "{place}shire", "Lower {place}"),
    "sea": ("{adjective} Sea",),
    "mountain range": ("{place} Mountains", "{place} Hills", "{place} Alps", "{place} Highlands"),
    "mountain": ("Mount {place}", "{place} Peak", "{place}", "{place} Horn"),
    "lake": ("Lake {place}", "Lake {place}", "Lake {place}", "{place} Reservoir"),
    "river": ("{place} River", "{place} River", "{place}"),
    "island": ("{place} Island", "Isle of {place}"),
    "religion": ("Church of {place}", "Way of the {adjective} {noun}"),
    "war": ("War of the {adjective} {noun}", "{place} War", "War of {place}", "{place} Uprising"),
    "battle": ("Battle of {site}", "Battle of {site}", "Siege of {site}"),
    "university": (
        "University of {where}",
        "{place} Institute of Technology",
        "{surname} University",
        "{place} University",
    ),
    "political party": ("{party} {bloc} of {where}", "{party} {wing} {bloc} of {where}"),
    "sports league": (
        "{where} Premier League",
        "{where} First Division",
        "{where} Super League",
        "{where} National League",
        "{place} League",
    ),
    "sports team": (
        "FC {where}",
        "Sporting {where}",
        "Racing {where}",
        "Union {where}",
        "{where} United",
        "{where} City",
        "{where} Rovers",
        "{where} Wanderers",
        "{where} Rangers",
    ),
    "stadium": ("{surname} Stadium", "{surname} Park", "{place} Road Ground", "{place} Arena"),
    "musical group": (
        "The {adjective} {plural}",
        "{place} {plural}",
        "{noun} {noun}",
        "The {place} Quartet",
        "{adjective} {place}",
    ),
    "newspaper": ("The {where} {paper}",),
    "museum": ("{where} Museum of Art", "{where} City Museum", "{where} Gallery", "{surname} Museum"),
    "fictional character": ("{given} {noun}", "{given} {surname}"),
    "award": ("{namesake} {prize}",),
    "bridge": ("{namesake} Bridge",),
    "asteroid": ("{serial} {namesake}",),
    "skyscraper": ("{surname} Tower", "{surname} Building", "{surname} Plaza", "{surname} House"),
    "ship": ("{surname}", "{adjective} {noun}", "{place} Star"),
    "automobile model": ("{maker} {car}", "{maker} {car} II", "{maker} {car} GT", "{maker} {car} {hundreds}"),
    "studio": ("{adjective} {noun} Pictures", "{surname} Pictures", "{place} Films", "{surname} Studios"),
    "record label": ("{adjective} {noun} Records", "{surname} Records", "{place} Records"),
    "publisher": ("{surname} Press", "{surname} Books", "{surname} & Company", "{surname} Editions"),
    "broadcaster": ("{place} Television", "{place} One", "{place} Broadcasting", "{place} TV"),
    "business": ("{surname} {business}",),
}
