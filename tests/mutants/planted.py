#!/usr/bin/env python3
"""Plants known defects in server and db, one at a time, and asks whether the simulation (tests/sim) finds each.

    tests/mutants/planted.py TREE [--seeds 1000] [--only WORD]

TREE is a clean checkout with a release build, which must not be the one that you work in: each file is changed, built, tried and
put back. Prints for each defect the seed that found it, or that it survived. Exit status: 0 if at least 55 of 60 were found."""
import argparse
import re
import subprocess
import sys
from pathlib import Path

# File, text that stands in it, what replaces the first one.
DEFECTS = [
    ("db/store/database.c", "PRAGMA synchronous = FULL; PRAGMA journal_size_limit", "PRAGMA synchronous = OFF; PRAGMA journal_size_limit"),
    ("server/recording/recording_file.c", "return fdatasync(file) == 0 ? TR_OK : failed(error);", "return file >= 0 ? TR_OK : failed(error);"),
    ("server/recording/recording_file.c", "fdatasync(file) == 0 &&", "file >= 0 &&"),
    ("server/recording/recording_file.c", "ftruncate(file, (off_t)size) == 0 &&", "size > 0 &&"),
    ("server/recording/recording_file.c", "        at += (size_t)written;", "        at += (size_t)written + 1;"),
    ("server/recording/recording_writer.c", "        w->file = -1;\n    }\n}\n\n/* --- on the loop", "    }\n}\n\n/* --- on the loop"),
    ("server/recording/recording_writer.c", "    w->writing = false;\n    release_queue", "    release_queue"),
    ("server/catalogue/catalogue_thread.c", "        uv_async_send(&thread->answers);\n", ""),
    ("server/catalogue/catalogue_thread.c", "        pthread_cond_signal(&thread->changed);\n        status = TR_OK;", "        status = TR_OK;"),
    ("server/catalogue/catalogue_thread.c", "        if (!job)\n            return;\n        job->done(job);", "        if (!job)\n            return;\n        job->done(job);\n        return;"),
    ("server/catalogue/catalogue_thread.c", "    deliver_answers(thread);\n    tr_catalogue_close", "    tr_catalogue_close"),
    ("server/catalogue/catalogue_thread.c", "    while (!thread->asked.first && !thread->ending)", "    if (!thread->asked.first && !thread->ending)"),
    ("server/world/task_pool.c", "    if (task->heap_index == 0)\n        tell_head(pool, task);", ""),
    ("server/world/task_pool.c", "    if (task->state == TR_TASK_RUNNING) {\n        task->woken = true;", "    if (task->state == TR_TASK_RUNNING) {\n        task->woken = false;"),
    ("server/world/task_pool.c", "        sift_down(heap, last, 0);", "        place(heap, last, 0);"),
    ("server/world/task_pool.c", "    pool->ending = true;\n    pthread_cond_broadcast(&pool->changed);", "    pool->ending = true;"),
    ("server/world/task_pool.c", "            pool->held--;", "            pool->held++;"),
    ("server/net/channel_tcp.c", "if (skipped < buffers[i].len)", "if (skipped <= buffers[i].len)"),
    ("server/net/channel_tcp.c", "        sent -= skipped;", "        sent -= sent;"),
    ("server/net/channel_tcp.c", "    if (count < 0)\n        base->listener->ended", "    if (count < -9999)\n        base->listener->ended"),
    ("server/net/channel_tcp.c", "    if (--channel->parts > 0)", "    if (--channel->parts > 1)"),
    ("server/net/listener.c", "    listener->waits = false;\n    accept_connection(listener);", "    listener->waits = false;"),
    ("db/store/catalogue.c", '"COMMIT"', '"ROLLBACK"'),
    ("db/store/database.c", 'catalogue->begun ? "RELEASE change" : "COMMIT"', 'catalogue->begun ? "RELEASE change" : "SELECT 1"'),
]
BAR = 55 / 60


def run(tree, *command):
    return subprocess.run(command, cwd=tree, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)


def try_defect(tree, seeds):
    """What the simulation says of the tree as it is now."""
    built = run(tree, "cmake", "--build", "--preset", "release", "-j2", "--target", "test_sim")
    if built.returncode != 0:
        return "refused"
    tried = run(tree, "timeout", "120", "build/release/tests/sim/test_sim", "1", str(seeds))
    if tried.returncode == 0:
        return "survived"
    found = re.search(r"seed \d+ failed.*", tried.stdout)
    return found.group(0) if found else f"found: status {tried.returncode}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tree", type=Path)
    parser.add_argument("--seeds", type=int, default=1000)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    if run(options.tree, "git", "status", "--porcelain", "--untracked-files=no").stdout:
        sys.exit(f"{options.tree}: has changes; give a clean checkout")
    found = tried = 0
    for path, old, new in DEFECTS:
        file = options.tree / path
        source = file.read_text()
        if options.only not in path:
            continue
        if old not in source:
            print(f"{path}: no longer has: {old!r}", flush=True)
            continue
        try:
            file.write_text(source.replace(old, new, 1))
            verdict = try_defect(options.tree, options.seeds)
        finally:
            file.write_text(source)
        if verdict != "refused":
            tried += 1
            found += verdict != "survived"
        print(f"{path}: {old.strip()!r}: {verdict}", flush=True)
    print(f"{found} of {tried} planted defects were found")
    return 0 if tried and found >= BAR * tried else 1


if __name__ == "__main__":
    sys.exit(main())
