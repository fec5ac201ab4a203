#!/usr/bin/env python3
"""Counts the lines that copy wire messages to structs and to JSON, and back.

    deploy/count-conversions.py            the lines, by folder and kind
    deploy/count-conversions.py --list     and every definition that counts, largest first
    deploy/count-conversions.py --share 0  and functions that mostly do something else count whole

A definition at the top level of a C file of client/ or server/ counts, without blank lines and without the comment before
it, when it is

    table     a mapping (proto/mapping.h), a row of requests or commands (client/c/exchange.h, command.h), or a listing of
              the command line client
    json      a function of client/cli that makes or changes a JSON value
    writer    a function that writes fields of a state to the wire (server/world)
    function  a function that names a generated message, a request or a struct that a mapping copies, and sets two
              members or more (a request: one)
    struct    a struct of the public headers that a mapping copies

Tables and structs count whole. Of a function the statements count that copy: they set a member, fill a struct, make a request,
use a mapping or a view, or make or change a JSON value. A condition before such a statement belongs to it. If they are half of
its lines or more (--share), the function counts whole, with its checks; otherwise it mostly checks, asks or decides, and only
they count. With --share 0 a function counts whole whatever it mostly does: some 900 lines more.

The walkers that tables are for do not count (proto/mapping.c, client/cli/view.c, server/net/wire_writer.c), nor do
checks of fields (client/command/fields.h).
"""

import argparse
import collections
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parent.parent
WALKERS = {"client/cli/view.c", "client/cli/view.h", "server/net/wire_writer.c"}


def definitions(text):
    """(line number, text) of each definition and declaration at the top level."""
    lines = text.split("\n")
    start = 0
    while start < len(lines):
        if not re.match(r"[A-Za-z_]", lines[start]) or lines[start].startswith('extern "C"'):
            start += 1
            continue
        row = re.match(r"TR_(REQUEST|COMMAND)_\w+\(", lines[start])
        end, depth = start, 0
        while end < len(lines):
            depth += sum(lines[end].count(c) for c in "({") - sum(lines[end].count(c) for c in ")}")
            if depth == 0 and lines[end].rstrip().endswith((";", "}", ")") if row else (";", "}")):
                break
            end += 1
        yield start + 1, "\n".join(lines[start:end + 1])
        start = end + 1


# What copies, in a statement of a function.
COPIES = re.compile(r"(?:->|\.)\w+(?:\[[^]]*\])*(?:\.\w+)* [-+|*]?= |\(\w+\)\{(?!0\}|\})|\bTR_(?:REQUEST|COMMAND)|\btr_mapping_(?:read|write)\b|"
                    r"\btr_(?:view|name_set|wire_put|vec3_of|quat_of)|\bjson_(?!decref|t\b)|\bput_\w+\(|\w+\+\+\] = |\[T(?:ROUPE_|R)_\w+\] = ")


def statements(text):
    """The statements of a function's body, each as its lines. One that a condition stands before begins with it."""
    lines, depth = [], 0
    for line in text.split("\n")[1:]:
        if not line.strip():
            continue
        lines.append(line)
        opens = re.search(r"(?:\)|else|do) \{$", line)
        depth += sum(line.count(c) for c in "([{") - sum(line.count(c) for c in ")]}") - bool(opens)
        if opens or line.strip() == "}":
            depth, lines = 0, []  # a block is no statement; what is in it is
        elif depth <= 0 and line.endswith(";"):
            yield lines
            depth, lines = 0, []


def copying_lines(text, share):
    """The lines of a function that copy; all of them if this share of them does."""
    parts = list(statements(text))
    copying = sum(len(part) for part in parts if COPIES.search("\n".join(part)))
    if copying >= share * sum(len(part) for part in parts):
        return sum(bool(line.strip()) for line in text.split("\n"))
    return copying


def mapped(text):
    return set(re.findall(r"TR_MAPPING\(\s*(\w+)", text))


def kind_of(path, text, structs):
    """The kind of a definition; None: it does not count."""
    if re.search(r"^TR_(REQUEST|COMMAND)_|TR_MAPPING\(|TR_INQUIRY_ROWS\(|\.words =", text):
        return "table"
    if text.startswith("typedef struct") and path.startswith("client/include/"):
        return "struct" if text.rstrip(";").split()[-1] in structs else None
    if not text.endswith("}"):
        return None
    if path.startswith("client/cli/") and re.search(r"\btr_view|\bjson_pack|\bjson_object_set|\bjson_array_append", text):
        return "json"
    if path.startswith("server/world/") and re.search(r"\btr_wire_put|\bput_\w+\(&?s\b", text):
        return "writer"
    requests = re.search(r"\bTR_(REQUEST|COMMAND)", text)
    names = requests or "Troupe__" in text or any(re.search(rf"\b{name}\b", text) for name in structs)
    members = len(re.findall(r"(?:->|\.)\w+(?:\[[^]]*\])? = ", text))
    return "function" if names and members >= (1 if requests else 2) else None


def count(share):
    """(lines, kind, path, line number, first line) of each definition that counts."""
    files = [path for folder in ("client/c", "client/cli", "client/include", "server")
             for path in sorted((ROOT / folder).rglob("*.[ch]"))]
    texts = {str(path.relative_to(ROOT)): path.read_text() for path in files}
    public = {name for text in texts.values() for name in mapped(text) if name.startswith("tr_")}
    for path, text in texts.items():
        if path in WALKERS:
            continue
        own = mapped(text)
        for number, definition in definitions(text):
            structs = public if path.startswith("client/include/") else own
            kind = kind_of(path, definition, structs)
            if kind:
                lines = copying_lines(definition, 0 if kind in ("table", "struct") else share)
                yield lines, kind, path, number, definition.split("\n")[0]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--list", action="store_true", help="and every definition that counts")
    parser.add_argument("--share", type=float, default=0.5, help="of a function's lines that copy, from which it counts whole (default: 0.5)")
    options = parser.parse_args()
    rows = list(count(options.share))
    if options.list:
        for lines, kind, path, number, first in sorted(rows, key=lambda row: -row[0]):
            print(f"{lines:5}  {kind:8}  {path}:{number}  {first[:60]}")
    sums = collections.Counter()
    for lines, kind, path, _, _ in rows:
        sums["/".join(path.split("/")[:2]), kind] += lines
        sums["all", kind] += lines
    for (folder, kind), lines in sorted(sums.items()):
        print(f"{lines:5}  {folder}  {kind}")
    print(f"{sum(row[0] for row in rows):5}  in all")


if __name__ == "__main__":
    main()
