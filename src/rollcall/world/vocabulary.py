"""The words that titles, companies, parties and other speaking names are put together from."""

ADJECTIVES = tuple(
    ["Glass", "Silent", "Broken", "Amber", "Hollow", "Distant", "Crooked", "Golden", "Winter", "Iron", "Paper", "Scarlet", "Quiet", "Burning", "Salt", "Velvet", "Forgotten", "Northern", "Wooden", "Drifting", "Pale", "Second", "Last", "Blue", "Restless", "Sleeping", "Narrow", "Wandering", "Borrowed", "Copper", "Gentle", "Invisible", "Hungry", "Lonely", "Marble", "Bitter", "Ancient", "Bright", "Crimson", "Empty", "Endless", "Faithful", "Falling", "Floating", "Frozen", "Hidden", "Honest", "Humble", "Jealous", "Late", "Little", "Lucky", "Midnight", "Misty", "Moonlit", "Naked", "Painted", "Patient", "Perfect", "Private", "Proud", "Reluctant", "Ruined", "Rusty", "Secret", "Shallow", "Silver", "Simple", "Smiling", "Stolen", "Stubborn", "Sudden", "Summer", "Tender", "Thirsty", "Tired", "Uncertain", "Unfinished", "Upper", "Weary", "White", "Wild", "Yellow"]
)
NOUNS = tuple(
    ["Orchard", "Harbour", "River", "Lantern", "Garden", "Mirror", "Tower", "Bridge", "Letter", "Window", "Island", "Forest", "Clock", "Meadow", "Station", "Piano", "Violin", "Staircase", "Carpenter", "Baker", "Sailor", "Gardener", "Widow", "Stranger", "Captain", "Daughter", "Brother", "Soldier", "Teacher", "Thief", "Shepherd", "Lighthouse", "Railway", "Kitchen", "Valley", "Mountain", "Desert", "Sparrow", "Heron", "Fox", "Horse", "Wolf", "Crow", "Swan", "Tide", "Storm", "Winter", "Autumn", "Morning", "Evening", "Shadow", "Candle", "Feather", "Stone", "Bell", "Key", "Door", "Ladder", "Ribbon", "Map", "Compass", "Anchor", "Ferry", "Wheel", "Well", "Bench", "Table", "Chair", "Umbrella", "Suitcase", "Photograph", "Notebook", "Promise", "Silence", "Memory", "Inheritance", "Journey", "Quarrel", "Wedding", "Funeral", "Harvest", "Verdict", "Witness", "Passenger", "Apprentice", "Neighbour", "Portrait", "Landscape", "Comet", "Observatory", "Library", "Archive", "Chapel", "Mill", "Cellar", "Attic", "Balcony", "Courtyard", "Fountain", "Labyrinth", "Vineyard"]
)
PLURALS = tuple(
    ["Lanterns", "Sparrows", "Letters", "Windows", "Clocks", "Ferries", "Bells", "Candles", "Feathers", "Strangers", "Sailors", "Rivers", "Doors", "Mirrors", "Orchards", "Promises", "Shadows", "Stones", "Foxes", "Herons", "Maps", "Ladders", "Umbrellas", "Photographs", "Ribbons", "Wolves", "Crows", "Voices", "Brothers", "Daughters", "Wheels", "Satellites", "Engines", "Weekends", "Tides", "Gardens", "Statues", "Comets", "Pilots"]
)
BUSINESS_ENDINGS = (
    "Motors", "Works", "Systems", "Brothers", "& Sons", "Trading", "Holdings", "Industries", "Foods", "Mutual",
    "Telecom", "Stores", "Group", "Ltd.", "Chemicals", "Mills", "Software", "Instruments",
)  # fmt: skip
PARTY_WORDS = (
    ("Liberal", "Conservative", "Social", "National", "Democratic", "Progressive", "Workers'", "Farmers'",
     "People's", "Republican", "Reform", "Civic", "Independent", "Radical"),
    ("Union", "Party", "League", "Front", "Alliance", "Movement", "Bloc"),
)  # fmt: skip
NEWSPAPER_WORDS = tuple(
    ["Courier", "Herald", "Gazette", "Tribune", "Observer", "Mercury", "Post", "Chronicle", "Messenger", "Morning_News", "Evening_Star", "Argus"]
)
AWARD_WORDS = (
    "Prize", "Medal", "Award", "Prize for Literature", "Film Award", "Music Award", "Book Prize", "Science Medal",
    "Order of Merit", "Arts Prize",
)  # fmt: skip
OFFICES = (
    "President of {}", "Prime Minister of {}", "Minister of Finance of {}", "Minister of Education of {}",
    "Speaker of the Parliament of {}", "Minister of Transport of {}", "Chief Justice of {}",
    "Minister of Health of {}", "Ambassador-at-large of {}", "Auditor General of {}",
)  # fmt: skip
CAR_WORDS = tuple(
    ["Falcon", "Vela", "Meteor", "Cadet", "Sonata", "Corsa", "Rapid", "Tundra", "Pilot", "Astra", "Comet", "Linea", "Strada", "Nova"]
)
MOTTOES = (
    "Light through labour", "Steady in all weathers", "Truth before comfort", "By patience, bread",
    "One river, many banks", "Learn, then speak", "Not for ourselves alone", "The door stands open",
    "From the sea, our strength", "Slowly, but together", "Keep faith; keep count", "Who asks, learns",
)  # fmt: skip
