#!/usr/bin/env python3
"""Writes a man page from a text of this folder and the program's help, so that the two cannot differ.

    make_man.py TEXT SECTION VERSION OUT [PROGRAM | FILE]

TEXT has lines "# HEADING", paragraphs, "  term    meaning" rows, and examples indented by two spaces. Where it says
{help} the options of `PROGRAM --help` follow, where it says {commands} each command with `PROGRAM help COMMAND`, and
where it says {file} the FILE.
"""

import os
import re
import subprocess
import sys
import time


def escape(text):
    text = text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq").replace("`", "\\(ga").replace("^", "\\(ha")
    return "\\&" + text if text[:1] == "." else text


def roff(lines):
    """Body lines of a section."""
    out, verbatim, fresh = [], False, True
    for line in lines:
        row = re.match(r"  (\S.*?)(?: {2,}(\S.*))?$", line)
        deeper = re.match(r" {8,}(\S.*)$", line)
        term = row and row[2]
        if verbatim and (term or not line.startswith("  ")):
            out.append(".EE\n.RE")
            verbatim = False
        if not line.strip():
            fresh = True
        elif term:
            out += [".TP", f".B {escape(row[1])}", escape(row[2])]
            fresh = False
        elif deeper and not verbatim and out and not fresh:
            out.append(escape(deeper[1]))
        elif line.startswith("  "):
            if not verbatim:
                out.append(".PP\n.RS 4\n.EX")
                verbatim = True
            elif fresh:
                out.append("")
            out.append(escape(line[2:]))
            fresh = False
        else:
            if fresh:
                out.append(".PP")
            out.append(escape(line.strip()))
            fresh = False
    if verbatim:
        out.append(".EE\n.RE")
    return out


def says(program, *words):
    emulator = os.environ.get("EMULATOR", "").split()  # for another processor
    return subprocess.run([*emulator, program, *words], capture_output=True, text=True, check=True).stdout.splitlines()


def options_of(program):
    """The rows of --help, and the text after them."""
    lines = says(program, "--help")
    start = next(i for i, line in enumerate(lines) if line.startswith("  --"))
    return lines[start:]


def commands_of(program):
    names = [line.split()[0] for line in says(program, "help") if re.match(r"  [a-z][a-z-]+ {2,}\S", line)]
    return [name for name in names if name != "help"]


def command_page(program, name):
    lines = says(program, "help", name)
    base = os.path.basename(program)
    usage = next(i for i, line in enumerate(lines) if line.startswith("usage: "))
    summary = [line for line in lines if line.strip() and not line.startswith("usage: ")][0]
    summary = summary.removeprefix(f"{base} {name}: ")
    rest = [line for line in lines[usage + 1:] if line.removeprefix(f"{base} {name}: ") != summary]
    return [f".SS {escape(name)}", escape(summary[:1].upper() + summary[1:] + "."), ".PP",
            f".B {escape(lines[usage].removeprefix('usage: '))}", *roff(rest)]


def main():
    text_path, section, version, out_path = sys.argv[1:5]
    subject = sys.argv[5] if len(sys.argv) > 5 else None
    title = os.path.basename(text_path).removesuffix(".txt")
    date = time.strftime("%Y-%m-%d", time.gmtime(int(os.environ.get("SOURCE_DATE_EPOCH", time.time()))))
    out = [f'.TH {title.upper()} {section} {date} "Troupe {version}" "Troupe"']
    body = []
    with open(text_path) as file:
        lines = file.read().splitlines()
    for line in lines + ["# "]:
        if line.startswith("# ") or line in ("{help}", "{commands}", "{file}"):
            out += roff(body)
            body = []
        if line.startswith("# ") and line[2:]:
            out.append(f'.SH "{line[2:]}"')
        elif line == "{help}":
            out += roff(options_of(subject))
        elif line == "{commands}":
            for name in commands_of(subject):
                out += command_page(subject, name)
        elif line == "{file}":
            with open(subject) as file:
                out += [".EX", *map(escape, file.read().splitlines()), ".EE"]
        elif not line.startswith("# "):
            body.append(line)
    page = "\n".join(out) + "\n"
    page = re.sub(r'(\.SH "NAME"\n)\.PP\n', r"\1", page)
    page = re.sub(r'(\.S[HS] .*\n)\.PP\n', r"\1", page)
    with open(out_path, "w") as file:
        file.write(page)


main()
