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

SOURCE = pathlib.Path(os.environ["TROUPE_SOURCE"])
BUILD = pathlib.Path(os.environ["TROUPE_BUILD"])
CLIPS = SOURCE.parent / "shared" / "mocap"
PAPERS = [f"paper_{name}" for name in ("guided", "samcon", "schedule", "gait", "latent")]
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


class Site(unittest.TestCase):
    @unittest.skipUnless(shutil.which("doxygen"), "doxygen is not installed")
    def test_builds_without_a_warning_or_a_dead_link(self):
        with tempfile.TemporaryDirectory() as out:
            subprocess.run([SOURCE / "deploy/site/build.sh", out], check=True, capture_output=True)
            self.assertEqual(pathlib.Path(out, "warnings.txt").read_text(), "")
            for page in "tutorial", "papers", "extending", "protocol_reference", *PAPERS:
                self.assertIn('name="viewport" content="width=device-width', pathlib.Path(out, "html", page + ".html").read_text(), page)
            self.assertEqual(dead_links(pathlib.Path(out, "html")), [])

    def test_each_paper_has_a_page_with_its_figures_and_what_differs(self):
        for name in PAPERS:
            page = (SOURCE / "deploy/site/pages" / f"{name.replace('_', '-')}.md").read_text()
            self.assertIn(f"{{#{name}}}", page.splitlines()[0])
            sections = re.split(r"^## ", page, flags=re.M)[1:]
            self.assertEqual([each.split("\n")[0] for each in sections], ["What is here", "Figures", "What differs", "Where it is"], name)
            self.assertRegex(sections[1], r"\|[^\n]*the paper|\| the paper", name)
            self.assertIn("controllers/log/", sections[1], name)

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
