"""Every command in the documents: run as printed, or checked against the help of its tool.

A document's indented blocks, and its fenced ones in no language or in sh, are commands when one of their lines is. The
blocks of a document run in their order in one shell, in a folder laid out like the project, with a daemon on a separate
port. A block behind a comment <!-- not run: WHY --> is only checked: tool, command, every option, and the files and
presets that it names. So are commands in running text and in tables, and the examples in the tools' help, from which the
man pages are made. Paths of the project in the text must exist. Values that only make a command long are cut (SHORTER).
"""

import dataclasses
import functools
import glob
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import tempfile
import unittest

from ports import quiet_port
from sources import SOURCE, documents, files_below

BUILD = pathlib.Path(os.environ["TROUPE_BUILD"])
PROGRAMS = {"trouped": BUILD / "server/trouped", "troupe": BUILD / "client/troupe",
            "troupe-train": BUILD / "controllers/tools/troupe-train", "troupe-bench": BUILD / "tests/bench/troupe-bench",
            "troupe-bouts": BUILD / "server/troupe-bouts"}
SHELL = {"apt", "cat", "cc", "cd", "dotnet", "export", "journalctl", "kill", "kubectl", "mkdir", "mv", "node", "openssl", "pip", "podman", "printf", "protoc", "rm",
         "sleep", "systemctl", "tail", "umask", "until", "wait"}
SHORTER = [(r"--bouts \d+", "--bouts 2"), (r"--for \d+", "--for 1"),
           (r"troupe-bench learn$", "troupe-bench learn --stages 2 --samples 20 --rounds 1"),
           (r"(examples/\w+\.py)", r"\1 --port $TROUPE_PORT")]
PATH = re.compile(r"[\w.-]+(/[\w.-]+)+\.(c|h|py|sh|md|proto|xml|conf|match|json|sql|svg|csv)")
NAME = re.compile(r"tr_\w+|[\w-]+\.(c|h|py|sh|json|proto|xml|match|conf)")
NOT_RUN = re.compile(r"<!-- not run: (.+) -->")
ASSIGNED = re.compile(r"(\w+)=(\S+)")


@dataclasses.dataclass
class Block:
    path: pathlib.Path
    line: int
    language: str
    text: str
    why_not: str  # empty: it is run

    def __str__(self):
        return f"{self.path.relative_to(SOURCE)}:{self.line}"


def blocks_of(path):
    """Fenced and indented blocks, with the comment that stands before."""
    lines, at, why_not = path.read_text().splitlines(), 0, ""
    while at < len(lines):
        begin, line = at, lines[at]
        at += 1
        if line.startswith("```"):
            while lines[at] != "```":
                at += 1
            yield Block(path, begin + 1, line[3:], "\n".join(lines[begin + 1:at]), why_not)
            at += 1
        elif line.startswith("    "):
            while at < len(lines) and lines[at].startswith("    "):
                at += 1
            text = "\n".join(each[4:] for each in lines[begin:at])
            yield Block(path, begin + 1, "", text, why_not)
        elif line:
            told = NOT_RUN.fullmatch(line)
            why_not = told.group(1) if told else ""


def statements(text):
    """The simple commands of a script, in words: continued lines joined, comments gone, pipelines and lists taken apart."""
    text = re.sub(r"<<'(\w+)'\n.*?\n\1$", "", text.replace("\\\n", " "), flags=re.M | re.S)
    for line in text.splitlines():
        for part in re.split(r"&&|\|\|?|;|&(?=\s|$)", re.sub(r"(^|\s)#.*", "", line)):
            words = shlex.split(part)
            while words and words[0] in ("if", "then", "do", "done", "sudo"):
                words.pop(0)
            words = words[words.index("chrt") + 3:] if "chrt" in words else words  # at a priority
            if words:
                yield words


