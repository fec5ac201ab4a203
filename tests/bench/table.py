#!/usr/bin/python3
"""Shows what troupe-bench printed: a table, and with --svg a picture of it.

    troupe-bench physics --h-ms 5 | python3 tests/bench/table.py --svg physics.svg
    python3 tests/bench/table.py tests/bench/results/physics-amd-epyc.csv

Results of `physics` become a row for each scenario: microseconds of a step, and how many times slower the other engines are.
Other results are aligned.
"""

import argparse
import csv
import math
import sys

OURS = "articulated"
BAR, ROW, LEFT, SCALE_MAX = 12, 16, 200, 1000  # of the picture: pixels, and times slower at its right edge


def compare(rows):
    """[(scenario, us of a step, {engine: times slower})]: of `physics`, in the order of the scenarios."""
    steps = {row["h_ms"] for row in rows}
    table = {}
    for row in rows:
        name = row["scenario"] + (f" {row['h_ms']} ms" if len(steps) > 1 else "")
        entry = table.setdefault(name, [0.0, {}])
        if row["stepper"] == OURS:
            entry[0] = float(row["us_per_step"])
        else:
            entry[1][" ".join(filter(None, (row["stepper"], row["version"])))] = float(row["over_troupe"])
    return [(name, us, others) for name, (us, others) in table.items()]


def lines_of(table):
    engines = list(dict.fromkeys(engine for _, _, others in table for engine in others))
    yield ["scenario", "us a step", *engines]
    for name, us, others in table:
        yield [name, f"{us:.1f}", *(f"{others[engine]:.1f} x" if engine in others else "" for engine in engines)]


def print_aligned(lines):
    lines = list(lines)
    widths = [max(map(len, column)) for column in zip(*lines)]
    for line in lines:
        print("  ".join([line[0].ljust(widths[0])] + [cell.rjust(width) for cell, width in zip(line[1:], widths[1:])]).rstrip())


def picture(table):
    """Bars of the engines' times over ours, on a logarithmic scale."""
    colours = ("#7a5195", "#ef5675", "#ffa600", "#003f5c")
    engines = list(dict.fromkeys(engine for _, _, others in table for engine in others))
    bars, y = [], 20 + ROW * len(engines)
    for i, engine in enumerate(engines):
        bars.append(f'<rect x="{LEFT}" y="{8 + ROW * i}" width="{BAR}" height="{BAR}" fill="{colours[i % 4]}"/>'
                    f'<text x="{LEFT + 18}" y="{18 + ROW * i}">{engine}: times slower than Troupe</text>')
    for name, us, others in table:
        if not others:
            continue
        bars.append(f'<text x="{LEFT - 8}" y="{y + 10}" text-anchor="end">{name}, {us:.1f} us</text>')
        for engine, times in others.items():
            width = 500 * math.log10(max(times, 1.02)) / math.log10(SCALE_MAX)
            bars.append(f'<rect x="{LEFT}" y="{y}" width="{width:.0f}" height="{BAR}" fill="{colours[engines.index(engine) % 4]}"/>'
                        f'<text x="{LEFT + 6 + width:.0f}" y="{y + 10}">{times:.1f}</text>')
            y += BAR + 1
        y += 6
    head = f'<svg xmlns="http://www.w3.org/2000/svg" width="760" height="{y}" font-family="sans-serif" font-size="11">'
    return "\n".join([head, f'<rect width="760" height="{y}" fill="white"/>', *bars, "</svg>", ""])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("csv", nargs="?", help="file of results; standard input if not given")
    parser.add_argument("--svg", help="writes a picture of results of `physics` to this file")
    given = parser.parse_args()
    with open(given.csv) if given.csv else sys.stdin as file:
        rows = list(csv.DictReader(file))
    if not rows:
        sys.exit("table: no rows: expected what troupe-bench prints")
    if "over_troupe" not in rows[0]:
        if given.svg:
            sys.exit("table: --svg: expected results of troupe-bench physics")
        print_aligned([list(rows[0]), *([row[name] for name in row] for row in rows)])
        return
    table = compare(rows)
    print_aligned(lines_of(table))
    if given.svg:
        with open(given.svg, "w") as file:
            file.write(picture(table))


if __name__ == "__main__":
    main()
