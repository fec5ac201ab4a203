"""Writes the tables of the documents that follow from the shipped bundle, so that no figure is copied by hand.

Usage: deploy/site/shipped_tables.py [--check] [TROUPE_TRAIN]   default: build/release/controllers/tools/troupe-train

A table stands in a Markdown file between a line <!-- generated: NAME WORDS --> and a line <!-- end -->. NAME is a function
of TABLES below. --check changes nothing; it names the files whose tables differ, and ends with 1.
"""

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
        self.kinds = {row[0]: row[5] for row in rows}
        self.models = {row[0]: row[6] for row in rows}
        self.trials, self.headings, self.walks = self.says("certificate", "--table", "--catalogue", BUNDLE).split("\n\n")
        self.words = dict(line.split(": ", 1) for line in (SOURCE / "controllers/descriptions.txt").read_text().splitlines()
                          if not line.startswith("#"))
        unknown = sorted(set(self.kinds) - set(self.words))
        if unknown:
            sys.exit(f"controllers/descriptions.txt: no line for {', '.join(unknown)}; add NAME: WHAT IT IS")

    def says(self, *words):
        return subprocess.run([self.train, *map(str, words)], capture_output=True, text=True, check=True).stdout

    def certificate(self, name):
        """The cells of a controller's row of trials; None without a certificate."""
        row = re.search(rf"^\| {re.escape(name)} \| (.*) \|$", self.trials, re.M)
        return row.group(1).split(" | ") if row else None


def controllers(bundle, kinds):
    """What each controller of some kinds is; `others`: of the kinds that no table of the document names."""
    text = (SOURCE / "controllers/CONTROLLERS.md").read_text()
    named = {kind for words in re.findall(r"generated: controllers (.*) -->", text) for kind in words.split()}
    lines = ["| controller | what it is |", "|---|---|"]
    for name, kind in bundle.kinds.items():
        if kind in kinds or ("others" in kinds and kind not in named):
            body = bundle.models[name]
            given = "" if body in ("humanoid", "humanoid51") or f"`{body}.xml`" in bundle.words[name] else f" (`{body}.xml`)"
            lines.append(f"| `{name}` | {bundle.words[name]}{given} |")
    return "\n".join(lines)


def kinds(bundle, words):
    """How many controllers each section of CONTROLLERS.md lists."""
    text = (SOURCE / "controllers/CONTROLLERS.md").read_text()
    lines = [f"{len(bundle.kinds)} controllers ship:", "", "| number | of them |", "|---|---|"]
    for title, given in re.findall(r"^## ([^\n]+)\n(?:(?!^##).)*?generated: controllers ([^\n]*) -->", text, re.M | re.S):
        lines.append(f"| {controllers(bundle, given.split()).count(chr(10)) - 1} | {title[0].lower() + title[1:]} |")
    return "\n".join(lines)


def survives(bundle, names):
    """What the certificates of some controllers say in a sentence each."""
    lines = ["| | undisturbed | pushes of 0.2 s that 95 % survive |", "|---|---|---|"]
    for name in names:
        cells = bundle.certificate(name)
        if cells:
            lines.append(f"| `{name}`: {bundle.words[name]} | {cells[0].replace('/', ' of ').replace(',', ' hold')} | {cells[3].split('/')[0]} N |")
    return "\n".join(lines)


def resisting(bundle, papers):
    """Mean seconds under growing pushes beside a paper's, given as NAME=ITS NAME:SECONDS; only of what ships."""
    lines = ["| | by 1 N/s | by 0.25 N/s | the paper |", "|---|---|---|---|"]
    for word in papers:
        name, paper = word.split("=")
        cells = bundle.certificate(name)
        if cells:
            lines.append(f"| `{name}` | {cells[1]} s | {cells[2]} s | {paper.replace(':', ' ')} s |")
    return "\n".join(lines)


TABLES = {
    "controllers": controllers,
    "count": lambda bundle, words: f"{len(bundle.kinds)} controllers ship.",
    "kinds": kinds,
    "headings": lambda bundle, words: bundle.headings.strip(),
    "resisting": resisting,
    "survives": survives,
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
