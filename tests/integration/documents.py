"""Man pages and completion, made from the programs' own help, against that help. The unit, as far as can be seen offline."""

import functools
import gzip
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

from harness import Daemon

FOLDER = os.environ["TROUPE_DOCUMENTS"]
ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../..")
PROGRAMS = {name: os.environ[variable] for name, variable in
            [("troupe", "TROUPE"), ("troupe-train", "TROUPE_TRAIN"), ("trouped", "TROUPED"), ("troupe-bouts", "TROUPE_BOUTS")]}


@functools.cache
def says(*words):
    return subprocess.run(words, capture_output=True, text=True, check=True).stdout


def commands_of(name):
    rows = re.findall(r"^  ([a-z][a-z-]+) {2,}\S", says(PROGRAMS[name], "help"), re.M)
    return [row for row in rows if row != "help"]


def options_in(text):
    return set(re.findall(r"(?<![\w-])--[a-z][a-z-]*[a-z]", text))


def page(name):
    with gzip.open(os.path.join(FOLDER, name + ".gz"), "rt") as file:
        return file.read()


def plain(text):
    """What a reader of the page sees, without its markup."""
    return text.replace("\\-", "-").replace("\\e", "\\").replace("\\(aq", "'").replace("\\&", "")


class Pages(unittest.TestCase):
    names = ["trouped.8", "troupe.1", "troupe-train.1", "troupe-bouts.1", "trouped.conf.5"]

    def test_well_formed(self):
        for name in self.names:
            text = page(name)
            self.assertRegex(text, r'\A\.TH \S+ [158] \d{4}-\d\d-\d\d "Troupe [\d.]+"')
            for section in "NAME", "SYNOPSIS", "DESCRIPTION", "SEE ALSO":
                self.assertIn(f'.SH "{section}"', text)
            if shutil.which("mandoc"):
                lint = subprocess.run(["mandoc", "-T", "lint", "-W", "error"], input=text, capture_output=True, text=True)
                self.assertEqual((lint.returncode, lint.stdout), (0, ""), name)
            if shutil.which("groff"):
                told = subprocess.run(["groff", "-man", "-ww", "-z", "-Kutf8"], input=text, capture_output=True, text=True)
                self.assertEqual([line for line in told.stderr.splitlines() if "cannot adjust" not in line
                                  and "can't break" not in line], [], name)

    def test_every_option_and_command_is_there(self):
        for name, section, least in ("trouped", 8, 10), ("troupe-bouts", 1, 2):
            options = options_in(says(PROGRAMS[name], "--help"))
            self.assertGreater(len(options), least)
            self.assertLessEqual(options, options_in(plain(page(f"{name}.{section}"))))
        for name in "troupe", "troupe-train":
            text = plain(page(name + ".1"))
            for command in commands_of(name):
                self.assertIn(f".SS {command}\n", text)
                self.assertLessEqual(options_in(says(PROGRAMS[name], "help", command)), options_in(text), command)


class Completion(unittest.TestCase):
    script = os.path.join(FOLDER, "troupe.bash")

    def complete_all(self, lines):
        """What bash offers for the last word of each line."""
        functions = {"troupe": "_troupe", "troupe-train": "_troupe_train", "trouped": "_trouped"}
        script = [f". '{self.script}'"]
        for words in lines:
            quoted = " ".join(f"'{word}'" for word in words)
            script.append(f"COMPREPLY=(); COMP_WORDS=({quoted}); COMP_CWORD={len(words) - 1}; {functions[words[0]]}; "
                          'echo "${COMPREPLY[*]-}"')
        return [set(line.split()) for line in says("bash", "-euc", "\n".join(script)).splitlines()]

    def complete(self, *words):
        return self.complete_all([words])[0]

    def test_commands(self):
        for name in "troupe", "troupe-train":
            self.assertLessEqual(set(commands_of(name)) | {"help"}, self.complete(name, ""))
            self.assertLessEqual(set(commands_of(name)), self.complete(name, "help", ""))
        self.assertEqual(self.complete("troupe", "spawn-o"), {"spawn-object"})

    def test_options_of_every_command(self):
        for name in "troupe", "troupe-train":
            commands = commands_of(name)
            offered = self.complete_all([[name, command, "--"] for command in commands])
            for command, words in zip(commands, offered, strict=True):
                self.assertLessEqual(options_in(says(PROGRAMS[name], "help", command)), words, command)
        self.assertEqual(self.complete("trouped", "--"), options_in(says(PROGRAMS["trouped"], "--help")))

    def test_the_command_is_found_behind_options(self):
        self.assertIn("--body", self.complete("troupe", "--host", "spawn", "push", "--"))
        self.assertNotIn("--label", self.complete("troupe", "--host", "spawn", "push", "--"))

    def test_it_is_offered_for_all_three(self):
        registered = says("bash", "-c", f". '{self.script}'; complete -p troupe troupe-train trouped")
        self.assertEqual(len(registered.splitlines()), 3)