def resolved(words, names):
    """Without assignments in front, which are remembered, and with variables that were assigned."""
    words = list(words)
    while words and (assigned := ASSIGNED.fullmatch(words[0])):
        names[assigned.group(1)] = assigned.group(2)
        words.pop(0)
    return [re.sub(r"\$(\w+)", lambda name: names.get(name.group(1), name.group(0)), word) for word in words]


def is_command(word):
    name = os.path.basename(word)
    return name in PROGRAMS or word in SHELL | {"cmake", "ctest", "npm", "python3"} or bool(
        re.fullmatch(r"[\w./-]+\.(sh|py)|(\S+/)?test_\w+", word))


def has_commands(block):
    names = {}
    return block.language in ("", "sh") and any(
        words and is_command(words[0]) for words in (resolved(each, names) for each in statements_or_none(block.text)))


def statements_or_none(text):
    try:
        return list(statements(text))
    except ValueError:  # no shell: an apostrophe
        return []


@functools.cache
def says(*words):
    told = subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=60)
    return told.stdout + told.stderr


def options_in(text):
    return set(re.findall(r"(?<![\w-])--[a-z][a-z-]*[a-z]", text))


def commands_of(name):
    return re.findall(r"^  ([a-z][a-z-]+) {2,}\S", says(PROGRAMS[name], "help"), re.M)


def require(good, what):
    if not good:
        raise AssertionError(what)


def found(word, folder):
    """A file of the project, named from its root, from one of its folders, or from where the document is."""
    return any(glob.glob(str(base / word)) for base in (SOURCE, SOURCE / "*", folder))


def check_tool(name, words):
    """troupe and troupe-train: options before the command, the command, its action and its options."""
    known = options_in(says(PROGRAMS[name], "help"))
    given = [re.sub("=.*", "", word) for word in words if word.startswith("--")]
    takes_value = {"--host", "--hosts", "--port", "--timeout", "--key-file", "--ca"}
    while words and words[0].startswith("--"):
        words = words[2:] if words[0] in takes_value else words[1:]
    if not words or words[0] in ("help", "COMMAND"):
        return require(len(words) < 2 or words[1] in commands_of(name) + ["COMMAND"], f"no command {words[1:]}")
    require(words[0] in commands_of(name), f"{name} has no command {words[0]}")
    help_of = says(PROGRAMS[name], "help", words[0])
    unknown = set(given) - options_in(help_of) - known - {"--json"}
    require(not unknown, f"{name} {words[0]} has no {unknown}")
    actions = re.findall(r"\b([a-z]+)\b", help_of) if words[0] in ("match", "graph", "bundle", "latent") else words[1:2]
    require(len(words) < 2 or words[1] in actions, f"{name} {words[0]} has no action {words[1:2]}")
    if words[0] == "learn":
        parameters = says(PROGRAMS[name], "learn", "--list")
        for setting in re.findall(r"--set (\w+)=", " ".join(words)):
            require(re.search(rf"\b{setting}\b", parameters), f"learn has no parameter {setting}")


def check_bench(words):
    told = re.split(r"^  (?=[a-z])", says(PROGRAMS["troupe-bench"], "help"), flags=re.M)
    rows = {row.split()[0]: row for row in told[1:]}
    require(words and words[0] in rows, f"troupe-bench has no command {words[:1]}")
    require(options_in(" ".join(words)) <= options_in(rows[words[0]]), f"troupe-bench {words[0]}: {words[1:]}")


def check_script(word, words, folder):
    scripts = [base / word for base in (SOURCE, folder) if (base / word).exists()]
    require(scripts, f"{word} is not there")
    unknown = options_in(" ".join(words)) - options_in(scripts[0].read_text())
    require(not unknown, f"{word} knows no {unknown}")


def check_npm(words, folder):
    with open(folder / "package.json") as file:
        scripts = json.load(file)["scripts"]
    script = words[1] if words[0] == "run" else words[0]
    require(script in scripts or script in ("ci", "pack"), f"package.json has no script {script}")


