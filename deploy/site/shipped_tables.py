"""Writes the tables of the documents that follow from the shipped bundle and from the recipes' results, so that no figure is
copied by hand.

Usage: deploy/site/shipped_tables.py [--check] [TROUPE_TRAIN]   default: build/release/controllers/tools/troupe-train

A table stands in a Markdown file between a line <!-- generated: NAME WORDS --> and a line <!-- end -->. NAME is a function
of TABLES below. --check changes nothing; it names the files whose tables differ, and ends with 1.
"""

import collections
import pathlib
import re
import subprocess
import sys

SOURCE = pathlib.Path(__file__).resolve().parents[2]
BUNDLE = SOURCE / "db/shipped.troupe"
BLOCK = re.compile(r"^(<!-- generated: (\w+) ?([^\n]*) -->\n).*?^<!-- end -->$", re.M | re.S)


class Bundle:
    """What troupe-train prints of the bundle: its controllers, and the tables of their certificates."""

    def __init__(self, train):
        self.train = train
        rows = [line.split("\t") for line in self.says("bundle", "list", BUNDLE).splitlines()]
        self.models = {row[0]: row[6] for row in rows}
        self.sections = {row[0]: row[7] for row in rows}
        self.words = {row[0]: row[8] for row in rows}
        self.trials, self.headings, self.walks = self.says("certificate", "--table", "--catalogue", BUNDLE).split("\n\n")

    def says(self, *words):
        return subprocess.run([self.train, *map(str, words)], capture_output=True, text=True, check=True).stdout

    def certificate(self, name):
        """The cells of a controller's row of trials; None without a certificate."""
        row = re.search(rf"^\| {re.escape(name)} \| (.*) \|$", self.trials, re.M)
        return row.group(1).split(" | ") if row else None


def controllers(bundle, sections):
    """What each controller of some sections of the guide is."""
    lines = ["| controller | what it is | body |", "|---|---|---|"]
    lines += [f"| `{name}` | {bundle.words[name]} | `{bundle.models[name]}.xml` |"
              for name, section in bundle.sections.items() if section in sections]
    return "\n".join(lines)


def kinds(bundle, words):
    """How many controllers each section of the guide has."""
    counts = collections.Counter(bundle.sections.values())
    return f"{len(bundle.sections)} controllers ship: {', '.join(f'{count} in {section}' for section, count in sorted(counts.items()))}."


def chosen(bundle, names):
    """What some controllers are; only of what ships."""
    return "\n".join(["| controller | what it is |", "|---|---|",
                      *(f"| `{name}` | {bundle.words[name]} |" for name in names if name in bundle.words)])


def resisting(bundle, papers):
    """Mean seconds under growing pushes beside a paper's, given as NAME=ITS NAME:SECONDS; only of what ships."""
    lines = ["| | by 1 N/s | by 0.25 N/s | the paper |", "|---|---|---|---|"]
    for word in papers:
        name, paper = word.split("=")
        cells = bundle.certificate(name)
        if cells:
            lines.append(f"| `{name}` | {cells[1]} s | {cells[2]} s | {paper.replace(':', ' ')} s |")
    return "\n".join(lines)


def noise(bundle, papers):
    """What reconstructions cost and how noisy they are, averaged, beside a paper's, given as CLIP=CORE-MINUTES:NOISE[:SECONDS]."""
    found = (line.split() for line in (SOURCE / "controllers/recipes/reconstruct-results.txt").read_text().splitlines())
    ours = {row[0]: (float(row[11]) / 60, row[13]) for row in found if row[1] == "improved"}
    lines = ["| core-minutes, NSR averaged | here | paper |", "|---|---|---|"]
    for word in papers:
        clip, paper = word.split("=")
        minutes, ratio, *seconds = paper.split(":")
        length = f" ({seconds[0]} s long)" if seconds else ""
        lines.append(f"| {clip} | {ours[clip][0]:.2f}, {ours[clip][1]} | {int(minutes):,}, {ratio}{length} |")
    return "\n".join(lines)


TABLES = {
    "chosen": chosen,
    "controllers": controllers,
    "kinds": kinds,
    "noise": noise,
    "headings": lambda bundle, words: bundle.headings.strip(),
    "resisting": resisting,
    "trials": lambda bundle, words: bundle.trials.strip(),
    "walks": lambda bundle, words: bundle.walks.strip(),
}


def documents():
    left_out = {"build", "node_modules", ".git", "log"}
    return sorted(path for path in SOURCE.rglob("*.md") if not left_out & set(path.relative_to(SOURCE).parts))


def main(arguments):
    checks = "--check" in arguments
    programs = [word for word in arguments if word != "--check"]
    bundle = Bundle(programs[0] if programs else SOURCE / "build/release/controllers/tools/troupe-train")
    differ = []
    for path in documents():
        text = path.read_text()
        made = BLOCK.sub(lambda block: f"{block[1]}\n{TABLES[block[2]](bundle, block[3].split())}\n\n<!-- end -->", text)
        if made != text:
            differ.append(str(path.relative_to(SOURCE)))
            if not checks:
                path.write_text(made)
    print(f"{'differ' if checks else 'written'}: {' '.join(differ) or 'none'}")
    return 1 if checks and differ else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
