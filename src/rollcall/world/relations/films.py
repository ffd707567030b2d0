"""Other relations of films and television series, and their wordings."""

from rollcall.world.relation import Amount, Moment, Relation

_MINUTES = (("Q25235", 1 / 60),)

FILMS = [
    Relation(
        "P136",
        "genre",
        "film|television series",
        "*film genre",
        """
        {S} is {a O}.
        {S} is usually classed as {a O}.
        As {a O}, {S} was unusual for its time.
        By genre, {S} is {a O}.
        """,
        decoys="""
        A lecture on {O} was interrupted by somebody humming a tune from {S}.
        """,
        chance=0.9,
        most=2,
        pool="crew genre",
        pool_size=3,
        infobox="genre",
    ),
    Relation(
        "P495",
        "country of origin",
        "film|television series|musical group|video game",
        "country",
        """
        {S} comes from {O}.
        {S} originated in {O}.
        The country of origin of {S} is {O}.
        {O} is where {S} comes from.
        """,
        decoys="""
        {S} was banned for a short time in {O}.
        {S} found few admirers in {O}.
        """,
        source="country",
        chance=0.9,
        infobox="country",
        clause="from {O}",
    ),
    Relation(
        "P364",
        "original language of film or TV show",
        "film|television series",
        "language",
        """
        {S} was made in {O}.
        The original language of {S} is {O}.
        {S} was shot in {O}.
        The dialogue of {S} is in {O}.
        """,
        decoys="""
        A collector owns a leaflet about {S} that was printed in {O}.
        """,
        source="tongue",
        chance=0.8,
        infobox="language",
    ),
    Relation(
        "P577",
        "publication date",
        "film",
        Moment("year"),
        """
        {S} was released {on}.
        {S} opened in cinemas {on}.
        The release of {S} {on} had been delayed twice.
        Audiences first saw {S} {on}.
        """,
        infobox="released",
    ),
    Relation(
        "P580",
        "start time",
        "television series",
        Moment("year"),
        """
        {S} was first broadcast {on}.
        {S} began {on}.
        The first episode of {S} was shown {on}.
        {on}, {S} went on the air.
        """,
        infobox="first_aired",
    ),
    Relation(
        "P2047",
        "duration",
        "film",
        Amount(62, 195, "Q7727", _MINUTES),
        """
        {S} runs for {O}.
        {S} has a running time of {O}.
        The running time of {S} is {O}.
        In its released form, {S} lasts {O}.
        """,
        chance=0.8,
        section=1,
        infobox="runtime",
    ),
    Relation(
        "P2130",
        "cost",
        "film",
        Amount(200_000, 90_000_000, "Q4917", steps=100_000),
        """
        {S} was made on a budget of {O}.
        {S} cost {O} to make.
        The budget of {S} was {O}.
        It took {O} to produce {S}.
        """,
        chance=0.5,
        section=1,
        infobox="budget",
    ),
    Relation(
        "P2142",
        "box office",
        "film",
        Amount(300_000, 400_000_000, "Q4917", steps=100_000),
        """
        {S} grossed {O}.
        {S} earned {O} at the box office.
        Box-office takings of {S} came to {O}.
        With {O} in ticket sales, {S} was a modest success.
        """,
        chance=0.4,
        section=2,
        infobox="gross",
    ),
    Relation(
        "P840",
        "narrative location",
        "film|literary work|video game",
        "city",
        """
        {S} is set in {O}.
        The story of {S} takes place in {O}.
        {O} is the setting of {S}.
        {S} tells of a family in {O}, where all of it is set.
        """,
        decoys="""
        {S} was shown to schoolchildren in {O}.
        A copy of {S} turned up at a flea market in {O}.
        """,
        chance=0.35,
        pool="setting",
        pool_size=3,
        back=True,
    ),
    Relation(
        "P915",
        "filming location",
        "film",
        "city",
        """
        {S} was filmed in {O}.
        {O} served as the filming location of {S}.
        Most of {S} was shot on location in {O}.
        The exteriors of {S} were filmed in {O}.
        """,
        decoys="""
        The makers of {S} held a press conference in {O}.
        """,
        chance=0.35,
        pool="setting",
        pool_size=4,
        section=1,
    ),
    Relation(
        "P144",
        "based on",
        "film|television series",
        "literary work",
        """
        {S} is based on {O}.
        {S} is an adaptation of {O}.
        {O} was adapted as {S}.
        The plot of {S} follows that of {O}, on which it is based.
        """,
        decoys="""
        A review of {S} mentions {O} in passing.
        {S} and {O} were reviewed in the same issue of a weekly.
        """,
        chance=0.3,
        pool="sources",
        pool_size=4,
        back=True,
    ),
    Relation(
        "P166",
        "award received",
        "film|literary work|album|video game",
        "award",
        """
        {S} won {O}.
        {S} received {O}.
        {O} went to {S}.
        {S} was awarded {O}.
        """,
        decoys="""
        A magazine printed a recipe between its pages on {S} and its pages on {O}.
        The year {S} came out, the jury of {O} met for only two days.
        """,
        chance=0.25,
        most=2,
        pool="prizes",
        pool_size=3,
        section=2,
        infobox="awards",
    ),
    Relation(
        "P170",
        "creator",
        "television series",
        "human:film director..screenwriter",
        """
        {S} was created by {O}.
        {O} created {S}.
        {O} is the creator of {S}.
        {S}, created by {O}, was planned as a single season.
        """,
        decoys="""
        {O} defended {S} in a newspaper column.
        """,
        chance=0.95,
        clause="created by {O}",
        pool="crew",
        pool_size=3,
        back=True,
        section=1,
        infobox="creator",
    ),
    Relation(
        "P449",
        "original broadcaster",
        "television series",
        "broadcaster",
        """
        {S} was broadcast by {O}.
        {S} aired on {O}.
        {O} broadcast {S}.
        {S} was first shown on {O}, late in the evening.
        """,
        decoys="""
        A satirical weekly made fun of {S} and of the weather map of {O}.
        """,
        chance=0.95,
        pool="crew channel",
        pool_size=2,
        back=True,
        section=1,
        infobox="network",
    ),
    Relation(
        "P1113",
        "number of episodes",
        "television series",
        Amount(6, 240),
        """
        {S} ran to {O} episodes.
        {S} consists of {O} episodes.
        There are {O} episodes of {S}.
        In all, {O} episodes of {S} were made.
        """,
        chance=0.8,
        section=1,
        infobox="num_episodes",
    ),
    Relation(
        "P2437",
        "number of seasons",
        "television series",
        Amount(2, 14),
        """
        {S} ran for {O} seasons.
        {S} has {O} seasons.
        There are {O} seasons of {S}.
        Over {O} seasons, {S} kept most of its audience.
        """,
        chance=0.6,
        section=1,
        infobox="num_seasons",
    ),
]