class CompletionOfNames(unittest.TestCase):
    """Of what a daemon knows."""

    @classmethod
    def setUpClass(cls):
        cls.daemon = Daemon().__enter__()
        cls.addClassCleanup(cls.daemon.__exit__, None, None, None)
        cls.env = os.environ | {"TROUPE_ADDRESS": f"127.0.0.1:{cls.daemon.port}",
                                "PATH": os.path.dirname(PROGRAMS["troupe"]) + ":" + os.environ["PATH"]}
        for words in (["create-world", "arena", "--mode", "stepped"], ["create-world", "$(exit 1) `false`"],
                      ["spawn", "arena", "sway", "--label", "guard"], ["spawn-object", "arena", "sphere", "--label", "ball"]):
            subprocess.run([PROGRAMS["troupe"], *words], env=cls.env, check=True, capture_output=True)

    def complete(self, *words):
        script = (f". '{Completion.script}'; COMP_WORDS=(\"$@\"); COMP_CWORD=$(($# - 1)); COMPREPLY=(); _troupe; "
                  'for word in "${COMPREPLY[@]}"; do echo "$word"; done')
        return subprocess.run(["bash", "-c", script, "bash", "troupe", *words], env=self.env, capture_output=True,
                              text=True, check=True).stdout.splitlines()

    def test_places_offer_the_names_of_their_kind(self):
        self.assertEqual(self.complete("push", "a"), ["arena"])
        self.assertEqual(self.complete("push", "arena", ""), ["ball", "guard"])
        self.assertEqual(self.complete("spawn", "arena", "s"), ["sway"])
        self.assertEqual(self.complete("set-controller", "--at", "9", "arena", "guard", ""), ["hold", "sway"])
        self.assertEqual(self.complete("models", "h"), ["humanoid"])

    def test_values_of_options_are_offered(self):
        self.assertEqual(self.complete("create-world", "lab", "--mode", ""), ["fast", "real-time", "stepped"])
        self.assertEqual(self.complete("push", "arena", "guard", "1,0,0", "--body", "he"), ["head"])
        self.assertEqual(self.complete("loop", "arena", "o"), ["off", "on"])

    def test_parameters_are_those_of_the_controller_that_drives(self):
        self.assertEqual(self.complete("set", "arena", "guard", "action"), ["action_offset="])
        self.assertNotIn("action_offset=", self.complete("set", "arena", "ball", ""))

    def test_options_are_offered_where_no_name_is_known(self):
        self.assertIn("--body", self.complete("push", "arena", "guard", ""))
        self.assertIn("--body", self.complete("push", "no such world", ""))

    def test_a_name_is_quoted_and_never_run(self):
        self.assertEqual(self.complete("worlds", "$"), [r"\$\(exit\ 1\)\ \`false\`"])


