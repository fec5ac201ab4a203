#!/usr/bin/env python3
"""Counts the settings of learning methods, and those that nothing that ships turns away from their defaults.

    deploy/count-settings.py          one line for each table of settings, and their sum
    deploy/count-settings.py --list   and the names of those that are not turned

A setting is turned by a run of db/shipped.troupe whose record has another value, or lacks the name where its method repeats
older records with another one (.unrecorded), or by a file of controllers/recipes that gives it one, as "name = value",
"name=value" or "--name value", $VARIABLE too. What only a page of a paper or of the guide turns is an ablation, and is counted
apart. Seeds are drawn, so they count as turned."""
import collections
import os
import re
import sqlite3
import subprocess
import sys

# The methods of the runs, where the folder has another name or several tables.
METHODS = {"train": ["chain"], "ball_walker.c": ["ball-walk"], "skater.c": ["skate"], "boarder.c": ["board"],
           "skateboard.c": ["skate", "board"], "apparatus.c": ["balance"], "distil": ["distil", "network"]}
UNRECORDED = re.compile(r'\.unrecorded = "([^"]*)"')
ROW = re.compile(r'\{"([\w-]+)",\s*TR_(\w+),\s*AT\([\w.]+\),\s*[^"]*?"([^"]*)"')


def same(one, other):
    try:
        return one == other or float(one) == float(other)
    except ValueError:
        return False


def main():
    os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
    files = subprocess.run(["git", "ls-files", "controllers/learn", "controllers/recipes", "controllers/tools/character",
                            "controllers/guide", "deploy/site/pages"], capture_output=True, text=True,
                           check=True).stdout.split()
    recipes = "\n".join(open(f).read() for f in files if f.startswith("controllers/recipes"))
    pages = "\n".join(open(f).read() for f in files if f.endswith(".md"))
    with sqlite3.connect("file:db/shipped.troupe?mode=ro", uri=True) as catalogue:
        runs = [(method, dict(line.split(" = ", 1) for line in text.splitlines() if " = " in line))
                for method, text in catalogue.execute("SELECT method, parameters FROM run")]
    total = collections.Counter()
    for name in (f for f in files if f.endswith(".c")):
        rows = ROW.findall(open(name).read())
        if not rows:
            continue
        methods = METHODS.get(os.path.basename(name), METHODS.get(name.split("/")[2], [name.split("/")[2]]))
        older = "\n".join("".join(UNRECORDED.findall(open(f).read())) for f in files
                          if os.path.dirname(f) == os.path.dirname(name)).replace("\\n", "\n")
        older = dict(line.split(" = ", 1) for line in older.splitlines() if " = " in line)
        count, left = collections.Counter(settings=len(rows)), []
        for setting, kind, default in rows:
            word = rf'(?<![\w-])(?:--{setting.replace("_", "-")}[ =]|{setting}(?: = |=))"?([\w.+$-]+)'
            shipped = any(m in methods and not same(p.get(setting, older.get(setting, default)), default) for m, p in runs)
            by_recipe, by_page = (any(not same(value, default) for value in re.findall(word, text)) for text in (recipes, pages))
            if not shipped and not by_recipe and kind != "SEED":
                left.append(setting + " (page)" * by_page)
            count["not turned by a shipped run"] += not shipped and kind != "SEED"
        count["nor by a recipe"] = len(left)
        count["nor by a page"] = sum("page" not in setting for setting in left)
        total += count
        print(f"{name}: " + ", ".join(f"{n} {what}" for what, n in count.items()))
        if "--list" in sys.argv:
            print("    " + " ".join(left))
    print("all: " + ", ".join(f"{n} {what}" for what, n in total.items()))


main()
