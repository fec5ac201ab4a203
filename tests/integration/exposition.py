"""A strict reader of Prometheus' text format 0.0.4, for tests of the daemon's metrics.

Stricter than the format: every metric has HELP and TYPE before its samples and all its lines together, counters end in
_total, no line is repeated, and histograms add up.
"""

import math
import re

NAME = r"[a-zA-Z_:][a-zA-Z0-9_:]*"
SAMPLE = re.compile(rf"({NAME})(?:\{{(.*)\}})? (\S+)\Z")
LABEL = re.compile(r'([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\[\\"n])*)"(?:,|\Z)')


class Malformed(Exception):
    pass


def expect(condition, line, what):
    if not condition:
        raise Malformed(f"{what}: {line!r}")


def read_labels(text, line):
    labels, at = {}, 0
    while at < len(text):
        match = LABEL.match(text, at)
        expect(match and match[1] not in labels, line, "labels")
        labels[match[1]] = match[2]
        at = match.end()
    return labels


def read_number(text, line):
    try:
        value = {"+Inf": math.inf, "-Inf": -math.inf, "NaN": math.nan}.get(text)
        return float(text) if value is None else value
    except ValueError:
        raise Malformed(f"number: {line!r}") from None


def base_of(name, types):
    for suffix in "_bucket", "_sum", "_count":
        if name.endswith(suffix) and types.get(name.removesuffix(suffix)) == "histogram":
            return name.removesuffix(suffix)
    return name


def check_histogram(name, samples):
    buckets = [(read_number(dict(labels)["le"], name), value)
               for (sample, labels), value in samples.items() if sample == name + "_bucket"]
    bounds, counts = zip(*buckets)
    expect(list(bounds) == sorted(set(bounds)) and bounds[-1] == math.inf, name, "bounds rise to +Inf")
    expect(list(counts) == sorted(counts), name, "buckets are cumulative")
    expect(samples[name + "_count", ()] == counts[-1] and (name + "_sum", ()) in samples, name, "sum and count")


def read(text):
    """{(name, ((label, value), ...)): number} of a whole exposition; raises Malformed."""
    expect(text.endswith("\n"), text[-20:], "ends in a line feed")
    helps, types, samples, current, done = {}, {}, {}, None, set()
    for line in text[:-1].split("\n"):
        if line.startswith("# HELP "):
            _, _, name, text_of = line.split(" ", 3)
            expect(re.fullmatch(NAME, name) and name not in helps and text_of, line, "HELP")
            done.add(current)
            helps[name], current = text_of, name
        elif line.startswith("# TYPE "):
            _, _, name, kind = line.split(" ")
            expect(name == current and name not in types, line, "TYPE follows HELP")
            expect(kind in ("counter", "gauge", "histogram"), line, "TYPE")
            expect(name.endswith("_total") == (kind == "counter"), line, "counters end in _total")
            types[name] = kind
        else:
            match = SAMPLE.match(line)
            expect(match, line, "sample")
            key = match[1], tuple(sorted(read_labels(match[2] or "", line).items()))
            base = base_of(match[1], types)
            expect(base == current and base in types and base not in done, line, "sample of another metric")
            expect(key not in samples, line, "said twice")
            samples[key] = read_number(match[3], line)
            expect(types[base] == "gauge" or samples[key] >= 0, line, "negative counter")
    for name in types:
        expect(any(base_of(sample, types) == name for sample, _ in samples) or name == "troupe_requests_total", name,
               "without samples")
        if types[name] == "histogram":
            check_histogram(name, samples)
    return samples
