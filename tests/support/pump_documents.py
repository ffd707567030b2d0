"""Ten small documents about makers of pumps, and a scripted model that reads them perfectly."""

import json
import re
from pathlib import Path
from typing import Any

TEXTS = {
    "nordwerk": "Nordwerk AG\n\n"
    "Nordwerk AG is a maker of pumps. It was founded by Ada Moss in 1962. Nordwerk makes the "
    "Falcon Pump and the Heron Valve. Since 2011 the company has been owned by Lindqvist Holding.",
    "ada_moss": "Ada Moss\n\n"
    "Ada Moss (4 March 1931 – 2 May 2004) was an engineer. She was born in Veld. Moss founded "
    "Nordwerk in 1962. She also invented the Falcon Pump.",
    "falcon_pump": "Falcon Pump\n\n"
    "The Falcon Pump is a pump that is made by Nordwerk. It was designed by Ada Moss. The pump is"
    " used by the Tarn Waterworks. Its seal is supplied by Brenner GmbH.",
    "heron_valve": "Heron Valve\n\n"
    "The Heron Valve is a valve made by Nordwerk AG. It was designed by Jonas Pell. The valve is "
    "used by the Port of Veld.",
    "brenner": "Brenner GmbH\n\n"
    "Brenner GmbH is a supplier of seals. Brenner was founded by Karl Brenner and Ida Brenner in "
    "1949. The firm was bought by Lindqvist Holding in 2015.",
    "lindqvist": "Lindqvist Holding\n\n"
    "Lindqvist Holding is an investment firm. It was founded by Sven Lindqvist in 1988. It owns "
    "Nordwerk AG, Brenner GmbH and Sorell Pumps.",
    "sorell": "Sorell Pumps\n\n"
    "Sorell Pumps is a maker of pumps. It was founded by Rita Sorell in 1971. Sorell makes the "
    "Otter Pump.",
    "otter_pump": "Otter Pump\n\n"
    "The Otter Pump is a pump made by Sorell Pumps. It was designed by Jonas Pell. It is used by "
    "the Tarn Waterworks.",
    "jonas_pell": "Jonas Pell\n\n"
    "Jonas Pell (born 11 June 1948) is an engineer. He was born in Ostheim. Pell designed the "
    "Heron Valve and the Otter Pump.",
    "customers": "Customers in the north\n\n"
    "The Tarn Waterworks uses the Falcon Pump and the Otter Pump. The Port of Veld uses the Heron"
    " Valve. J. Pell visits both once a year.",
}
SCHEMA = """\
classes:
  company: a firm or a public body
  person: somebody
  product: something that is made and sold
  place: a town
relations:
  founded by: {subject: company, object: person, meaning: who began it, id: P112}
  founded in: {subject: company, object: date}
  makes: {subject: company, object: product}
  designed by: {subject: product, object: person, id: P287}
  owned by: {subject: company, object: company, id: P127}
  uses: {subject: company, object: product}
  born in: {subject: person, object: place, id: P19}
"""
CLASSES = {
    "company": ["Nordwerk AG", "Nordwerk", "Lindqvist Holding", "Brenner GmbH", "Brenner", "Sorell Pumps",
                "Sorell", "Tarn Waterworks", "Port of Veld"],
    "person": ["Ada Moss", "Moss", "Jonas Pell", "Pell", "J. Pell", "Karl Brenner", "Ida Brenner",
               "Rita Sorell", "Sven Lindqvist"],
    "product": ["Falcon Pump", "Heron Valve", "Otter Pump"],
    "place": ["Veld", "Ostheim"],
}  # fmt: skip
FACTS = {
    ("Nordwerk AG", "founded by", "Ada Moss"), ("Brenner GmbH", "founded by", "Karl Brenner"),
    ("Brenner GmbH", "founded by", "Ida Brenner"), ("Lindqvist Holding", "founded by", "Sven Lindqvist"),
    ("Sorell Pumps", "founded by", "Rita Sorell"),
    ("Nordwerk AG", "makes", "Falcon Pump"), ("Nordwerk AG", "makes", "Heron Valve"),
    ("Sorell Pumps", "makes", "Otter Pump"),
    ("Falcon Pump", "designed by", "Ada Moss"), ("Heron Valve", "designed by", "Jonas Pell"),
    ("Otter Pump", "designed by", "Jonas Pell"),
    ("Nordwerk AG", "owned by", "Lindqvist Holding"), ("Brenner GmbH", "owned by", "Lindqvist Holding"),
    ("Sorell Pumps", "owned by", "Lindqvist Holding"),
    ("Tarn Waterworks", "uses", "Falcon Pump"), ("Tarn Waterworks", "uses", "Otter Pump"),
    ("Port of Veld", "uses", "Heron Valve"),
    ("Ada Moss", "born in", "Veld"), ("Jonas Pell", "born in", "Ostheim"),
    ("Nordwerk AG", "founded in", "1962"), ("Brenner GmbH", "founded in", "1949"),
    ("Lindqvist Holding", "founded in", "1988"), ("Sorell Pumps", "founded in", "1971"),
}  # fmt: skip
_SHORT = {"Nordwerk AG": "Nordwerk", "Brenner GmbH": "Brenner", "Sorell Pumps": "Sorell", "Ada Moss": "Moss"}


def write(folder: Path) -> Path:
    """The documents as text files."""
    folder.mkdir(parents=True)
    for name, text in TEXTS.items():
        (folder / f"{name}.txt").write_text(text + "\n", encoding="utf-8")
    return folder


def read(body: dict[str, Any]) -> str:
    """What a perfect model replies to a block: everything that it names, and the facts between that."""
    told = body["messages"][-1]["content"]
    title = re.search(r"^Page: (.*)$", told, re.MULTILINE)
    sentences = re.findall(r"^\[\d+\] (.*)$", told, re.MULTILINE)
    text = "\n".join([title[1] if title else "", *sentences])
    entities = [
        {"name": name, "class": class_, "other_names": []}
        for class_, names in CLASSES.items()
        for name in names
        if re.search(rf"\b{re.escape(name)}\b", text)
    ]
    facts = []
    for subject, relation, object_ in sorted(FACTS):
        named = [name for name in (subject, _SHORT.get(subject, subject)) if name in text]
        places = [number for number, sentence in enumerate(sentences, 1) if object_ in sentence]
        if named and places:
            facts.append(
                {"sentence": places[0], "subject": named[0], "relation": relation, "object": object_}
            )
    return json.dumps({"topic": title[1] if title else "", "entities": entities, "facts": facts})