class Tables(unittest.TestCase):
    def test_tables_are_those_of_the_bundle(self):
        script = os.path.join(ROOT, "deploy/site/shipped_tables.py")
        told = subprocess.run(["/usr/bin/python3", "-B", script, "--check", PROGRAMS["troupe-train"]], capture_output=True, text=True)
        self.assertEqual(told.returncode, 0, told.stdout + told.stderr + "write them: deploy/site/shipped_tables.py TROUPE_TRAIN")

    def test_every_kind_of_driver_is_in_the_table(self):
        """DRIVERS.md has a row for each kind of drivers.c, by the name that its row of functions gives, and its folder exists."""
        control = pathlib.Path(ROOT, "controllers/control")
        variables = re.findall(r"&tr_(\w+_kind)\b", (control / "drivers.c").read_text())
        names = {}
        for path in control.rglob("*.c"):
            text = path.read_text()
            for variable, name in re.findall(r"^const tr_driver_kind tr_(\w+_kind) = \{\s*\.name = ([^,]+),", text, re.M):
                names[variable] = name.strip('"') if '"' in name else re.search(rf'\b{name}\b[^"\n]*"([^"]+)"', text).group(1)
        rows = dict(re.findall(r"^\| (\w+) \| `([\w./]+)` \| [^|\n]+ \| [^|\n]+ \|$", (control / "DRIVERS.md").read_text(), re.M))
        self.assertGreater(len(variables), 9)
        self.assertEqual(sorted(rows), sorted(names[variable] for variable in variables))
        self.assertEqual([folder for folder in rows.values() if not (control / folder).exists()], [])


class Unit(unittest.TestCase):
    def test_the_unit_is_hardened(self):
        """systemd's own measure, 0 to 10; a service that needs the network cannot reach 0."""
        if not shutil.which("systemd-analyze"):
            self.skipTest("systemd-analyze is not here")
        told = subprocess.run(["systemd-analyze", "security", "--offline=yes", "--no-pager", "--threshold=20",
                               os.path.join(FOLDER, "trouped.service")], capture_output=True, text=True)
        self.assertEqual(told.returncode, 0, told.stdout[-500:] + told.stderr)

    def test_systemd_accepts_the_unit(self):
        """Checks the unit with the built programs instead of the installed ones; systemd-analyze must print nothing."""
        if not shutil.which("systemd-analyze"):
            self.skipTest("systemd-analyze is not here")
        with open(os.path.join(FOLDER, "trouped.service")) as file:
            unit = re.sub(r"(?<==)\S*/trouped(?= )", PROGRAMS["trouped"], file.read())
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "trouped.service")
            for text, sound in (unit, True), (unit.replace("WatchdogSec=20s", "WatchdogSeconds=20s"), False):
                with open(path, "w") as file:
                    file.write(text)
                told = subprocess.run(["systemd-analyze", "verify", "--man=no", path], capture_output=True, text=True)
                self.assertEqual((told.stdout + told.stderr).strip() == "", sound, told.stdout + told.stderr)

    def test_the_unit_goes_before_programs_that_use_all_processors(self):
        with open(os.path.join(FOLDER, "trouped.service")) as file:
            settings = dict(line.strip().split("=", 1) for line in file if re.match(r"\w+=", line))
        self.assertLess(int(settings["Nice"]), 0)
        self.assertGreater(int(settings["CPUWeight"]), 100)  # the default

    def test_the_unit_runs_programs_that_every_debian_has(self):
        """Only the package's programs and a shell; /bin/kill is in procps, which a small system lacks."""
        with open(os.path.join(FOLDER, "trouped.service")) as file:
            programs = set(re.findall(r"^Exec\w+=(\S+)", file.read(), re.MULTILINE))
        self.assertEqual({os.path.basename(program) for program in programs}, {"trouped", "sh"}, programs)

    def test_the_unit_names_existing_options(self):
        with open(os.path.join(FOLDER, "trouped.service")) as file:
            used = options_in("\n".join(line for line in file if line.startswith("ExecStart")))
        self.assertLessEqual(used, options_in(says(PROGRAMS["trouped"], "--help")))


if __name__ == "__main__":
    unittest.main()
