#!/usr/bin/env python3
"""What 'troupe-train learn CLIP' makes of a folder of clips without any option: a table, a row a clip.

The folder has a manifest.csv with the columns file, skill, start_frame and end_frame (counted from 0, both included), mean_root_speed_mps and
root_yaw_deg. The frames say which part of a file shows the skill; nothing else is given. Each clip is imported, whole and cut, and planned;
speed and turn of the import stand beside those of the manifest. --learn trains: the skills that it names, in that order, or 'all'.

    controllers/recipes/learn-clips.py clips --train build/release/controllers/tools/troupe-train
    controllers/recipes/learn-clips.py clips --train build/release/controllers/tools/troupe-train --learn walk_normal,punch --effort quick
"""

import argparse
import csv
import os
import re
import subprocess
import sys


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", help="clips with their manifest.csv")
    parser.add_argument("--train", default="troupe-train", help="the tool (%(default)s)")
    parser.add_argument("--learn", default="", metavar="SKILL,...", help="train these skills, or 'all'; default: import and plan only")
    parser.add_argument("--effort", default="quick", choices=("quick", "normal", "thorough"))
    parser.add_argument("--catalogue", default="clips.troupe", help="the controllers go here (%(default)s)")
    parser.add_argument("--threads", default="1", help="threads of the training (%(default)s)")
    return parser.parse_args()


def found(pattern, text, default=""):
    match = re.search(pattern, text, re.MULTILINE)
    return match.group(1) if match else default


class Tool:
    def __init__(self, options):
        self.options = options

    def run(self, *words):
        done = subprocess.run([self.options.train, *map(str, words)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        return done.returncode, done.stdout

    def clip(self, row, cut=True):
        return [os.path.join(self.options.folder, row["file"])] + (["--from", row["start_frame"], "--to", row["end_frame"]] if cut else [])

    def learn(self, row, *words):
        return self.run("learn", *self.clip(row), "--effort", self.options.effort, "--name", row["skill"].replace("_", "-"),
                        "--catalogue", self.options.catalogue, "--threads", self.options.threads, *words)


def refusal(text):
    return "refused: " + found(r"^troupe-train \w+: (.*)", text, "without a word")


def imported(tool, row, cut):
    """'right', or what the tool says about it."""
    code, text = tool.run("import", *tool.clip(row, cut))
    checks = found(r"^checks\s+(.*)", text)
    return refusal(text) if code else "right" if checks.endswith("pass") else checks


def measured(tool, row):
    """Speed and turn of the cut clip, as imported."""
    _, text = tool.run("import", *tool.clip(row))
    return found(r"on the way, ([-0-9.]+) m/s", text, "?"), found(r"turning ([-0-9.]+) deg", text, "?")


def planned(tool, row):
    code, text = tool.learn(row, "--plan")
    return refusal(text) if code else found(r"^plan\s+(\w+)", text)


def show(tool, row):
    speed, turn = measured(tool, row)
    print(f"| {row['skill']} | {imported(tool, row, False)} | {imported(tool, row, True)} | {speed}, {row['mean_root_speed_mps']} m/s "
          f"| {turn}, {row['root_yaw_deg']} deg | {planned(tool, row)} |", flush=True)


def learn(tool, row):
    """Processor time, and what 'learn' says at its end of trials on seeds of their own."""
    code, text = tool.learn(row)
    with open(f"{tool.options.catalogue}.{row['skill']}.log", "w", encoding="utf-8") as log:
        log.write(text)
    spent = sum(map(float, re.findall(r"core_s ([0-9.]+)", text)))
    held = found(r"^holds (.* trials)", text, refusal(text) if code else "not held")
    print(f"| {row['skill']} | {spent / 60:.1f} core-min | {held} | {found(r'^survives pushes of ([0-9]+ N)', text, 'none')} "
          f"| {found(r'^moves at (.*?);', text)} |", flush=True)


def main():
    options = arguments()
    with open(os.path.join(options.folder, "manifest.csv"), encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    wanted = [row["skill"] for row in rows] if options.learn in ("", "all") else options.learn.split(",")
    for name in wanted:
        row = next((row for row in rows if row["skill"] == name), None)
        if row is None:
            sys.exit(f"--learn: no skill '{name}' in the manifest")
        (learn if options.learn else show)(Tool(options), row)


if __name__ == "__main__":
    main()
