#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""listing.py GRAPH...: the public surface that the symbol graphs of one module tell, to standard output.

One symbol a line, sorted by its name: where it stands, and its declaration as a caller reads it. Below a type, what it
conforms to.
"""

import json
import sys


def declaration(symbol):
    text = "".join(fragment["spelling"] for fragment in symbol["declarationFragments"])
    return " ".join(text.split())


def name_of(target, symbols, fallback):
    if target in symbols:
        return ".".join(symbols[target]["pathComponents"])
    # `Swift.Sendable`: a protocol of Swift's own is named as it is written.
    return fallback.removeprefix("Swift.")


def lines(graphs):
    symbols, conformances = {}, {}
    for graph in graphs:
        for symbol in graph["symbols"]:
            symbols[symbol["identifier"]["precise"]] = symbol
    for graph in graphs:
        for relation in graph["relationships"]:
            if relation["kind"] == "conformsTo" and relation["source"] in symbols:
                name = name_of(relation["target"], symbols, relation.get("targetFallback", relation["target"]))
                # Follows from `Sendable`, in some compilers.
                if name == "SendableMetatype":
                    continue
                conformances.setdefault(relation["source"], set()).add(name)
    listed = []
    for identifier, symbol in symbols.items():
        path = ".".join(symbol["pathComponents"])
        listed.append((path, 0, declaration(symbol)))
        if identifier in conformances:
            listed.append((path, 1, "conforms to " + ", ".join(sorted(conformances[identifier]))))
    for path, _, text in sorted(set(listed)):
        yield f"{path}: {text}"


def main():
    graphs = []
    for path in sys.argv[1:]:
        with open(path, encoding="utf-8") as file:
            graphs.append(json.load(file))
    if not any(graph["symbols"] for graph in graphs):
        sys.exit("listing.py: no public symbol in " + " ".join(sys.argv[1:]))
    for line in lines(graphs):
        print(line)


main()
