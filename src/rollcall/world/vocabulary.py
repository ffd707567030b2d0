"""The words from which names of works, companies, parties and other entities are formed."""


def _phrases(text: str) -> tuple[str, ...]:
    """Phrases separated by commas, over any number of lines."""
    return tuple(" ".join(phrase.split()) for phrase in text.split(","))


_ADJECTIVES = _phrases(
    """
    Glass, Silent, Broken, Amber, Hollow, Distant, Crooked, Golden, Winter, Iron, Paper, Scarlet, Quiet,
    Burning, Salt, Velvet, Forgotten, Northern, Wooden, Drifting, Pale, Second, Last, Blue, Restless,
    Sleeping, Narrow, Wandering, Borrowed, Copper, Gentle, Invisible, Hungry, Lonely, Marble, Bitter,
    Ancient, Bright, Crimson, Empty, Endless, Faithful, Falling, Floating, Frozen, Hidden, Honest, Humble,
    Jealous, Late, Little, Lucky, Midnight, Misty, Moonlit, Naked, Painted, Patient, Perfect, Private,
    Proud, Reluctant, Ruined, Rusty, Secret, Shallow, Silver, Simple, Smiling, Stolen, Stubborn, Sudden,
    Summer, Tender, Thirsty, Tired, Uncertain, Unfinished, Upper, Weary, White, Wild, Yellow
    """
)
_NOUNS = _phrases(
    """
    Orchard, Harbour, River, Lantern, Garden, Mirror, Tower, Bridge, Letter, Window, Island, Forest, Clock,
    Meadow, Station, Piano, Violin, Staircase, Carpenter, Baker, Sailor, Gardener, Widow, Stranger, Captain,
    Daughter, Brother, Soldier, Teacher, Thief, Shepherd, Lighthouse, Railway, Kitchen, Valley, Mountain,
    Desert, Sparrow, Heron, Fox, Horse, Wolf, Crow, Swan, Tide, Storm, Winter, Autumn, Morning, Evening,
    Shadow, Candle, Feather, Stone, Bell, Key, Door, Ladder, Ribbon, Map, Compass, Anchor, Ferry, Wheel,
    Well, Bench, Table, Chair, Umbrella, Suitcase, Photograph, Notebook, Promise, Silence, Memory,
    Inheritance, Journey, Quarrel, Wedding, Funeral, Harvest, Verdict, Witness, Passenger, Apprentice,
    Neighbour, Portrait, Landscape, Comet, Observatory, Library, Archive, Chapel, Mill, Cellar, Attic,
    Balcony, Courtyard, Fountain, Labyrinth, Vineyard
    """
)
_PLURALS = _phrases(
    """
    Lanterns, Sparrows, Letters, Windows, Clocks, Ferries, Bells, Candles, Feathers, Strangers, Sailors,
    Rivers, Doors, Mirrors, Orchards, Promises, Shadows, Stones, Foxes, Herons, Maps, Ladders, Umbrellas,
    Photographs, Ribbons, Wolves, Crows, Voices, Brothers, Daughters, Wheels, Satellites, Engines, Weekends,
    Tides, Gardens, Statues, Comets, Pilots
    """
)
SECTOR_ENDINGS = (
    _phrases("Motors, Automobiles, Motor Works, Carriage Works"),
    _phrases("Shipyards, Marine Works, Shipbuilders, Docks"),
    _phrases("Software, Systems, Games, Interactive"),
)
_COMPANY = _phrases(
    """
    Brothers, & Sons, Trading, Holdings, Industries, Mutual, Stores, Group, Ltd., & Partners, Works, Mills
    """
)
_PARTY = _phrases(
    """
    Liberal, Conservative, Social, National, Democratic, Progressive, Workers', Farmers', People's,
    Republican, Reform, Civic, Independent, Radical
    """
)
_BLOCS = _phrases(
    """
    Union, Party, League, Front, Alliance, Movement, Bloc
    """
)
_PAPERS = _phrases(
    """
    Courier, Herald, Gazette, Tribune, Observer, Mercury, Post, Chronicle, Messenger, Morning News, Evening
    Star, Argus
    """
)
_PRIZES = _phrases(
    """
    Prize, Medal, Award, Grand Prize, Golden Medal, Order of Merit, Arts Prize, Academy Prize, Cultural Award,
    Foundation Prize
    """
)
OFFICES = _phrases("Prime Minister of {}, Minister of Foreign Affairs of {}, Minister of Finance of {}")
REGIONAL_OFFICES = _phrases(
    """
    Governor of {}, Treasurer of {}, Speaker of the Assembly of {}, Chief Justice of {}, Ombudsman of {},
    Inspector of Schools of {}, Surveyor General of {}
    """
)
_CARS = _phrases(
    """
    Falcon, Vela, Meteor, Cadet, Sonata, Corsa, Rapid, Tundra, Pilot, Astra, Comet, Linea, Strada, Nova
    """
)
MOTTOES = (
    "Light through labour",
    "Steady in all weathers",
    "Truth before comfort",
    "By patience, bread",
    "One river, many banks",
    "Learn, then speak",
    "Not for ourselves alone",
    "The door stands open",
    "From the sea, our strength",
    "Slowly, but together",
    "Keep faith; keep count",
    "Who asks, learns",
)
WORDS: dict[str, tuple[str, ...]] = {
    "adjective": _ADJECTIVES,
    "noun": _NOUNS,
    "plural": _PLURALS,
    "company": _COMPANY,
    "party": _PARTY[::2],
    "wing": _PARTY[1::2],
    "bloc": _BLOCS,
    "paper": _PAPERS,
    "prize": _PRIZES,
    "car": _CARS,
}
"""The words that fill the slots of patterns, by the slot's name."""
