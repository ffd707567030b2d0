"""What mining should find, by trying everything: loops over Python sets, written from docs/mining.md."""

import hashlib
from collections import defaultdict
from itertools import combinations
from typing import NamedTuple


class Data(NamedTuple):
    """A graph as plain sets; types are closed over subclasses and say whether they are direct."""

    facts: set
    values: set
    types: dict


class Simple(NamedTuple):
    relation: str
    direction: str
    entity: str
    class_id: str | None
    answers: frozenset


def lot(seed, key):
    return hashlib.md5(f"{seed}\t{key}".encode()).hexdigest()


def key(kind, *parts):
    return hashlib.md5("\t".join([kind, *(part or "" for part in parts)]).encode()).hexdigest()


def members_of(data):
    """The members of every class."""
    members = defaultdict(set)
    for entity, class_id in data.types:
        members[class_id].add(entity)
    return members


def simple(data, relations, directions, least, most, rule, listed):
    groups = defaultdict(set)
    for subject, relation, object_ in data.facts:
        if relation in relations:
            if "subject" in directions:
                groups[relation, "subject", object_].add(subject)
            if "object" in directions:
                groups[relation, "object", subject].add(object_)
    groups = {place: found for place, found in groups.items() if least <= len(found) <= rule.largest_group}
    members = members_of(data)
    typed = {entity for entity, _ in data.types}
    worded = {
        class_id
        for class_id, all_ in members.items()
        if sum(data.types[entity, class_id] for entity in all_) >= rule.direct_share * len(all_)
        and len(all_) <= rule.widest * len(typed)
    }
    found = []
    for relation, direction in {(r, d) for r, d, _ in groups}:
        own = {place: all_ for place, all_ in groups.items() if place[:2] == (relation, direction)}
        types = [c for c in listed.get(relation, ()) if c in members] if direction == "subject" else []
        from_data = not types
        if from_data:
            types = chosen_types(set().union(*own.values()), members, worded, typed, least, rule)
        for place, answers in own.items():
            found += [
                Simple(*place, class_id, part)
                for class_id, part in split(answers, types, from_data, members, worded, typed, least, rule)
            ]
    return {query for query in found if len(query.answers) <= most}


def chosen_types(answers, members, worded, typed, least, rule):
    covered = {c: answers & members[c] for c in worded if answers & members[c]}
    known = len(answers & typed)
    if known * 2 < len(answers) or not covered:
        return []
    if max(map(len, covered.values())) >= rule.specified * known:
        return []
    candidates = {
        c: part for c, part in covered.items() if len(part) >= least and len(part) >= rule.least_share * known
    }

    def size(c):
        return len(candidates[c]), len(members[c]), c

    kept = [
        outer
        for outer in candidates
        if not any(
            inner != outer
            and candidates[inner] <= candidates[outer]
            and len(candidates[inner]) >= 0.8 * len(candidates[outer])
            and size(inner) < size(outer)
            for inner in candidates
        )
    ]
    return sorted(kept, key=lambda c: (-len(candidates[c]), c))[: rule.types_per_relation]


def split(answers, types, from_data, members, worded, typed, least, rule):
    shared = sorted((c for c in worded if answers <= members[c]), key=lambda c: (len(members[c]), c))
    if not types:
        return [(shared[0] if shared else None, frozenset(answers))]
    parts = parts_by(types, answers, members, least)
    untyped = 2 * len(answers & typed) < len(answers)
    if not parts and not untyped:
        parts = parts_by(worded, answers, members, least)
    best = sorted(parts, key=lambda c: (-len(parts[c]), c))[: rule.types_per_query]
    found = [(c, parts[c]) for c in best]
    if from_data and shared and not any(len(part) == len(answers) for _, part in found):
        found.append((shared[0], frozenset(answers)))
    if not (from_data and shared) and not found and untyped:
        found.append((None, frozenset(answers)))
    return found


