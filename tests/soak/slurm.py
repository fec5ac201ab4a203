#!/usr/bin/python3 -B
"""Trainings under Slurm: munged, slurmctld and two slurmd on this machine run an array of recipes and merge its bundles, a
training on four ranks over both nodes, a batch of bouts, and a training whose node is killed. Bits are compared with those
outside. Minutes; by hand or nightly, with Debian's slurm-wlm and openmpi-bin:

    tests/soak/slurm.py BUILD_DIR
"""

import argparse
import glob
import json
import os
import re
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time

ROOT = os.path.realpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
NODES = ("n1", "n2")

# %n: the node. Processes of both nodes share the machine, so ranks talk over TCP, as between machines.
CONFIGURATION = """ClusterName=troupe
SlurmctldHost={host}(127.0.0.1)
SlurmUser={user}
SlurmdUser={user}
SlurmctldPort={port[0]}
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd-%n.pid
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool-%n
TmpFS={folder}/tmp-%n
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd-%n.log
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
CredType=cred/munge
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
ReturnToService=0
SlurmdTimeout=5
KillWait=2
MinJobAge=600
SchedulerParameters=sched_interval=2,requeue_delay=1
NodeName=n1 NodeHostname={host} NodeAddr=127.0.0.1 Port={port[1]} CPUs=2 State=UNKNOWN
NodeName=n2 NodeHostname={host} NodeAddr=127.0.0.1 Port={port[2]} CPUs=2 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=60 State=UP
"""

TINY = {"refine_rounds": 1, "refine_visits": 4, "refine_skipped": 1, "refine_samples": 40, "refine_sigma_deg": 3, "iterations": 1,
        "visits": 22, "first_samples": 20, "samples": 16, "first_sigma_deg": 2, "push_n": 20, "push_ramp": 1, "test_trials": 1,
        "test_cap_s": 1, "test_grid_n": 100, "test_settle_s": 0.2, "test_after_s": 0.3, "harden_directions": 4, "harden_best": 2,
        "harden_trials": 4, "harden_updates": 2}
CERTIFY = ("--hold-trials 3 --hold-seconds 2 --resist-trials 2 --directions 4 --starts 1 --grid 150 --limit 300 --track-seconds 1.6 "
           "--ground-trials 2 --ground-seconds 1")


def options(**changes):
    return " ".join("--set %s=%s" % pair for pair in dict(TINY, **changes).items())


def free_ports(count):
    sockets = [socket.socket() for _ in range(count)]
    for each in sockets:
        each.bind(("127.0.0.1", 0))
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports


