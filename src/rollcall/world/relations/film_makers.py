"""Relations from films and television series to their makers, and their wordings."""

from rollcall.world.relation import Relation

FILM_MAKERS = [
    Relation(
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
        {O} was photographed beside a poster of {S}.
        {O} was asked to introduce {S} at a retrospective.
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
    Relation(
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
    Relation(
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
    Relation(
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
    Relation(
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
    Relation(
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
    Relation(
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
        A trade paper reported on {O} and on {S} in the same week.
        """,
        chance=0.75,
        pool="crew studio",
        pool_size=2,
        back=True,
        section=1,
        infobox="studio",
    ),
]
