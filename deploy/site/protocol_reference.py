"""The protocol's reference, in Markdown, from the schema and its comments.

    protocol_reference.py PROTO_FOLDER OUT.md
"""

import pathlib
import re
import sys

TITLE = "# Protocol reference {#protocol_reference}\n\nMade from `proto/troupe/*.proto`. What the messages mean together tells `proto/PROTOCOL.md`.\n"
OPENING = re.compile(r"^(message|enum) (\w+) \{$")
ONEOF = re.compile(r"^  oneof (\w+) \{(?:\s*//\s*(.*))?$")
FIELD = re.compile(r"^\s+(?:(repeated|optional) )?([\w.<>, ]+?) (\w+) = (\d+);(?:\s*//\s*(.*))?$")
VALUE = re.compile(r"^\s+(\w+) = (\d+);(?:\s*//\s*(.*))?$")
COMMENT = re.compile(r"^\s*//\s?(.*)$")
IGNORED = re.compile(r"^(syntax|package|import|\s+reserved|\s*$|\}|  \})")


def escaped(text: str) -> str:
    return text.replace("|", "\\|").replace("<", "&lt;").replace("_", "\\_").strip()


class Reference:
    """Reads one file after the other; a line that it does not understand is an error."""

    def __init__(self) -> None:
        self.out = [TITLE]
        self.words: list[str] = []
        self.oneof = ""
        self.rows = 0

    def row(self, *cells: str) -> None:
        self.out.append("| " + " | ".join(cells) + " |")
        self.rows += 1

    def open(self, kind: str, name: str) -> None:
        self.out.append(f"\n## {name}\n\n{escaped(' '.join(self.words))}\n")
        self.words = []
        self.kind = kind
        head = ("field", "number", "type", "meaning") if kind == "message" else ("value", "number", "meaning")
        self.out.append("| " + " | ".join(head) + " |\n|" + "---|" * len(head))

    def meaning(self, beside: str | None) -> str:
        text = " ".join(self.words + ([beside] if beside else []))
        self.words = []
        return escaped(text)

    def field(self, label: str, kind: str, name: str, number: str, beside: str | None) -> None:
        choice = f"one of *{escaped(self.oneof)}*. " if self.oneof else ""
        self.row(f"`{name}`", number, f"{label or ''} `{kind}`".strip(), choice + self.meaning(beside))

    def line(self, text: str) -> bool:
        if text == "  }":
            self.oneof = ""
        if match := OPENING.match(text):
            self.open(*match.groups())
        elif match := re.match(r"^message (\w+) \{\}", text):
            self.open("message", match[1])
        elif match := ONEOF.match(text):
            self.oneof = match[1]
            self.words = [match[2]] if match[2] else []
        elif match := FIELD.match(text):
            self.field(*match.groups())
        elif match := VALUE.match(text):
            self.row(f"`{match[1]}`", match[2], self.meaning(match[3]))
        elif match := COMMENT.match(text):
            if re.match(r"^\s{20,}//", text) and self.out[-1].startswith("| `"):
                self.out[-1] = self.out[-1][:-2] + " " + escaped(match[1]) + " |"
            else:
                self.words.append(match[1])
        elif not text.strip():
            self.words = []
        else:
            return bool(IGNORED.match(text))
        return True


def main() -> None:
    folder, target = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    reference = Reference()
    for path in sorted(folder.glob("*.proto")):
        for number, text in enumerate(path.read_text().splitlines(), 1):
            if not reference.line(text):
                sys.exit(f"{path}:{number}: not understood: {text}")
    if not reference.rows:
        sys.exit(f"{folder}: no schema there")
    target.write_text("\n".join(reference.out) + "\n")


main()
