#!/usr/bin/env python3
"""Mutation testing: plants one small fault at a time in a folder and asks whether its unit tests notice.

    tests/mutants/mutate.py controllers/control --count 60 --seed 7
    tests/mutants/mutate.py server/match --tests '^unit/server/match'
    tests/mutants/mutate.py controllers/physics --change 'walk_contacts(w, world);' ';' --tests '^determinism/restored$'

A fault is one changed operator or constant, one negated condition, or one dropped statement, at a place drawn from the seed.
With --change the one fault is given: text that stands in one place of the folder, and what replaces it.
The sources are copied to build/mutants and built there with AddressSanitizer, so that a read past an end counts as noticed;
the working tree is never changed. Each survivor is printed with the
line before and after. Faults that do not compile, or that compile to the same code, are replaced by others.

Exit status: 0 if at least --bar of the mutants were killed, 1 if fewer, 2 if the copy does not build or its tests fail unchanged.
"""
import argparse
import collections
import random
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
COPY = ROOT / "build" / "mutants"
BUILD = COPY / "build" / "asan"
TEST_TIMEOUT_S = 60

Mutant = collections.namedtuple("Mutant", "path begin end text")

# --- what can be changed ---

# What stands for an operator. A C operator of two operands has a space on each side here: clang-format sees to it.
OPERATORS = {
    " < ": [" <= ", " >= "], " <= ": [" < ", " > "], " > ": [" >= ", " <= "], " >= ": [" > ", " < "],
    " == ": [" != "], " != ": [" == "], " && ": [" || "], " || ": [" && "],
    " + ": [" - "], " - ": [" + "], " * ": [" / "], " / ": [" * "], " % ": [" / "],
    " += ": [" -= "], " -= ": [" += "], " << ": [" >> "], " & ": [" | "], " | ": [" & "],
}
OPERATOR = re.compile("|".join(re.escape(o) for o in sorted(OPERATORS, key=len, reverse=True)))
NUMBER = re.compile(r"(?<![\w.])(?:\d+\.\d+|\d+)(?:[eE][-+]?\d+)?(?![\w.])")
CONDITION = re.compile(r"\b(?:if|while) \((?P<condition>[^;{}]*?)\)(?= \{|\n)")
BOOLEAN = re.compile(r"\b(?:true|false)\b")
# A statement on one line: a call, an assignment or an increment. A dropped free() is a leak, which AddressSanitizer finds.
STATEMENT = re.compile(r"(?<=\n)(?P<indent> {4,})(?!return|break|continue|goto|case|default|free\()"
                       r"(?:[\w>.*\[\]()\- ]+? (?:[-+*/|&]?=) [^;{}\n]+|\w+\([^;{}\n]*\)|[\w>.\[\]\-]+(?:\+\+|--));(?=\n)")
DECLARATION = re.compile(r"\s*(?:const |static |unsigned |struct )*\w+ \*?\w+(?:\[\w+\])? = ")
# What the mutants must not touch: comments, strings, characters and directives, blanked out with the same length.
UNTOUCHED = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)+\'|^[ \t]*#(?:[^\n]*\\\n)*[^\n]*', re.S | re.M)


def blank(match):
    return re.sub(r"[^\n]", "\x00", match.group(0))


def other_number(text):
    if "." in text or "e" in text.lower():
        return "1.0" if float(text) == 0 else f"({text} * 2)"
    return str(int(text) + 1)


def mutants_of(path, source):
    """Every mutant of one file."""
    code = UNTOUCHED.sub(blank, source)
    for m in OPERATOR.finditer(code):
        for text in OPERATORS[m.group(0)]:
            yield Mutant(path, m.start(), m.end(), text)
    for m in NUMBER.finditer(code):
        yield Mutant(path, m.start(), m.end(), other_number(m.group(0)))
    for m in CONDITION.finditer(code):
        yield Mutant(path, m.start("condition"), m.end("condition"), f"!({source[m.start('condition'):m.end('condition')]})")
    for m in BOOLEAN.finditer(code):
        yield Mutant(path, m.start(), m.end(), "false" if m.group(0) == "true" else "true")
    for m in STATEMENT.finditer(code):
        if not DECLARATION.match(m.group(0)):
            yield Mutant(path, m.start(), m.end(), m.group("indent") + ";")


# --- building and running ---


def run(*command, timeout=None):
    try:
        return subprocess.run(command, cwd=COPY, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=timeout)
    except subprocess.TimeoutExpired as late:
        return subprocess.CompletedProcess(command, 124, (late.stdout or b"").decode(errors="replace"))


def copy_sources():
    """Copies the tracked files of the working tree; unchanged files of the copy keep their times."""
    tracked = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, stdout=subprocess.PIPE, check=True, text=True).stdout
    for name in filter(None, tracked.split("\0")):
        source, target = ROOT / name, COPY / name
        if not source.is_file() or target.is_file() and target.read_bytes() == source.read_bytes():
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, target)


def tests_of(pattern):
    """The tests that the pattern names, such as unit/control/parts/falls."""
    return sorted(re.findall(r"Test +#\d+: (\S+)", run("ctest", "--preset", "asan", "-R", pattern, "-N").stdout))


def build_tests(tests):
    """Builds the programs of tests: test_unit_control_parts_falls runs unit/control/parts/falls."""
    return run("ninja", "-C", str(BUILD), *("test_" + name.replace("/", "_") for name in tests)).returncode == 0