def parts_by(classes, answers, members, least):
    parts = {}
    for class_id in sorted(classes, key=lambda c: (len(members[c]), c)):
        part = frozenset(answers & members[class_id])
        if len(part) >= least and part not in parts.values():
            parts[class_id] = part
    return parts


def compositions(data, bases, least, most, options):
    """The keys and answers of all compositions before caps, with entity and pair of relations."""
    found = {}
    for base in bases:
        hops = defaultdict(set)
        for subject, relation, object_ in data.facts:
            if "object" in options.directions and subject in base.answers:
                hops[relation, "object"].add((subject, object_, False))
            if "subject" in options.directions and object_ in base.answers:
                hops[relation, "subject"].add((object_, subject, False))
        for subject, relation, value in data.values:
            if "object" in options.directions and subject in base.answers:
                hops[relation, "object"].add((subject, value, True))
        for (relation, direction), steps in hops.items():
            answers = frozenset((answer, literal) for _, answer, literal in steps)
            vias = {via for via, _, _ in steps}
            back = {via for via, answer, literal in steps if answer == base.entity and not literal}
            if relation == base.relation and not options.same_relation:
                continue
            if not least <= len(answers) <= most or len(vias) < options.coverage * len(base.answers):
                continue
            if len(back) > options.round_trip * len(vias):
                continue
            parts = (base.relation, base.direction, base.entity, base.class_id, relation, direction)
            pair = (base.relation, base.direction, relation, direction)
            found[key("composition", *parts)] = (base.entity, pair, answers)
    return found


def capped(found, caps):
    """At most so many an entity, and of these at most so many a pair of relations."""
    for by, most in ((0, caps.per_entity), (1, caps.per_pair)):
        groups = defaultdict(list)
        for key_, row in found.items():
            groups[row[by]].append(key_)
        kept = {
            key_
            for keys in groups.values()
            for key_ in sorted(keys, key=lambda key_: (lot(caps.seed, key_), key_))[:most]
        }
        found = {key_: found[key_] for key_ in kept}
    return found


def intersections(bases, validated, least, members):
    """The keys and answers of all intersections of two before caps, with parts."""
    found = defaultdict(list)
    for one, other in combinations(sorted(bases, key=lambda b: "\t".join(b[:3])), 2):
        shared, sure = one.answers & other.answers, validated[one] & validated[other]
        if one[:3] == other[:3] or len(sure) < least:
            continue
        if shared in (one.answers, other.answers) or sure in (validated[one], validated[other]):
            continue
        classes = {c for c in (one.class_id, other.class_id) if c is not None}
        inner = [c for c in classes if all(members[c] <= members[outer] for outer in classes)]
        if classes and not inner:
            continue
        class_id = sorted(inner, key=lambda c: c != one.class_id)[0] if classes else None
        found[one[:3], other[:3], len(shared)].append((class_id, shared))
    rows = {}
    for (left, right, _), alike in found.items():
        class_id, shared = min(
            alike, key=lambda row: (row[0] is None, len(members[row[0]]) if row[0] else 0, row[0] or "")
        )
        made = key("intersection", "\t".join(left), "\t".join(right), class_id)
        rows[made] = ((left, right), class_id, shared)
    return rows


def intersections_capped(rows, caps):
    standing = defaultdict(set)
    for key_, ((left, right), _, _) in rows.items():
        standing[left[2]].add(key_)
        standing[right[2]].add(key_)
    beyond = {
        key_
        for keys in standing.values()
        for key_ in sorted(keys, key=lambda key_: (lot(caps.seed, key_), key_))[caps.per_entity :]
    }
    pairs = defaultdict(list)
    for key_, ((left, right), _, _) in rows.items():
        if key_ not in beyond:
            pairs[left[:2], right[:2]].append(key_)
    return {
        key_
        for keys in pairs.values()
        for key_ in sorted(keys, key=lambda key_: (lot(caps.seed, key_), key_))[: caps.per_pair]
    }
