"""The documentation site: it builds without a warning, and every command that its pages show can be run.

The sh blocks of a page are one script, run in a temporary folder. Learning gets less effort than the page
recommends (the line that begins with effort=); all other lines are run as printed.
"""

import html.parser
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest
import urllib.parse

from sources import SOURCE, documents, files_below

BUILD = pathlib.Path(os.environ["TROUPE_BUILD"])
CLIPS = SOURCE.parent / "shared" / "mocap"
GUIDE = SOURCE / "controllers/guide"
METHODS = ["balance", "chains", "gaits", "graphs", "latent", "policies", "reconstruction", "scheduling"]
WORDS = {"reading path": 55_000, "method": 1_500, "figures": 1_000}
QUICK = ('effort="--set refine_rounds=1 --set refine_visits=6 --set refine_samples=60 --set first_samples=40 '
         '--set visits=24 --set iterations=1 --set harden_rounds=0 --set test_trials=1 --set test_cap_s=1"')


def commands_of(page: pathlib.Path) -> str:
    blocks = re.findall(r"^```sh\n(.*?)^```$", page.read_text(), re.M | re.S)
    return re.sub(r"^effort=.*$", QUICK, "\n".join(blocks), flags=re.M)


class Links(html.parser.HTMLParser):
    """What a page refers to, and the places in it that can be referred to."""

    def __init__(self, page: pathlib.Path) -> None:
        super().__init__()
        self.there, self.targets = set(), set()
        self.feed(page.read_text())

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        self.there |= {given[name] for name in ("id", "name") if name in given}
        self.targets |= {given[name] for name in ("href", "src") if given.get(name)}


def dead_links(folder: pathlib.Path) -> list[str]:
    """Those within the site that lead to no file, or to no place in one."""
    pages = {page.name: Links(page) for page in folder.glob("*.html")}
    dead = []
    for name, page in pages.items():
        for target in page.targets:
            link = urllib.parse.urlsplit(target)
            path = urllib.parse.unquote(link.path) or name
            if link.scheme or link.netloc:
                continue
            if not (folder / path).exists() or (link.fragment and path in pages and link.fragment not in pages[path].there):
                dead.append(f"{name}: {target}")
    return dead


# Questions of newcomers: words to look for in the site's search, and a sentence of the page that answers.
QUESTIONS = {
    "learn a clip": ("tutorial", r"troupe-train learn"),
    "a character in Unity": ("unity", r"TroupeCharacter"),
    "keys and TLS": ("operations", r"--make-key"),
    "my own policy": ("policies", r"ONNX|onnx"),
    "which controller": ("controllers", r"begin with"),
    "a skill of mine in a graph": ("graphs", r"graph build|graph\s+refit"),
    "write a client": ("clients", r"tr_client_connect"),
    "my own rig": ("clients", r"My own rig"),
    "stop at a point": ("clients", r"stop at a point"),
    "bandwidth": ("clients", r"bytes a state"),
}


def within_clicks(folder: pathlib.Path, clicks: int) -> set[str]:
    """Pages that so many links lead to from the first one."""
    reached, edge = {"index.html"}, {"index.html"}
    for _ in range(clicks):
        links = {urllib.parse.unquote(urllib.parse.urlsplit(target).path) for page in edge for target in Links(folder / page).targets}
        edge = {link for link in links if link.endswith(".html") and (folder / link).exists()} - reached
        reached |= edge
    return reached