class Cluster:
    def __init__(self, build):
        self.folder = tempfile.mkdtemp(prefix="troupe-slurm-", dir="/tmp")
        self.started = []
        self.train = os.path.join(build, "controllers/tools/troupe-train")
        self.troupe = os.path.join(build, "client/troupe")
        for name in ("state", "clips", "munge", *("%s-%s" % pair for pair in ((a, n) for a in ("spool", "tmp") for n in NODES))):
            os.mkdir(self.path(name))
        os.chmod(self.folder, 0o755)
        with open(self.path("slurm.conf"), "w") as file:
            file.write(CONFIGURATION.format(host=socket.gethostname(), user=os.environ.get("USER", "root"), folder=self.folder,
                                            port=free_ports(3)))
        with open(os.open(self.path("munge/key"), os.O_CREAT | os.O_WRONLY, 0o400), "wb") as file:
            file.write(os.urandom(1024))
        self.environment = dict(os.environ, SLURM_CONF=self.path("slurm.conf"), TROUPE_TRAIN=self.train, TROUPE_BOUTS=os.path.join(build, "server/troupe-bouts"), CLIPS=self.path("clips"),
                                RECIPES=self.path("recipes.txt"), TRIALS="2", SECONDS_HELD="1", CERTIFY=CERTIFY,
                                OMPI_MCA_btl="self,tcp", OMPI_MCA_btl_tcp_if_include="lo", OMPI_MCA_mpi_yield_when_idle="1",
                                OMPI_ALLOW_RUN_AS_ROOT="1",
                                OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")

    def path(self, name):
        return os.path.join(self.folder, name)

    def start(self, *words):
        with open(self.path("daemons.out"), "a") as out:
            self.started.append(subprocess.Popen(words, env=self.environment, stdout=out, stderr=out))
        return self.started[-1]

    def begin(self):
        self.start("munged", "--foreground", "--force", "--socket", self.path("munge.socket"), "--key-file", self.path("munge/key"),
                   "--pid-file", self.path("munge/pid"), "--log-file", self.path("munge/log"), "--seed-file", self.path("munge/seed"))
        wait("munged", lambda: os.path.exists(self.path("munge.socket")))
        self.start("slurmctld", "-D", "-c")
        self.nodes = {name: self.start("slurmd", "-D", "-N", name) for name in NODES}
        wait("two idle nodes", lambda: "2 idle" in self.ask("sinfo", "--noheader", "--format", "%D %t"))

    def end(self):
        for process in reversed(self.started):
            if process.poll() is None:
                process.terminate()
                process.wait(20)
        shutil.rmtree(self.folder)

    def ask(self, *words):
        done = subprocess.run(words, env=self.environment, capture_output=True, text=True, cwd=self.folder)
        return done.stdout if done.returncode == 0 else ""

    def run(self, *words, **more):
        """What the command prints; it must succeed."""
        done = subprocess.run(words, env=dict(self.environment, **more), capture_output=True, text=True, cwd=self.folder)
        if done.returncode:
            sys.exit("%s: %s" % (" ".join(words), done.stdout + done.stderr))
        return done.stdout

    def submit(self, *words, **more):
        """The numbers of the jobs, by their kind."""
        said = self.run("bash", os.path.join(ROOT, "deploy/slurm/submit.sh"), *words, **more)
        return dict(re.findall(r"(\w+) (\d+)", said))

    def job(self, number):
        """{name: value} of each task's row."""
        said = self.ask("scontrol", "show", "job", "--oneliner", number)
        return [dict(pair.split("=", 1) for pair in line.split() if "=" in pair) for line in said.splitlines() if line.strip()]

    def wait_for(self, number, state="COMPLETED"):
        def is_over():
            states = {row["JobState"] for row in self.job(number)}
            states -= {"REQUEUED"}
            if states & {"FAILED", "CANCELLED", "TIMEOUT", "OUT_OF_MEMORY"}:
                self.tell(number)
                sys.exit("job %s: %s" % (number, states))
            return states == {state}
        wait("job %s" % number, is_over, 600)

    def tell(self, number):
        for path in sorted(glob.glob(self.path("*/*%s*.out" % number))):
            with open(path) as file:
                print("--- %s\n%s" % (path, file.read()))

    def write_recipes(self, **skills):
        with open(self.path("recipes.txt"), "w") as file:
            for name, settings in skills.items():
                file.write("%s | figure.bvh | --cyclic --smooth 0.03 | %s | 20:40:20 | by the project | drawn by hand\n" %
                           (name, settings))

    def reproduce(self, catalogue, name):
        said = self.run(self.train, "reproduce", name, "--catalogue", catalogue, "--clips", self.path("clips"), "--threads", "1")
        check("'%s' is reproduced outside, to the bit" % name, "controller '%s': bit-identical" % name in said, said)


def wait(what, holds, limit_s=60):
    end = time.monotonic() + limit_s
    while not holds():
        if time.monotonic() > end:
            sys.exit("waited %d s for %s" % (limit_s, what))
        time.sleep(0.2)


def check(what, holds, said=""):
    if not holds:
        sys.exit("FAILED: %s\n%s" % (what, said))
    print("  " + what, flush=True)


def ask(path, question):
    with sqlite3.connect(path) as c:
        rows = c.execute(question).fetchall()
    c.close()
    return rows


def try_array(cluster):
    print("an array of three recipes, their certificates, and one bundle of all", flush=True)
    cluster.write_recipes(one=options(seed=1), two=options(seed=2), three=options(seed=3))
    jobs = cluster.submit("learn", "array")
    for kind in ("learn", "certify", "merge"):
        cluster.wait_for(jobs[kind])
    names = [line.split("\t")[0] for line in cluster.run(cluster.train, "bundle", "list", "array/all.bundle").splitlines()]
    check("the bundle has all three", names == ["one", "three", "two"], names)
    check("each has a certificate", ask(cluster.path("array/all.troupe"), "SELECT count(*) FROM certificate") == [(3,)])
    hosts = [row[0] for row in ask(cluster.path("array/all.troupe"), "SELECT host FROM run")]
    check("each record names its job and its node", all(re.search(r"; Slurm job \d+ on n[12]$", host) for host in hosts), hosts)
    check("both nodes had a part", {host[-2:] for host in hosts} == set(NODES), hosts)
    cluster.reproduce("array/all.bundle", "two")
    jobs = cluster.submit("reproduce", "again", "array/all.bundle", "one", "three")
    cluster.wait_for(jobs["reproduce"])
    for name in ("one", "three"):
        with open(cluster.path("again/%s.reproduced" % name)) as file:
            check("'%s' is reproduced by an array" % name, "bit-identical" in file.read())


def try_ranks(cluster):
    print("a training on four ranks", flush=True)
    cluster.write_recipes(ranks=options(harden_rounds=1))
    jobs = cluster.submit("learn", "ranks", RANKS="4", SBATCH_DISTRIBUTION="cyclic")
    cluster.wait_for(jobs["merge"])
    (host,), = ask(cluster.path("ranks/all.troupe"), "SELECT host FROM run")
    check("its record names the ranks", host.endswith(" x4"), host)
    (row,) = cluster.job(jobs["learn"])
    check("they were on both nodes", row["NodeList"] == "n[1-2]", row)
    cluster.reproduce("ranks/all.bundle", "ranks")


def try_match(cluster):
    print("a batch of bouts on three ranks", flush=True)
    cluster.run(cluster.train, "bundle", "export", os.path.join(ROOT, "db/shipped.troupe"), "run", "spin-kick", "-o", "pair.bundle")
    shown = {}
    for kind in ("here", "slurm"):
        catalogue = kind + ".troupe"
        cluster.run(cluster.train, "bundle", "import", "pair.bundle", "--catalogue", catalogue)
        on = ("--on", "slurm", "--ranks", "3") if kind == "slurm" else ("--on", "mpi", "--ranks", "1")
        said = cluster.run(cluster.troupe, "match", "run", os.path.join(ROOT, "deploy/matches/sumo.match"), "--bouts", "150", *on,
                           "--catalogue", catalogue, "--bouts-too", "--json")
        shown[kind] = {key: value for key, value in json.loads(said).items() if key not in ("began", "ended")}
    check("150 bouts are done", shown["slurm"]["done"] == 150, shown["slurm"])
    check("with the bits of one process", shown["slurm"] == shown["here"])


def try_killed_node(cluster):
    print("a node is killed under a training", flush=True)
    cluster.write_recipes(killed=options(harden_rounds=6, harden_updates=60))
    jobs = cluster.submit("learn", "killed")
    checkpoint = cluster.path("killed/killed.checkpoint")
    wait("a checkpoint", lambda: os.path.exists(checkpoint))
    (row,) = cluster.job(jobs["learn"])
    first = row["BatchHost"]
    print("  job %s runs on %s, which is killed now" % (jobs["learn"], first), flush=True)
    kill_node(cluster, first)
    wait("the job in the queue again", lambda: any(row.get("Restarts") == "1" for row in cluster.job(jobs["learn"])), 120)
    cluster.run("scontrol", "update", "JobId=" + jobs["learn"], "StartTime=now")  # Slurm leaves such a job alone for two minutes
    wait("the job on the other node", lambda: any(row.get("Restarts") == "1" and row["JobState"] == "RUNNING" and row["BatchHost"] != first
                                       for row in cluster.job(jobs["learn"])), 120)
    check("the task runs on the other node", True)
    cluster.wait_for(jobs["merge"])
    with open(glob.glob(cluster.path("killed/learn-*.out"))[0]) as file:
        said = file.read()
    check("it was started twice", said.count("learn killed: job") == 2, said)
    with open(cluster.path("killed/killed.log")) as file:
        rows = re.findall(r"(?m)^(refine|guide |harden) +(\d+) ", file.read())
    check("no round was learned twice but the one in progress", len(rows) == len(set(rows)) == 8, rows)
    cluster.reproduce("killed/all.bundle", "killed")


def read(path):
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError:  # it has ended
        return b""


def kill_node(cluster, name):
    """As when the power fails: its daemon, the steps under it and all that they started, at once: none can report the others."""
    victims = {cluster.nodes[name].pid}
    marks = (b"SLURMD_NODENAME=%s" % name.encode(), b"SLURM_CONF=%s" % cluster.path("slurm.conf").encode())
    for folder in glob.glob("/proc/[0-9]*"):
        if not all(mark in read(folder + "/environ").split(b"\0") for mark in marks):
            continue
        victims.add(int(folder.split("/")[2]))
        parent = int(read(folder + "/stat").rsplit(b")", 1)[1].split()[1])
        if b"slurmstepd" in read("/proc/%d/comm" % parent):
            victims.add(parent)
    for sent in (signal.SIGSTOP, signal.SIGKILL):
        for pid in victims:
            try:
                os.kill(pid, sent)
            except ProcessLookupError:
                pass


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build")
    build = os.path.abspath(parser.parse_args().build)
    missing = [name for name in ("munged", "slurmctld", "slurmd", "mpirun") if not shutil.which(name)]
    if missing:
        sys.exit("left out: no %s; deploy/setup.sh slurm installs Debian's slurm-wlm" % ", ".join(missing))
    cluster = Cluster(build)
    shutil.copy(os.path.join(ROOT, "tests/data/motion/figure.bvh"), cluster.path("clips"))
    try:
        cluster.begin()
        try_array(cluster)
        try_ranks(cluster)
        try_match(cluster)
        try_killed_node(cluster)
    finally:
        cluster.end()
    print("slurm: all held")


if __name__ == "__main__":
    main()
