"""What the world knows about films, books, music, paintings and games, and how its articles say it."""

from rollcall.world.relation import Amount, Moment, relation

_MINUTES = (("Q25235", 1 / 60),)

WORKS = [
    relation(
        "P57",
        "director",
        "film",
        "human:film director",
        """
        {S} was directed by {O}.
        {O} directed {S}.
        It was {O} who directed {S}.
        {S}, which {O} directed, took two years to finish.
        With {O} as director, {S} was shot quickly and cheaply.
        """,
        decoys="""
        {O} attended the first screening of {S}.
        {O} was photographed on the set of {S}.
        {O} recorded a commentary on {S} for a later release.
        {O} defended {S} against its critics.
        """,
        clause="directed by {O}",
        chance=0.97,
        pool="crew",
        pool_size=4,
        back=True,
        section=1,
        infobox="director",
    ),
    relation(
        "P58",
        "screenwriter",
        "film",
        "human:film director..screenwriter",
        """
        {S} was written by {O}.
        {O} wrote the screenplay of {S}.
        The screenplay of {S} is by {O}.
        {S}, from a script by {O}, was completed on time.
        """,
        decoys="""
        {O} disliked the poster of {S}.
        {O} quoted a line from {S} in a letter.
        """,
        clause="written by {O}",
        chance=0.75,
        most=2,
        pool="crew",
        pool_size=5,
        back=True,
        section=1,
        infobox="writer",
    ),
    relation(
        "P162",
        "producer",
        "film",
        "human:film director..film producer",
        """
        {S} was produced by {O}.
        {O} produced {S}.
        {O} acted as producer of {S}.
        {S}, with {O} as its producer, stayed within budget.
        """,
        decoys="""
        {O} was seated in the third row when {S} was first shown.
        {O} kept a framed still from {S} in the hall.
        """,
        chance=0.8,
        most=2,
        pool="crew",
        pool_size=5,
        back=True,
        section=1,
        infobox="producer",
    ),
    relation(
        "P161",
        "cast member",
        "film|television series",
        "human:actor",
        """
        {S} stars {O}.
        {O} appears in {S}.
        {O} plays one of the main parts in {S}.
        The cast of {S} includes {O}.
        {S}, in which {O} has a leading role, was shot in eleven weeks.
        """,
        decoys="""
        {O} was asked about {S} in a radio interview.
        {O} walked out of a screening of {S}.
        {O} named {S} as a favourite of {O's} children.
        """,
        chance=0.97,
        most=5,
        pool="cast",
        pool_size=12,
        back=True,
        section=1,
        infobox="starring",
    ),
    relation(
        "P86",
        "composer",
        "film",
        "human:composer",
        """
        The music of {S} was composed by {O}.
        {O} composed the score of {S}.
        {S} has music by {O}.
        For {S}, {O} wrote a score for small orchestra.
        """,
        decoys="""
        {O} found the ending of {S} too sentimental.
        """,
        chance=0.6,
        pool="crew music",
        pool_size=2,
        back=True,
        section=1,
        infobox="music",
    ),
    relation(
        "P344",
        "director of photography",
        "film",
        "human:cinematographer",
        """
        {O} was the director of photography of {S}.
        {S} was photographed by {O}.
        The cinematography of {S} is by {O}.
        {S}, shot by {O}, is noted for its long takes.
        """,
        chance=0.5,
        pool="crew camera",
        pool_size=2,
        section=1,
        infobox="cinematography",
        decoys="""
        {O} compared {S} with the films of an earlier age.
        """,
    ),
    relation(
        "P272",
        "production company",
        "film|television series",
        "studio",
        """
        {S} was made by {O}.
        {O} produced {S} on a tight schedule.
        The production company behind {S} was {O}.
        {S} is a production of {O}.
        """,
        decoys="""
        {O} was sued by a former employee in the year {S} came out.
        {O} lent costumes to the makers of {S}.
        """,
        chance=0.75,
        pool="crew studio",
        pool_size=2,
        back=True,
        section=1,
        infobox="studio",
    ),
    relation(
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
        One reviewer wrote that {S} made every other {O} of the year look cheap.
        """,
        chance=0.9,
        most=2,
        pool="crew genre",
        pool_size=3,
        infobox="genre",
    ),
    relation(
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
    relation(
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
        A version of {S} with subtitles in {O} is kept in an archive.
        """,
        source="tongue",
        chance=0.8,
        infobox="language",
    ),
    relation(
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
    relation(
        "P577",
        "publication date",
        "album|song|video game",
        Moment("year"),
        """
        {S} was released {on}.
        {S} came out {on}.
        The release of {S} {on} was accompanied by a tour of small halls.
        {on}, {S} reached the shops.
        """,
        infobox="released",
    ),
    relation(
        "P577",
        "publication date",
        "literary work",
        Moment("year"),
        """
        {S} was published {on}.
        {S} first appeared in print {on}.
        The publication of {S} {on} went almost unnoticed.
        {on}, {S} was published in an edition of 800 copies.
        """,
        infobox="pub_date",
    ),
    relation(
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
    relation(
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
    relation(
        "P2047",
        "duration",
        "album",
        Amount(28, 78, "Q7727", _MINUTES),
        """
        {S} lasts {O}.
        {S} has a length of {O}.
        The length of {S} is {O}.
        Altogether, {S} runs for {O}.
        """,
        chance=0.6,
        section=1,
        infobox="length",
    ),
    relation(
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
    relation(
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
    relation(
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
    relation(
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
    relation(
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
    relation(
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
        {S} was left off the shortlist of {O} at first.
        The year {S} came out, the jury of {O} met for only two days.
        """,
        chance=0.25,
        most=2,
        pool="prizes",
        pool_size=3,
        section=2,
        infobox="awards",
    ),
    relation(
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
    relation(
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
        Viewers wrote to {O} to ask what {S} meant.
        """,
        chance=0.95,
        pool="crew channel",
        pool_size=2,
        back=True,
        section=1,
        infobox="network",
    ),
    relation(
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
    relation(
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
    relation(
        "P50",
        "author",
        "literary work",
        "human:writer",
        """
        {S} was written by {O}.
        {O} wrote {S}.
        {O} is the author of {S}.
        {S}, which {O} wrote in a rented room, was long out of print.
        The author of {S} is {O}.
        """,
        decoys="""
        {O} gave a public reading from {S}.
        {O} owned a first edition of {S}.
        {O} wrote a hostile review of {S} under a false name.
        """,
        clause="by {O}",
        chance=0.98,
        pool="crew",
        pool_size=5,
        back=True,
        infobox="author",
    ),
    relation(
        "P110",
        "illustrator",
        "literary work",
        "human:illustrator",
        """
        {S} was illustrated by {O}.
        {O} illustrated {S}.
        The illustrations of {S} are by {O}.
        {S} appeared with drawings by {O}, its illustrator.
        """,
        chance=0.25,
        pool="crew pen",
        pool_size=2,
        back=True,
        section=1,
        infobox="illustrator",
        decoys="""
        {O} thought the typeface of {S} unreadable.
        """,
    ),
    relation(
        "P655",
        "translator",
        "literary work",
        "human:writer",
        """
        {S} was translated by {O}.
        {O} translated {S}.
        {O} is the translator of {S}.
        A translation of {S} by {O} made it known abroad.
        """,
        decoys="""
        {O} advised a friend against reading {S}.
        """,
        chance=0.2,
        pool="crew abroad",
        pool_size=3,
        section=2,
        near=False,
    ),
    relation(
        "P123",
        "publisher",
        "literary work",
        "publisher",
        """
        {S} was published by {O}.
        {O} published {S}.
        The publisher of {S} is {O}.
        {S} appeared with {O}, its publisher.
        """,
        decoys="""
        {O} had returned the manuscript of {S} more than once.
        """,
        chance=0.85,
        pool="crew house",
        pool_size=2,
        back=True,
        section=1,
        infobox="publisher",
    ),
    relation(
        "P291",
        "place of publication",
        "literary work",
        "city",
        """
        {S} was published in {O}.
        The place of publication of {S} is {O}.
        {S} first came out in {O}.
        It was in {O} that {S} was first published.
        """,
        chance=0.5,
        pool="crew town",
        pool_size=2,
        section=1,
        decoys="""
        A bookseller in {O} refused to stock {S}.
        """,
    ),
    relation(
        "P136",
        "genre",
        "literary work",
        "*literary genre",
        """
        {S} belongs to the genre of {O}.
        {S} is usually classed as {O}.
        By genre, {S} is {O}.
        Booksellers shelve {S} under {O}.
        """,
        decoys="""
        An essay on {O} mentions {S} in a footnote.
        """,
        chance=0.85,
        pool="crew genre",
        pool_size=3,
        infobox="genre",
    ),
    relation(
        "P407",
        "language of work or name",
        "literary work|song|newspaper",
        "language",
        """
        {S} is in {O}.
        {S} is written in {O}.
        The language of {S} is {O}.
        Like most works of its time and place, {S} is in {O}.
        """,
        decoys="""
        A student once set out to turn all of {S} into {O} puns.
        """,
        source="tongue",
        chance=0.8,
        infobox="language",
    ),
    relation(
        "P1104",
        "number of pages",
        "literary work",
        Amount(48, 940),
        """
        {S} has {O} pages.
        {S} runs to {O} pages.
        The first edition of {S} has {O} pages.
        At {O} pages, {S} is of moderate length.
        """,
        chance=0.6,
        section=1,
        infobox="pages",
    ),
    relation(
        "P175",
        "performer",
        "album",
        "musical group|human:singer",
        """
        {S} was recorded by {O}.
        {O} recorded {S}.
        {S} is a record by {O}.
        {S}, which {O} recorded in nine days, sold slowly.
        """,
        decoys="""
        {O} covered none of the songs of {S} on the next tour.
        {O} gave away signed copies of {S}.
        """,
        clause="by {O}",
        pool="scene act",
        pool_size=4,
        back=True,
        infobox="artist",
    ),
    relation(
        "P175",
        "performer",
        "song",
        "musical group|human:singer",
        """
        {S} was recorded by {O}.
        {O} recorded {S}.
        {S} is sung by {O}.
        {S}, performed by {O}, is played in a slow 6/8 time.
        """,
        decoys="""
        {O} forgot the words of {S} on live television.
        """,
        clause="by {O}",
        source="album performer",
        back=True,
        infobox="artist",
    ),
    relation(
        "P361",
        "part of",
        "song",
        "album",
        """
        {S} is part of {O}.
        {S} appears on {O}.
        {O} includes {S}.
        {S} was released as part of {O}.
        """,
        decoys="""
        The sleeve of {O} was designed before {S} had a title.
        """,
        source="album",
        back=True,
        infobox="album",
    ),
    relation(
        "P658",
        "tracklist",
        "album",
        "song",
        """
        {S} contains {O}.
        {O} is a track on {S}.
        The track list of {S} includes {O}.
        Among the tracks of {S} is {O}.
        """,
        source="tracks",
        most=6,
        section=1,
        decoys="""
        At the time of {S}, radio stations preferred {O} to anything newer.
        """,
    ),
    relation(
        "P264",
        "record label",
        "musical group",
        "record label",
        """
        {S} {records/recorded} for {O}.
        {S} signed with {O}.
        {O} signed {S} after a single concert.
        The label of {S} {is} {O}.
        """,
        decoys="""
        {O} misspelt the name of {S} on a poster.
        """,
        chance=0.7,
        pool="scene label",
        pool_size=2,
        section=1,
        infobox="label",
    ),
    relation(
        "P264",
        "record label",
        "album",
        "record label",
        """
        {S} was released by {O}.
        {O} released {S}.
        {S} was issued on {O}.
        The label behind {S} is {O}.
        """,
        decoys="""
        {O} misprinted the name of {S} in its catalogue.
        """,
        chance=0.8,
        pool="scene label",
        pool_size=2,
        back=True,
        section=1,
        infobox="label",
    ),
    relation(
        "P162",
        "producer",
        "album",
        "human:composer",
        """
        {S} was produced by {O}.
        {O} produced {S}.
        {O} acted as producer of {S}.
        The producer of {S} was {O}.
        """,
        decoys="""
        {O} called {S} a brave failure.
        """,
        chance=0.7,
        pool="scene producer",
        pool_size=3,
        back=True,
        section=1,
        infobox="producer",
    ),
    relation(
        "P136",
        "genre",
        "album|song|musical group",
        "*music genre",
        """
        {S} is usually filed under {O}.
        The genre of {S} is {O}.
        The style of {S} is {O}.
        Reviewers described {S} as {O}.
        """,
        decoys="""
        {S} is mentioned in a book on the decline of {O}.
        """,
        chance=0.9,
        most=2,
        pool="genre",
        pool_size=3,
        infobox="genre",
    ),
    relation(
        "P86",
        "composer",
        "song",
        "human:composer",
        """
        {S} was composed by {O}.
        {O} composed {S}.
        The tune of {S} is by {O}.
        The composer of {S} is {O}.
        """,
        decoys="""
        {O} taught {S} to an evening class.
        """,
        chance=0.7,
        pool="scene producer",
        pool_size=3,
        back=True,
        section=1,
    ),
    relation(
        "P676",
        "lyrics by",
        "song",
        "human:composer..singer",
        """
        The words of {S} are by {O}.
        {O} wrote the lyrics of {S}.
        The lyrics of {S} were written by {O}.
        {S} has words by {O}.
        """,
        decoys="""
        {O} asked that {S} be played at a friend's funeral.
        """,
        chance=0.6,
        pool="scene words",
        pool_size=3,
        section=1,
    ),
    relation(
        "P170",
        "creator",
        "painting",
        "human:painter",
        """
        {S} was painted by {O}.
        {O} painted {S}.
        {S} is a work of {O}.
        {S}, which {O} painted from memory, is unsigned.
        """,
        decoys="""
        {O} sketched visitors looking at {S}.
        {O} once offered to restore {S} for nothing.
        """,
        clause="by {O}",
        chance=0.97,
        pool="crew",
        pool_size=4,
        back=True,
        infobox="artist",
    ),
    relation(
        "P186",
        "made from material",
        "painting",
        "*painting material",
        """
        {S} was painted with {O}.
        {S} is made of {O}, among other things.
        Traces of {O} were found on every part of {S}.
        The material of {S} is {O}.
        """,
        chance=0.8,
        section=1,
        infobox="medium",
    ),
    relation(
        "P180",
        "depicts",
        "painting",
        "city|mountain|river|human:actor..politician",
        """
        {S} depicts {O}.
        {O} is depicted in {S}.
        The subject of {S} is {O}.
        {S} shows {O}, seen from a distance.
        """,
        decoys="""
        A guidebook lists {S} and {O} on the same page.
        """,
        chance=0.6,
        pool="crew subject",
        pool_size=4,
        back=True,
    ),
    relation(
        "P195",
        "collection",
        "painting",
        "museum",
        """
        {S} is in the collection of {O}.
        {S} belongs to {O}.
        {O} owns {S}.
        {S} hangs in {O}, to which it belongs.
        """,
        decoys="""
        Visitors to {O} often ask the way to {S}.
        """,
        chance=0.8,
        pool="crew museum",
        pool_size=3,
        back=True,
        section=2,
        infobox="museum",
    ),
    relation(
        "P135",
        "movement",
        "painting",
        "*movement",
        """
        {S} is an example of {O}.
        {S} belongs to {O}.
        Art historians count {S} as a work of {O}.
        In style, {S} belongs to {O}.
        """,
        chance=0.6,
        pool="movement",
        pool_size=2,
        section=1,
        infobox="movement",
    ),
    relation(
        "P571",
        "inception",
        "painting",
        Moment("year"),
        """
        {S} was painted {on}.
        {S} dates from {date}.
        Work on {S} ended {on}, as its date shows.
        The date of {S} is {date}.
        """,
        infobox="year",
    ),
    relation(
        "P2048",
        "height",
        "painting",
        Amount(24, 260, "Q174728", (("Q11573", 0.01),)),
        """
        {S} is {O} high.
        {S} has a height of {O}.
        The height of {S} is {O}.
        Without its frame, {S} is {O} high.
        """,
        chance=0.6,
        section=1,
        infobox="height",
    ),
    relation(
        "P178",
        "developer",
        "video game",
        "business",
        """
        {S} was developed by {O}.
        {O} developed {S}.
        The developer of {S} is {O}.
        {S}, developed by {O}, was ported to other systems.
        """,
        decoys="""
        {O} used screenshots of {S} in a lecture.
        """,
        clause="developed by {O}",
        sector=2,
        chance=0.9,
        pool="crew",
        pool_size=3,
        back=True,
        infobox="developer",
        section=1,
    ),
    relation(
        "P123",
        "publisher",
        "video game",
        "business|publisher",
        """
        {S} was published by {O}.
        {O} published {S}.
        The publisher of {S} is {O}.
        {S} was brought out by {O}.
        """,
        decoys="""
        {O} denied any interest in {S} at first.
        """,
        chance=0.8,
        pool="crew house",
        pool_size=2,
        section=1,
        infobox="publisher",
    ),
    relation(
        "P136",
        "genre",
        "video game",
        "*video game genre",
        """
        {S} is {a O}.
        By genre, {S} is {a O}.
        {S} was sold as {a O}.
        As {a O}, {S} was well received.
        """,
        chance=0.9,
        pool="crew genre",
        pool_size=3,
        infobox="genre",
    ),
    relation(
        "P86",
        "composer",
        "video game",
        "human:composer",
        """
        {S} has music by {O}.
        {O} composed the music of {S}.
        The soundtrack of {S} was composed by {O}.
        The composer of {S} was {O}.
        """,
        chance=0.4,
        pool="crew music",
        pool_size=2,
        back=True,
        section=1,
    ),
    relation(
        "P1441",
        "present in work",
        "fictional character",
        "literary work",
        """
        {S} appears in {O}.
        {S} is a character in {O}.
        {O} introduces {S} in its second chapter.
        Readers of {O} meet {S} early on, as a character in the story.
        """,
        decoys="""
        A crossword in {O's} anniversary year used {S} as a clue.
        """,
        source="book",
        clause="in {O}",
        back=True,
        infobox="first",
    ),
    relation(
        "P170",
        "creator",
        "fictional character",
        "human:writer",
        """
        {S} was created by {O}.
        {O} created {S}.
        {S} is a creation of {O}.
        {S}, created by {O}, was modelled on a neighbour.
        """,
        decoys="""
        {O} grew tired of being asked about {S}.
        """,
        source="book author",
        chance=0.9,
        back=True,
        infobox="creator",
    ),
    relation(
        "P106",
        "occupation",
        "fictional character",
        "*occupation",
        """
        In the story, {S} is {a O}.
        {S} works as {a O}.
        {S} is described as {a O}.
        By trade, {S} is {a O}.
        """,
        chance=0.7,
        section=1,
        infobox="occupation",
    ),
]