def run_tests(tests):
    pattern = "^(" + "|".join(map(re.escape, tests)) + ")$"
    return run("ctest", "--preset", "asan", "-R", pattern, "-j2", "--stop-on-failure", "--timeout", str(TEST_TIMEOUT_S)).returncode == 0


def stages_of(path, tests):
    """The tests in the order in which they are likely to notice a mutant: of the file's name, of its folder, the others."""
    own = [t for t in tests if t.endswith("/" + path.stem)]
    near = [t for t in tests if t not in own and t.rsplit("/", 1)[0].endswith("/" + path.parent.name)]
    return [stage for stage in (own, near, [t for t in tests if t not in own + near]) if stage]


def machine_code(path):
    """Of the file's object; a mutant that does not change it is no mutant."""
    return [subprocess.run(["objdump", "-d", "-s", "-j", ".text", "-j", ".rodata", str(found)],
                           stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False).stdout
            for found in sorted(BUILD.rglob(f"{path.name}.o"))]


def try_mutant(mutant, source, tests, unchanged):
    """'killed', 'survived', 'same' (the same machine code) or 'refused' (by the compiler). unchanged: machine code by file."""
    target = COPY / mutant.path
    if mutant.path not in unchanged:  # the object is still that of the first build
        unchanged[mutant.path] = machine_code(mutant.path)
    target.write_text(source[:mutant.begin] + mutant.text + source[mutant.end:])
    for number, stage in enumerate(stages_of(mutant.path, tests)):
        if not build_tests(stage):
            return "refused"
        if number == 0 and machine_code(mutant.path) == unchanged[mutant.path]:
            return "same"
        if not run_tests(stage):
            return "killed"
    return "survived"


def show(mutant, source):
    number = source.count("\n", 0, mutant.begin) + 1
    first = source.rfind("\n", 0, mutant.begin) + 1
    last = source.find("\n", mutant.end)
    before = source[first:last]
    after = source[first:mutant.begin] + mutant.text + source[mutant.end:last]
    return f"{mutant.path}:{number}\n  - {before.strip()}\n  + {after.strip()}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("folder", help="folder of C files, such as controllers/control")
    parser.add_argument("--count", type=int, default=60, help="mutants to try (default: 60)")
    parser.add_argument("--seed", type=int, default=1, help="where they are planted (default: 1)")
    parser.add_argument("--tests", help="regular expression of the tests (default: the unit tests of the folder)")
    parser.add_argument("--change", nargs=2, metavar=("OLD", "NEW"), help="plant only this fault")
    parser.add_argument("--bar", type=float, default=0.95, help="share that must be killed (default: 0.95)")
    parser.add_argument("--equivalent", type=int, default=0, help="survivors shown by hand to change nothing (default: 0)")
    given = parser.parse_args()
    folder = given.folder.strip("/")
    pattern = given.tests or "^unit/" + re.sub(r"^controllers/", "", folder) + "/"

    copy_sources()
    files = sorted(Path(p) for p in
                   subprocess.run(["git", "ls-files", folder + "/*.c"], cwd=ROOT, stdout=subprocess.PIPE, check=True, text=True).stdout.split())
    if not files:
        parser.error(f"{folder}: no C files")
    linker = ["-DCMAKE_EXE_LINKER_FLAGS=-fuse-ld=lld"] if shutil.which("ld.lld") else []
    if run("cmake", "--preset", "asan", *linker).returncode:
        sys.exit("mutate: the copy in build/mutants cannot be configured")
    tests = tests_of(pattern)
    if not tests:
        parser.error(f"{pattern}: no tests")
    if not build_tests(tests) or not run_tests(tests):
        print(f"mutate: the tests {pattern} do not pass on the unchanged sources", file=sys.stderr)
        return 2

    source = {path: (ROOT / path).read_text() for path in files}
    if given.change:
        drawn = [Mutant(path, m.start(), m.end(), given.change[1])
                 for path in files for m in re.finditer(re.escape(given.change[0]), source[path])]
        if len(drawn) != 1:
            parser.error(f"--change: {given.change[0]!r} stands in {len(drawn)} places of {folder}; expected one")
    else:
        drawn = [m for path in files for m in mutants_of(path, source[path])]
    random.Random(given.seed).shuffle(drawn)
    counted = collections.Counter()
    unchanged = {}
    for mutant in drawn:
        if counted["killed"] + counted["survived"] == given.count:
            break
        outcome = try_mutant(mutant, source[mutant.path], tests, unchanged)
        (COPY / mutant.path).write_text(source[mutant.path])
        counted[outcome] += 1
        print(f"{sum(counted.values())} drawn, {counted['killed']} killed: {mutant.path}: {outcome}", file=sys.stderr, flush=True)
        if outcome == "survived":
            print("survived: " + show(mutant, source[mutant.path]), flush=True)
    tried = counted["killed"] + counted["survived"]
    print(f"{folder}, seed {given.seed}: {counted['killed']} of {tried} killed by {len(tests)} tests; "
          f"{counted['refused']} did not compile, {counted['same']} compiled to the same code")
    return 0 if counted["killed"] + given.equivalent >= given.bar * tried else 1


if __name__ == "__main__":
    sys.exit(main())
