"""The README's five minutes, pasted whole into a shell on a fresh machine: no command is refused, and each shows its effect."""

import os
import pathlib
import re
import subprocess
import tempfile
import unittest

from ports import quiet_port

SOURCE = pathlib.Path(os.environ["TROUPE_SOURCE"])
BUILD = pathlib.Path(os.environ["TROUPE_BUILD"])


def pasted():
    """The first block of the section, for this build, and ended by the line that stops the daemon."""
    section = (SOURCE / "README.md").read_text().split("## Five minutes", 1)[1]
    block = re.search(r"(?:^    .*\n)+", section, re.M)[0]
    return re.sub(r"^    ", "", block, flags=re.M)


class Paste(unittest.TestCase):
    def test_the_block_works_whole(self):
        port, web = quiet_port(), quiet_port()
        with tempfile.TemporaryDirectory() as home:
            script = pasted().replace("~/troupe", home + "/troupe").replace("--bouts 20", "--bouts 2")
            script = script.replace("build/release/server/trouped", f"{BUILD}/server/trouped --listen 127.0.0.1:{port} --web-listen 127.0.0.1:{web}")
            script = script.replace("cd build/release/client", f"cd {BUILD}/client").replace("../../../deploy", str(SOURCE / "deploy"))
            shell = subprocess.Popen(["bash", "-eu"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                     env={**os.environ, "HOME": home, "TROUPE_ADDRESS": f"127.0.0.1:{port}"})
            page = f"import urllib.request; print(urllib.request.urlopen('http://127.0.0.1:{web}/').read().decode()[:4000])"
            said, errors = shell.communicate(script + f"/usr/bin/python3 -c \"{page}\"\nkill %1\nwait\n", timeout=240)
            self.assertEqual(shell.returncode, 0, said[-2000:] + errors)
            self.assertNotIn("refused", errors)
            self.check_effects(said)

    def check_effects(self, said):
        self.assertRegex(said, r"(?m)^characters +hero ")
        places = [(float(x), float(y)) for x, y in re.findall(r"ada .* x +(-?[\d.]+) +y +(-?[\d.]+)", said)]
        begins = [i for i, line in enumerate(said.splitlines()) if " ada " in line]
        self.assertGreater(len(begins), 20)
        self.assertGreater(max(y for _, y in places) - places[0][1], 1.5, "it walks to the left")
        self.assertGreater(places[-1][0] - min(x for x, _ in places), 1, "it runs to the point")
        self.assertRegex(said, r"<!doctype html>|<!DOCTYPE html>")


if __name__ == "__main__":
    unittest.main()
