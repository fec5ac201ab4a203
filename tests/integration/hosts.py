"""The command line client with several daemons: by a list, and by SRV records of a small name server."""

import json
import subprocess
import threading

from harness import *

TYPE_SRV = 33


class NameServer:
    """Answers SRV questions over UDP from a table {name: [(priority, weight, port, target)]}; other names do not exist."""

    def __init__(self, table):
        self.table = table
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.bind(("127.0.0.1", 0))
        self.address = "127.0.0.1:%d" % self.socket.getsockname()[1]
        threading.Thread(target=self.serve, daemon=True).start()

    @staticmethod
    def encode(name):
        return b"".join(bytes([len(part)]) + part.encode() for part in name.split(".")) + b"\0"

    def answer(self, question):
        parts, at = [], 12
        while question[at]:
            parts.append(question[at + 1:at + 1 + question[at]].decode())
            at += 1 + question[at]
        kind, = struct.unpack("!H", question[at + 1:at + 3])
        records = self.table.get(".".join(parts), []) if kind == TYPE_SRV else []
        out = question[:2] + struct.pack("!HHHHH", 0x8180 if records else 0x8183, 1, len(records), 0, 0) + question[12:at + 5]
        for priority, weight, port, target in records:
            data = struct.pack("!HHH", priority, weight, port) + self.encode(target)
            out += b"\xc0\x0c" + struct.pack("!HHIH", TYPE_SRV, 1, 60, len(data)) + data
        return out

    def serve(self):
        while True:
            try:
                question, peer = self.socket.recvfrom(512)
                self.socket.sendto(self.answer(question), peer)
            except OSError:
                return

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()


def troupe(*words, **environment):
    return subprocess.run([os.environ["TROUPE"], *words], capture_output=True, text=True, timeout=TIMEOUT_S,
                          env={**os.environ, **environment})


class Several(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.daemons = [Daemon(), Daemon()]
        cls.hosts = ",".join(f"127.0.0.1:{daemon.port}" for daemon in cls.daemons)
        for name, daemon in zip(("here", "there"), cls.daemons):
            with daemon.client() as client:
                client.create_world(name)
                client.create_world("everywhere")

    @classmethod
    def tearDownClass(cls):
        for daemon in cls.daemons:
            daemon.__exit__(None, None, None)

    def worlds(self, *words, **environment):
        result = troupe(*words, "worlds", "--json", **environment)
        self.assertEqual(result.returncode, 0, result.stderr)
        return [(row["host"], row["name"]) for row in json.loads(result.stdout)]

    def all_worlds(self, first=0):
        ports = [daemon.port for daemon in self.daemons]
        names = [("here", "everywhere"), ("there", "everywhere")]
        order = (first, 1 - first)
        return [(f"127.0.0.1:{ports[i]}", name) for i in order for name in names[i]]

    def test_worlds_of_all_are_listed(self):
        self.assertEqual(self.worlds("--hosts", self.hosts), self.all_worlds())
        self.assertEqual(self.worlds(TROUPE_HOSTS=self.hosts), self.all_worlds())

    def test_a_command_goes_to_the_daemon_that_has_the_world(self):
        for name, daemon in zip(("here", "there"), self.daemons):
            result = troupe("--hosts", self.hosts, "spawn", name, "hold", "--label", "one")
            self.assertEqual(result.returncode, 0, result.stderr)
            with daemon.client() as client:
                worlds = {world.name: world for world in client.ask(list_worlds={}).world_list.worlds}
                self.assertEqual(worlds[name].pending_commands + worlds[name].character_count, 1)

    def test_a_world_that_two_have_is_refused_and_one_that_none_has(self):
        result = troupe("--hosts", self.hosts, "pause", "everywhere")
        self.assertEqual(result.returncode, 1)
        self.assertIn(f"several daemons have a world 'everywhere': {self.hosts.replace(',', ', ')}", result.stderr)
        result = troupe("--hosts", self.hosts, "pause", "nowhere")
        self.assertEqual(result.returncode, 1)
        self.assertIn("no daemon that answers has a world 'nowhere'", result.stderr)

    def test_other_commands_go_to_the_first_that_answers(self):
        away = f"127.0.0.1:{quiet_port()}"
        result = troupe("--hosts", f"{away},{self.hosts}", "status", "--json")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(json.loads(result.stdout)["worlds"], 2)

    def test_one_that_does_not_answer_is_reported(self):
        away = f"127.0.0.1:{quiet_port()}"
        result = troupe("--hosts", f"{away},{self.hosts}", "worlds")
        self.assertEqual(result.returncode, 0)
        self.assertIn(f"troupe: {away}: cannot connect", result.stderr)
        self.assertEqual(troupe("--hosts", away, "worlds").returncode, 3)

    def test_srv_records_by_priority_and_weight(self):
        here, there = (daemon.port for daemon in self.daemons)
        name = "_troupe._tcp.play.test"
        for records, first in (([(1, 0, here, "localhost"), (0, 0, there, "localhost")], 1),
                               ([(0, 1, here, "localhost"), (0, 9, there, "localhost")], 1),
                               ([(0, 9, here, "localhost"), (0, 1, there, "localhost")], 0)):
            with NameServer({name: records}) as server:
                listed = self.worlds("--hosts", name, TROUPE_DNS=server.address)
                self.assertEqual(listed, [(host.replace("127.0.0.1", "localhost"), world)
                                          for host, world in self.all_worlds(first)])

    def test_a_name_without_records_is_refused(self):
        with NameServer({}) as server:
            result = troupe("--hosts", "_troupe._tcp.nobody.test", "worlds", TROUPE_DNS=server.address)
            self.assertEqual(result.returncode, 1)
            self.assertIn("--hosts _troupe._tcp.nobody.test: no SRV records", result.stderr)

    def test_a_list_that_is_none_is_a_usage_error(self):
        for wrong in "a,,b", "host:port", ",".join(["localhost"] * 65):
            self.assertEqual(troupe("--hosts", wrong, "worlds").returncode, 2, wrong)


if __name__ == "__main__":
    unittest.main()
