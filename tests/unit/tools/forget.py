"""troupe-train forget: entries of a catalogue go when nothing depends on them, all that are named or none."""

import json
import os
import sqlite3
import subprocess
import unittest

from tool import Case

USAGE = 2


class Forget(Case):
    def setUp(self):
        super().setUp()
        self.run_tool("bundle", "import", self.bundle, "--catalogue", "c.troupe")

    def count(self, table):
        catalogue = sqlite3.connect(self.path("c.troupe"))
        try:
            return catalogue.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
        finally:
            catalogue.close()

    def test_entries_go_with_what_belongs_to_them(self):
        self.assertGreater(self.count("fragment"), 1)
        told = self.run_tool("forget", "c.troupe", "hold", "sway", "run:by_hand", "clip:swaying")
        self.assertEqual(told, "forgot controller 'hold'\nforgot controller 'sway'\nforgot run 'by_hand'\nforgot clip 'swaying'\n")
        for table in ("controller", "fragment", "controller_fragment", "run", "clip"):
            self.assertEqual(self.count(table), 0, table)
        self.assertEqual(self.count("model"), 1)
        self.run_tool("bundle", "import", self.bundle, "--catalogue", "c.troupe")
        self.assertEqual(self.count("controller"), 2)

    def test_what_is_needed_is_refused_and_named(self):
        for entry in ("run:by_hand", "swaying", "humanoid"):
            with self.subTest(entry=entry):
                told = self.run_tool("forget", "c.troupe", entry, code=1)
                self.assertIn("controller 'hold', controller 'sway' depend on it", told)
        self.assertIn("controller 'sway' depends on it", self.run_tool("forget", "c.troupe", "hold", "swaying", code=1))
        self.assertEqual(self.count("controller"), 2)  # all or none

    def test_a_fragment_is_held_by_its_controllers(self):
        catalogue = sqlite3.connect(self.path("c.troupe"))
        digest, = catalogue.execute("SELECT lower(hex(digest)) FROM fragment ORDER BY id LIMIT 1").fetchone()
        catalogue.close()
        self.assertRegex(self.run_tool("forget", "c.troupe", f"fragment:{digest[:12]}", code=1),
                         rf"fragment '{digest}': controller '(hold|sway)'.* on it")
        self.assertIn("not in the catalogue", self.run_tool("forget", "c.troupe", f"fragment:{digest[:7]}", code=1))

    def test_json(self):
        done = subprocess.run([self.train, "forget", "--json", "c.troupe", "humanoid"], cwd=self.folder, capture_output=True)
        self.assertEqual(done.returncode, 1)
        failed = json.loads(done.stdout)["error"]
        self.assertEqual(failed["status"], "FAILED_PRECONDITION")
        self.assertEqual(failed["dependents"], [dict(kind="controller", name="hold"), dict(kind="controller", name="sway")])
        told = json.loads(self.run_tool("forget", "c.troupe", "sway", "--json"))
        self.assertEqual(told, dict(forgotten=[dict(kind="controller", name="sway")]))

    def test_what_cannot_be(self):
        self.assertIn("'nobody': not in the catalogue", self.run_tool("forget", "c.troupe", "nobody", code=1))
        self.assertIn("a kind being model, clip, run, controller", self.run_tool("forget", "c.troupe", "dog:hold", code=1))
        self.assertIn("missing argument: ENTRY ...", self.run_tool("forget", "c.troupe", code=USAGE))


class Compact(Case):
    def sizes(self, bundle, *options):
        self.run_tool("bundle", "export", os.path.join(self.source, "db/shipped.troupe"), "walk", "--out", bundle, *options)
        self.run_tool("bundle", "check", bundle)
        catalogue = sqlite3.connect(self.path(bundle))
        try:
            count = lambda what: catalogue.execute(f"SELECT {what}").fetchone()[0]
            return [count(f"count(*) FROM {table}") for table in ("run", "certificate", "guide")], count("sum(length(targets) + length(policy)) FROM fragment")
        finally:
            catalogue.close()

    def test_a_compact_bundle_keeps_the_motion_and_leaves_the_lineage_out(self):
        rows, whole = self.sizes("whole.troupe")
        self.assertTrue(all(rows), rows)
        rows, small = self.sizes("small.troupe", "--compact")
        self.assertEqual(rows, [0, 0, 1])
        self.assertLess(small, 0.3 * whole)
        told = self.run_tool("evaluate", "walk", "--catalogue", "small.troupe", "--seeds", "4", "--seconds", "5", "--seed", "1")
        self.assertIn("undisturbed: 4 of 4 seeds hold 5 s", told)


if __name__ == "__main__":
    unittest.main()