def check(words, folder):
    """Holds one command against its tool."""
    name, rest = os.path.basename(words[0]), words[1:]
    if name in ("troupe", "troupe-train"):
        check_tool(name, rest)
    elif name in ("trouped", "troupe-bouts"):
        unknown = options_in(" ".join(rest)) - options_in(says(PROGRAMS[name], "--help"))
        require(not unknown, f"{name} has no {unknown}")
    elif name == "troupe-bench":
        check_bench(rest)
    elif name in ("cmake", "ctest"):
        presets = (SOURCE / "CMakePresets.json").read_text()
        for preset in re.findall(r"--preset (\S+)", " ".join(rest)):
            require(f'"{preset}"' in presets, f"no preset {preset}")
    elif name == "npm":
        check_npm(rest, folder)
    elif name in ("python3", "node", "pip"):
        for file in (word for word in rest if "/" in word and not word.startswith("-")):
            require(found(file, folder), f"{file} is not there")
            if file.endswith(".py"):
                check_script(file, rest, folder)
    elif name == "systemctl":
        require((SOURCE / f"deploy/systemd/{rest[-1]}.service.in").exists() or
                glob.glob(str(SOURCE / f"deploy/systemd/{rest[-1]}.service*")), f"no unit {rest[-1]}")
    elif name.startswith("test_"):
        require(glob.glob(str(BUILD / "tests/**" / name), recursive=True), f"no test {name}")
    elif words[0].endswith((".sh", ".py")):
        check_script(words[0], rest, folder)
    else:
        require(words[0] in SHELL, f"{words[0]}: neither a command of the project nor one of the system that this test knows")


def spans_of(path):
    """What stands between `backquotes` in running text and tables."""
    text = re.sub(r"^(```.*?^```|    .*?)$", "", path.read_text(), flags=re.M | re.S)
    return re.findall(r"`([^`\n]+)`", text)


def files_and_code():
    """The names of the project's files, and all that its C files and headers say."""
    paths = [path for folder in ("client", "controllers", "db", "deploy", "proto", "server", "tests")
             for path in files_below(SOURCE / folder)]
    code = "".join(path.read_text(errors="replace") for path in paths if path.suffix in (".c", ".h"))
    return {path.name for path in paths} | {path.name for path in SOURCE.iterdir()}, code


class Checked(unittest.TestCase):
    def hold(self, where, words, folder):
        with self.subTest(f"{where}: {shlex.join(words)}"):
            check(words, folder)

    def test_blocks(self):
        """Those that are run as well: a shell stops at a wrong command only if it is reached."""
        count = 0
        for path in documents():
            for block in filter(has_commands, blocks_of(path)):
                names = {}
                for words in statements(block.text):
                    if words := resolved(words, names):
                        self.hold(block, words, path.parent)
                        count += 1
        self.assertGreater(count, 60)
        print(f"commands in blocks: {count}")

    def test_running_text(self):
        """Commands such as `troupe-train bundle export`, `paths/of.files`, `file.names` and `tr_names`."""
        commands, paths = 0, 0
        names, code = files_and_code()
        for path in documents():
            for span in spans_of(path):
                words = resolved(span.split(), {})
                if len(words) > 1 and is_command(words[0]) and words[0] not in SHELL:
                    self.hold(path.relative_to(SOURCE), words, path.parent)
                    commands += 1
                elif PATH.fullmatch(span) and "NAME" not in span:
                    with self.subTest(f"{path.relative_to(SOURCE)}: `{span}`"):
                        self.assertTrue(found(span, path.parent))
                    paths += 1
                elif NAME.fullmatch(span) and "NAME" not in span:
                    with self.subTest(f"{path.relative_to(SOURCE)}: `{span}`"):
                        self.assertIn(span, code if span.startswith("tr_") else names)
        self.assertGreater(min(commands, paths), 30)
        print(f"commands in running text: {commands}, paths: {paths}")

    def test_examples_in_help(self):
        count = 0
        for name in "troupe", "troupe-train":
            for command in commands_of(name):
                if command == "help":
                    continue
                told = says(PROGRAMS[name], "help", command).replace("\\\n", "")
                for line in re.findall(r"^ +((?:troupe|troupe-train|printf) .*)$", told, re.M):
                    for words in statements_or_none(line):
                        self.hold(f"help {command}", words, SOURCE)
                        count += 1
        self.assertGreater(count, 40)
        print(f"examples in the help: {count}")