class Site(unittest.TestCase):
    @unittest.skipUnless(shutil.which("doxygen"), "doxygen is not installed")
    def test_questions_are_answered_within_two_clicks_and_found_by_search(self):
        with tempfile.TemporaryDirectory() as out:
            subprocess.run([SOURCE / "deploy/site/build.sh", out], check=True, capture_output=True)
            folder = pathlib.Path(out, "html")
            near = {page: re.sub(r"<[^>]*>", "", (folder / page).read_text()) for page in within_clicks(folder, 2)}
            found = "".join(path.read_text() for path in folder.glob("search/*.js")).lower()
            for question, (word, answer) in QUESTIONS.items():
                self.assertTrue([page for page, text in near.items() if re.search(answer, text)], question)
                self.assertRegex(found, r"\b" + word, question)
            for path in (path for path in files_below(SOURCE / "client") if path.name == "README.md"):
                name = "md_" + re.sub(r"\W", "_", str(path.relative_to(SOURCE).with_suffix(""))) + ".html"
                self.assertIn(name, near, f"{path} is not on the site, or not within two clicks")
            self.assertFalse(list(folder.glob("*_8md.html")), "pages of Markdown files without their text")

    @unittest.skipUnless(shutil.which("doxygen"), "doxygen is not installed")
    def test_builds_without_a_warning_or_a_dead_link(self):
        with tempfile.TemporaryDirectory() as out:
            subprocess.run([SOURCE / "deploy/site/build.sh", out], check=True, capture_output=True)
            self.assertEqual(pathlib.Path(out, "warnings.txt").read_text(), "")
            for page in "tutorial", "papers", "extending", "protocol_reference":
                self.assertIn('name="viewport" content="width=device-width', pathlib.Path(out, "html", page + ".html").read_text(), page)
            self.assertEqual(dead_links(pathlib.Path(out, "html")), [])

    def test_each_method_has_a_page_and_its_figures(self):
        self.assertEqual(sorted(path.stem for path in GUIDE.glob("*.md")), sorted(METHODS + [f"{name}-figures" for name in METHODS]))
        for name in METHODS:
            page, figures = (GUIDE / f"{name}.md").read_text(), (GUIDE / f"{name}-figures.md").read_text()
            sections = re.findall(r"^## (.*)$", page, re.M)
            for section in "Method", "What ships", "What fails", "Cost":
                self.assertTrue(any(each.startswith(section) for each in sections), f"{name}.md: no section {section}")
            self.assertIn(f"`{name}-figures.md`", page)
            self.assertRegex(figures, r"troupe-train |ppo\.py", name)
            self.assertLessEqual(len(page.split()), WORDS["method"], name)
            self.assertLessEqual(len(figures.split()), WORDS["figures"], f"{name}-figures")

    def test_the_reading_path_is_short(self):
        self.assertLessEqual(sum(len(path.read_text().split()) for path in documents()), WORDS["reading path"])

    def test_the_reference_has_every_message(self):
        with tempfile.TemporaryDirectory() as out:
            target = pathlib.Path(out, "reference.md")
            subprocess.run(["/usr/bin/python3", "-B", SOURCE / "deploy/site/protocol_reference.py", SOURCE / "proto/troupe", target],
                           check=True)
            told = set(re.findall(r"^## (\w+)$", target.read_text(), re.M))
            schema = "".join(path.read_text() for path in (SOURCE / "proto/troupe").glob("*.proto"))
            self.assertEqual(told, set(re.findall(r"^(?:message|enum) (\w+) \{", schema, re.M)))

    def test_unknown_syntax_is_refused_by_its_line(self):
        with tempfile.TemporaryDirectory() as out:
            pathlib.Path(out, "odd.proto").write_text("message A {\n  map x\n}\n")
            told = subprocess.run(["/usr/bin/python3", "-B", SOURCE / "deploy/site/protocol_reference.py", out, out + "/x.md"],
                                  capture_output=True, text=True)
            self.assertNotEqual(told.returncode, 0)
            self.assertIn("odd.proto:2", told.stderr)

    @unittest.skipUnless((CLIPS / "16_36_1.bvh").exists(), "the clip of the tutorial is not there")
    def test_tutorial(self):
        script = commands_of(SOURCE / "deploy/site/pages/tutorial.md")
        self.assertIn("effort=", script)
        with tempfile.TemporaryDirectory() as folder:
            shutil.copy(CLIPS / "16_36_1.bvh", pathlib.Path(folder, "jog.bvh"))
            path = ":".join([str(BUILD / "server"), str(BUILD / "client"), str(BUILD / "controllers/tools"), os.environ["PATH"]])
            environment = {**os.environ, "TROUPE": str(SOURCE), "PATH": path,
                           "PYTHONPATH": str(BUILD / "client/python/stage")}
            script = script.replace("$TROUPE/build/release", str(BUILD)).replace("python3 game.py", "/usr/bin/python3 game.py")
            ran = subprocess.run(["bash", "-euo", "pipefail", "-c", "trap 'kill $(jobs -p) 2>/dev/null || true' EXIT\n" + script],
                                 cwd=folder, env=environment, capture_output=True, text=True, timeout=240)
            self.assertEqual(ran.returncode, 0, ran.stdout[-2000:] + ran.stderr[-2000:])
            for name in "jog.svg", "jog-learned.svg", "mine.troupe", "jog.bundle":
                self.assertTrue(pathlib.Path(folder, name).stat().st_size > 0, name)
            self.assertRegex(ran.stdout, "after two seconds it has (fallen|stayed up)")


unittest.main()
