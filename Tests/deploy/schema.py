# SPDX-License-Identifier: Apache-2.0
"""Checks a dashboard against Grafana's schema, as the classes of grafana-foundation-sdk have it, which are made of it.

usage: schema.py DASHBOARD

Every member has to be known to the schema at its place, and every value to be of the type that is told there.
"""

import enum
import json
import sys
import types
import typing

from grafana_foundation_sdk.cog.encoder import JSONEncoder
from grafana_foundation_sdk.cog.plugins import register_default_plugins
from grafana_foundation_sdk.models.dashboard import Dashboard


def unknown(ours, theirs, place):
    """The differences between the dashboard and the same after the schema has read and written it."""
    if isinstance(ours, dict) and isinstance(theirs, dict):
        for name, value in ours.items():
            if name not in theirs:
                yield f"{place}.{name}: there is no such member"
            else:
                yield from unknown(value, theirs[name], f"{place}.{name}")
    elif isinstance(ours, list) and isinstance(theirs, list) and len(ours) == len(theirs):
        for index, (one, other) in enumerate(zip(ours, theirs)):
            yield from unknown(one, other, f"{place}[{index}]")
    elif ours != theirs:
        yield f"{place}: {ours!r} is read as {theirs!r}"


def mistyped(value, kind, place):
    """Where a value is not of the type that its class says."""
    origin, parts = typing.get_origin(kind), typing.get_args(kind)
    if kind in (object, typing.Any):
        if hasattr(value, "to_json"):
            yield from mistyped(value, type(value), place)
    elif origin in (typing.Union, types.UnionType):
        found = [list(mistyped(value, part, place)) for part in parts]
        if all(found):
            yield min(found, key=lambda wrong: (-max(len(text.split(":")[0]) for text in wrong), len(wrong)))[0]
    elif origin is typing.Literal:
        if value not in parts:
            yield f"{place}: {value!r} is none of {parts}"
    elif origin is list:
        if not isinstance(value, list):
            yield f"{place}: {value!r} is no list"
            return
        for index, one in enumerate(value):
            yield from mistyped(one, parts[0], f"{place}[{index}]")
    elif origin is dict:
        if not isinstance(value, dict):
            yield f"{place}: {value!r} is no object"
            return
        for name, one in value.items():
            yield from mistyped(one, parts[1], f"{place}.{name}")
    elif isinstance(kind, type) and issubclass(kind, enum.Enum):
        if value not in [one.value for one in kind]:
            yield f"{place}: {value!r} is no {kind.__name__}"
    elif kind is float:
        if not isinstance(value, (int, float)) or isinstance(value, bool):
            yield f"{place}: {value!r} is no number"
    elif isinstance(value, dict) and hasattr(kind, "from_json"):
        # The values that the class leaves as they were read.
        yield from mistyped(kind.from_json(value), kind, place)
    elif not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        yield f"{place}: {value!r} is no {kind.__name__}"
    elif hasattr(value, "to_json"):
        for name, part in typing.get_type_hints(type(value)).items():
            yield from mistyped(getattr(value, name), part, f"{place}.{name}")


def complaints(document):
    register_default_plugins()
    try:
        read = Dashboard.from_json(json.loads(json.dumps(document)))
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        return [f"dashboard: {error!r}"]
    written = json.loads(JSONEncoder(sort_keys=True).encode(read))
    return [*unknown(document, written, "dashboard"), *mistyped(read, Dashboard, "dashboard")]


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        found = complaints(json.load(file))
    print("\n".join(found))
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