def lay_out(root, port):
    """A folder laid out like the project after `cmake --build`; its daemon serves on `port`, whatever its options say."""
    for entry in SOURCE.iterdir():
        if entry.name not in ("build", ".git"):
            (root / entry.name).symlink_to(entry)
    (root / "build/release").mkdir(parents=True)
    (root / "build/release/tests").symlink_to(BUILD / "tests")
    for name, program in PROGRAMS.items():
        if name == "troupe-bench":  # with the tests
            continue
        place = root / "build/release" / program.relative_to(BUILD)
        place.parent.mkdir(parents=True, exist_ok=True)
        if name == "trouped":
            place.write_text(f'#!/bin/sh\nexec "{program}" "$@" --listen 127.0.0.1:{port} --web-listen none --threads 1\n')
            place.chmod(0o755)
        else:
            place.symlink_to(program)
            shutil.copy(SOURCE / "deploy/trouped.conf", place.parent)  # where the configuration is that a text is about
    shutil.copy(SOURCE / "db/shipped.troupe", root / "mine.troupe")
    return ":".join(str((root / "build/release" / program.relative_to(BUILD)).parent) for program in PROGRAMS.values())


PROLOGUE = """
trap 'kill $(jobs -p) 2>/dev/null; wait' EXIT
served() { for i in $(seq 600); do troupe status >/dev/null 2>&1 && return; sleep 0.05; done; return 1; }
python3() { /usr/bin/python3 -B "$@"; }
"""


def script_of(path, blocks):
    """A document as one script. Each block prints where it is in the document, to find a failure."""
    served = any("trouped" in block.text and re.search(r"&(\s|$)", block.text) for block in blocks)
    parts = [PROLOGUE] if served else [PROLOGUE, "trouped --state-dir served >/dev/null 2>&1 &\nserved"]
    for block in blocks:
        text = re.sub(r"^(.*[^&]&)(\s*#.*)?$", r"\1\nserved", block.text, flags=re.M)
        for pattern, shorter in SHORTER:
            text = re.sub(pattern, shorter, text)
        parts.append(f"echo '== {block}' >&2\n{text}")
    return "\n".join(parts)


class Run(unittest.TestCase):
    def run_document(self, path, blocks):
        with tempfile.TemporaryDirectory() as folder:
            root, port = pathlib.Path(folder, "troupe"), quiet_port()
            root.mkdir()
            path_of_programs = lay_out(root, port)
            path_of_programs += f":{BUILD}/tests/bench"
            environment = {**os.environ, "TROUPE": str(root), "HOME": folder, "TROUPE_ADDRESS": f"127.0.0.1:{port}",
                           "TROUPE_PORT": str(port), "PATH": f"{path_of_programs}:{os.environ['PATH']}",
                           "PYTHONPATH": str(BUILD / "client/python/stage")}
            ran = subprocess.run(["bash", "-euo", "pipefail", "-c", script_of(path, blocks)], cwd=root, env=environment,
                                 capture_output=True, text=True, timeout=300)
            self.assertEqual(ran.returncode, 0, f"{path}\n{ran.stdout[-1500:]}{ran.stderr[-2500:]}")

    def test_documents(self):
        ran = 0
        for path in documents():
            blocks = [block for block in blocks_of(path) if has_commands(block) and not block.why_not]
            if blocks and path.name != "tutorial.md":  # site.py runs the tutorial
                with self.subTest(str(path.relative_to(SOURCE))):
                    self.run_document(path, blocks)
                ran += sum(1 for block in blocks for _ in statements(block.text))
        self.assertGreater(ran, 12)
        print(f"commands run: {ran}")


if __name__ == "__main__":
    unittest.main()
