"""What holds for every input and every output of the programs: no unknown key, mark or failed write passes in silence."""

import json
import os
import pathlib
import re
import sqlite3
import subprocess
import tempfile
import unittest

SOURCE = pathlib.Path(os.environ["TROUPE_SOURCE"])
MOTIONS = SOURCE / "tests/data/motion"
PROGRAMS = {name: os.environ[variable] for name, variable in
            [("troupe", "TROUPE"), ("troupe-train", "TROUPE_TRAIN"), ("trouped", "TROUPED"), ("troupe-bouts", "TROUPE_BOUTS")]}
OUTPUT_FAILED = 5
MARK = b"\xef\xbb\xbf"


def run(*words, **options):
    return subprocess.run([PROGRAMS[words[0]], *map(str, words[1:])], capture_output="stdout" not in options,
                          stderr=subprocess.PIPE if "stdout" in options else None, timeout=120, **options)


class Case(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def file(self, name, content):
        path = self.folder / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    def done(self, *words, **options):
        result = run(*words, **options)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stdout


class Printed(Case):
    """Everything that a program prints, where standard output is full."""

    def calls(self):
        config = self.file("trouped.conf", 'state_dir = "state";\n')
        for name in PROGRAMS:
            yield (name, "--help")
        for name in ("troupe", "trouped", "troupe-bouts"):
            yield (name, "--version")
        for name in ("troupe", "troupe-train"):
            for command in re.findall(r"^  ([a-z][a-z-]+) {2,}\S", self.done(name, "help").decode(), re.M):
                if command != "help":
                    yield (name, "help", command)
        yield ("trouped", "--make-key", "bob")
        yield ("trouped", "--check-config", config)
        yield ("troupe-train", "import", MOTIONS / "figure.bvh")
        yield ("troupe-train", "skeleton", MOTIONS / "figure.bvh")

    def test_a_lost_output_is_an_error(self):
        for words in self.calls():
            with self.subTest(words=words), open("/dev/full", "w") as full:
                result = run(*words, stdout=full)
                self.assertEqual(result.returncode, OUTPUT_FAILED, result.stderr)
                self.assertIn(b"cannot write to standard output", result.stderr)

    def test_a_key_that_was_not_seen_is_not_for_the_configuration(self):
        with open("/dev/full", "w") as full:
            self.assertNotIn(b"hash =", run("trouped", "--make-key", "bob", stdout=full).stderr)


class Written(Case):
    """Every file that a quick command writes for its user: the words without the path, which is the last."""

    def calls(self):
        rest = self.folder / "rest.json"
        self.done("troupe-train", "rest", "-o", rest)
        return [("troupe-train", "rest", "-o"), ("troupe-train", "terrain", "hills", "--size", "4", "-o"),
                ("troupe-train", "skeleton", MOTIONS / "figure.bvh", "-o"), ("troupe-train", "skeleton", MOTIONS / "figure.bvh", "--strip"),
                ("troupe-train", "strip", rest, "-o"), ("troupe-train", "import", MOTIONS / "figure.bvh", "--accept", "standing", "-o"),
                ("troupe-train", "import", MOTIONS / "figure.bvh", "--accept", "standing", "--bvh"),
                ("troupe-train", "bundle", "export", SOURCE / "db/shipped.troupe", "hold", "-o")]

    def written(self):
        """The calls that succeed on a plain file, with what they write."""
        for words in self.calls():
            path = self.folder / ("plain.asc" if "terrain" in words else "plain.json")
            result = run(*words, path)
            if result.returncode == 0:
                yield words, path.read_bytes()

    def test_links_devices_and_pipes_stay(self):
        count = 0
        for words, content in self.written():
            ending = ".asc" if "terrain" in words else ".json"
            with self.subTest(words=words):
                count += 1
                target, link, fifo = (self.folder / (name + ending) for name in ("target", "link", "fifo"))
                for path in (target, link, fifo):
                    path.unlink(missing_ok=True)
                link.symlink_to(target.name)
                self.done(*words, link)
                self.assertTrue(link.is_symlink())
                self.assertEqual(target.read_bytes(), content)
                os.mkfifo(fifo)
                with subprocess.Popen(["cat", fifo], stdout=subprocess.PIPE) as reader:
                    self.done(*words, fifo)
                    self.assertEqual(reader.communicate(timeout=60)[0], content)
                self.assertTrue(fifo.is_fifo())
                result = run(*words, "/dev/full")
                self.assertNotEqual(result.returncode, 0)
                self.assertIn(b"/dev/full: cannot be written: No space left on device", result.stderr)
                self.assertEqual(sorted(self.folder.glob(".troupe*")), [])
        self.assertGreaterEqual(count, 5)

    def test_a_dash_is_standard_output(self):
        for words, content in self.written():
            with self.subTest(words=words):
                self.assertTrue(self.done(*words, "-").endswith(content))


def objects(value, path=()):
    """The paths of all objects in a value; of a list its first object."""
    if isinstance(value, dict):
        yield path
        for key, inner in value.items():
            yield from objects(inner, path + (key,))
    elif isinstance(value, list):
        for i, inner in enumerate(value[:1]):
            yield from objects(inner, path + (i,))


class Read(Case):
    def inputs(self):
        """Each text input, its ending, and the words of a command that reads it: "FILE" stands for its path."""
        self.done("troupe-train", "rest", "-o", self.folder / "rest.json")
        pose = dict(name="wave", duration_s=1.0, root=[dict(t_s=0, pos_m=[0, 0, 0.9])], joints={},
                    limbs=[])
        return {
            "map": ((SOURCE / "controllers/skeletons/wd2.json").read_bytes(), ".json",
                    ("troupe-train", "skeleton", MOTIONS / "figure.bvh", "--skeleton", "FILE")),
            "motion": ((self.folder / "rest.json").read_bytes(), ".json", ("troupe-train", "strip", "FILE", "-o", "/dev/null")),
            "poses": (json.dumps(pose).encode(), ".json", ("troupe-train", "pose", "FILE", "-o", "/dev/null")),
            "deepmimic": ((MOTIONS / "figure.txt").read_bytes(), ".txt", ("troupe-train", "skeleton", "FILE")),
            "bvh": ((MOTIONS / "figure.bvh").read_bytes(), ".bvh", ("troupe-train", "skeleton", "FILE")),
            "amc": ((MOTIONS / "figure.amc").read_bytes(), ".amc", ("troupe-train", "skeleton", "FILE", "--asf", MOTIONS / "figure.asf")),
            "asf": ((MOTIONS / "figure.asf").read_bytes(), ".asf", ("troupe-train", "skeleton", MOTIONS / "figure.amc", "--asf", "FILE")),
            "configuration": (b'state_dir = "state";\n', ".conf", ("trouped", "--check-config", "FILE")),
        }

    def read(self, name, content):
        _, ending, words = self.inputs()[name]
        path = self.file("input" + ending, content)
        return run(*[path if word == "FILE" else word for word in words])

    def test_texts_of_all_systems_are_read_alike(self):
        for name, (content, _, _) in self.inputs().items():
            plain = self.read(name, content)
            self.assertEqual(plain.returncode, 0, (name, plain.stderr))
            for what, changed in (("mark", MARK + content), ("Ctrl-Z", content + b"\x1a"), ("zero", content + b"\0"),
                                  ("CR LF", content.replace(b"\n", b"\r\n")), ("CR", content.replace(b"\n", b"\r"))):
                with self.subTest(name=name, what=what):
                    result = self.read(name, changed)
                    self.assertEqual(result.returncode, 0, result.stderr)

    def test_other_encodings_are_named(self):
        for name, (content, _, _) in self.inputs().items():
            for encoding, words in (("utf-16", b"UTF-16"), ("utf-32", b"UTF-32"), ("utf-16-le", b"zero byte")):
                with self.subTest(name=name, encoding=encoding):
                    result = self.read(name, content.decode().encode(encoding))
                    self.assertNotEqual(result.returncode, 0)
                    self.assertIn(words, result.stderr)

    def test_an_unknown_key_is_refused_by_its_name(self):
        for name in ("map", "motion", "poses", "deepmimic"):
            content = json.loads(self.inputs()[name][0])
            for path in objects(content):
                if name == "poses" and path in (("joints",),):
                    continue  # its keys are names of bodies, refused by another message
                changed = json.loads(json.dumps(content))
                at = changed
                for key in path:
                    at = at[key]
                at["zzz"] = 1
                with self.subTest(name=name, path=path):
                    result = self.read(name, json.dumps(changed).encode())
                    self.assertNotEqual(result.returncode, 0)
                    self.assertIn(b"unknown key 'zzz'", result.stderr)

    def test_a_key_that_stands_twice_is_refused(self):
        for name in ("map", "motion", "poses", "deepmimic"):
            text = self.inputs()[name][0]
            with self.subTest(name=name):
                result = self.read(name, text.replace(b"{", b'{"zzz": 1, "zzz": 2,', 1))
                self.assertNotEqual(result.returncode, 0)
                self.assertIn(b"duplicate object key", result.stderr)


@unittest.skipUnless(os.getuid() == 0, "needs to run a program as another user")
class Foreign(Case):
    """A catalogue that a daemon of another user has used: in WAL mode, in a folder that takes no files."""

    def setUp(self):
        super().setUp()
        self.path = self.file("catalogue.sqlite", (SOURCE / "db/shipped.troupe").read_bytes())
        self.writer = sqlite3.connect(self.path)
        self.addCleanup(self.writer.close)
        self.writer.execute("PRAGMA journal_mode = WAL")

    def listed(self):
        self.path.chmod(0o444)
        self.folder.chmod(0o555)
        return run("troupe-train", "bundle", "list", self.path, user=65534)

    def test_without_a_log_it_is_read(self):
        self.writer.close()
        result = self.listed()
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn(b"\tcyclic\t", result.stdout)

    def test_changes_in_the_log_are_not_passed_over(self):
        self.writer.execute("CREATE TABLE later (x)")
        self.writer.commit()
        result = self.listed()
        self.assertEqual(result.returncode, 1)
        self.assertIn(b"copy both files", result.stderr)


if __name__ == "__main__":
    unittest.main()
