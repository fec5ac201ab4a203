"""A spectator relay: readers see the worlds of another daemon through it, and that daemon sees the relay alone."""

import subprocess
import tempfile
import threading
import urllib.error
import urllib.request

from harness import *
from lines import take_frames

JOINTS, BODIES, QUANTISED = 1, 4, 256


def metric(daemon, name):
    with urllib.request.urlopen(f"http://127.0.0.1:{daemon.web_port}/metrics", timeout=TIMEOUT_S) as response:
        lines = response.read().decode().splitlines()
    return next((float(line.rsplit(" ", 1)[1]) for line in lines if line.startswith(name + " ")), 0)


class Relay(Daemon):
    def __init__(self, upstream_port, *options):
        super().__init__("--relay", f"127.0.0.1:{upstream_port}", *options, bundle=False)

    def await_links(self, count=1):
        while metric(self, "troupe_relay_links") != count:
            time.sleep(0.02)


class Relayed(unittest.TestCase):
    def setUp(self):
        self.daemon = Daemon()
        self.addCleanup(self.daemon.__exit__, None, None, None)
        self.relay = Relay(self.daemon.port)
        self.addCleanup(self.relay.__exit__, None, None, None)
        self.relay.await_links()
        self.director = self.daemon.client("director")
        self.addCleanup(self.director.close)

    def reader(self, name="reader", **options):
        reader = self.relay.client(name, **options)
        self.addCleanup(reader.close)
        return reader

    def sessions_upstream(self):
        """Without the director's."""
        return self.director.ask(ping={}).pong.sessions - 1

    def test_states_are_those_of_the_daemon_to_the_byte(self):
        world = self.director.create_world("stepped").id
        self.director.spawn(world)
        readers = [self.daemon.client("direct"), self.reader()]
        for reader in readers:
            result = reader.ask(subscribe=dict(world=world, rate_hz=20, fields=BODIES | QUANTISED)).subscribe
            self.assertEqual((result.world, result.every_ticks), (world, 10))
            reader.wait_state()
        self.director.step(world, 100)
        for reader in readers:
            reader.wait_state(lambda state: state.tick == 100)
        for state in readers[0].states + readers[1].states:
            state.dropped_states = 0  # each reader's own
        direct, relayed = ({state.tick: state.SerializeToString() for state in reader.states} for reader in readers)
        self.assertEqual(direct[100], relayed[100])
        for tick in direct.keys() & relayed.keys():
            self.assertEqual(direct[tick], relayed[tick])
        readers[0].close()

    def test_the_daemon_sees_one_session_however_many_read(self):
        worlds = [self.director.create_world(f"live {i}", REAL_TIME).id for i in range(3)]
        readers = [self.reader(f"reader {i}") for i in range(40)]
        for i, reader in enumerate(readers):
            reader.ask(subscribe=dict(world=worlds[i % 3], rate_hz=30, events=i % 2 == 0))
        for i, reader in enumerate(readers):
            self.assertEqual(reader.wait_state().world, worlds[i % 3])
        self.assertEqual(self.sessions_upstream(), 1)
        for reader in readers:
            reader.close()
        deadline = time.monotonic() + TIMEOUT_S
        while any(world.subscriber_count for world in self.director.ask(list_worlds={}).world_list.worlds):
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.02)

    def test_each_other_way_of_reading_is_one_more_session(self):
        world = self.director.create_world("live", REAL_TIME).id
        ways = [(30, JOINTS), (30, BODIES), (60, JOINTS)]
        readers = [self.reader(f"reader {i}") for i in range(9)]
        for i, reader in enumerate(readers):
            rate_hz, fields = ways[i % 3]
            reader.ask(subscribe=dict(world=world, rate_hz=rate_hz, fields=fields))
            reader.wait_state()
        self.assertEqual(self.sessions_upstream(), 3)

    def test_dropped_states_are_counted_from_the_readers_own_beginning(self):
        world = self.director.create_world("fast", FAST).id
        first = self.reader()
        first.ask(subscribe=dict(world=world, rate_hz=200))
        first.wait_state(lambda state: state.tick > 2000)
        late = self.reader("late")
        late.ask(subscribe=dict(world=world, rate_hz=200))
        begin = late.wait_state()
        self.assertEqual(begin.dropped_states, 0)
        for _ in range(100):
            state = late.wait_state()
        self.assertEqual(state.tick - begin.tick, 100 + state.dropped_states)

    def test_events_come_once_and_the_end_of_the_world_too(self):
        world = self.director.create_world("stepped").id
        readers = [self.reader(f"reader {i}") for i in range(3)]
        for rate_hz, reader in zip((0, 20, 50), readers):
            reader.ask(subscribe=dict(world=world, rate_hz=rate_hz, events=True))
        readers[1].wait_state()
        readers[2].wait_state()
        while not all(any(event.text == "mark" for event in reader.events) for reader in readers):
            self.director.command(world, mark={})  # until the subscriptions upstream are those that are wanted
            for reader in readers:
                reader.receive_for(0.05)
        entity = self.director.spawn(world)
        self.director.command(world, push=dict(entity=entity, force=dict(y=1.0), duration_s=0.1))
        self.director.step(world, 20)
        self.director.ask(destroy_world=dict(world=world))
        kinds = {value.name: value.number for value in state_pb2.EventKind.DESCRIPTOR.values}
        for reader in readers:
            reader.wait_event(kinds["EVENT_KIND_DESTROYED"])
            applied = [event.text for event in reader.events if event.kind == kinds["EVENT_KIND_APPLIED"]]
            self.assertEqual([text for text in applied if text not in ("step", "mark")],
                             ["spawn_character", "push"])
            with self.assertRaises(Refused) as refused:
                reader.ask(unsubscribe=dict(world=world))
            self.assertEqual(refused.exception.code, NOT_FOUND)

    def test_no_event_is_lost_when_the_readers_of_its_session_leave(self):
        world = self.director.create_world("stepped").id
        entity = self.director.spawn(world)
        watcher = self.reader("watcher")
        watcher.ask(subscribe=dict(world=world, rate_hz=20, events=True))
        watcher.wait_state()
        pushes = 0
        for rate_hz, next_rate_hz in (50, 40), (25, 100), (20, 50):
            passing = self.reader(f"passing {rate_hz}")
            passing.ask(subscribe=dict(world=world, rate_hz=rate_hz, events=True))
            passing.wait_state()
            watcher.ask(subscribe=dict(world=world, rate_hz=next_rate_hz, events=True))  # its events come with the other's states
            for _ in range(30):
                self.director.command(world, push=dict(entity=entity, force=dict(y=1.0), duration_s=0.1))
                pushes += 1
                if pushes % 30 == 10:
                    passing.close()
        self.director.ask(destroy_world=dict(world=world))
        watcher.wait_event(state_pb2.EventKind.Value("EVENT_KIND_DESTROYED"))
        applied = [event for event in watcher.events if event.text == "push"]
        self.assertEqual(len(applied), pushes)

    def test_a_late_reader_of_a_paused_world_gets_its_state(self):
        world = self.director.create_world("live", REAL_TIME).id
        first = self.reader()
        first.ask(subscribe=dict(world=world, rate_hz=30))
        first.wait_state()
        paused_at = self.director.command(world, pause={}).tick
        first.wait_state(lambda state: state.tick == paused_at)
        late = self.reader("late")
        late.ask(subscribe=dict(world=world, rate_hz=30))
        self.assertEqual(late.wait_state().tick, paused_at)

    def test_readers_may_only_read(self):
        reader = self.relay.client("hopeful", hello=False)
        self.addCleanup(reader.close)
        self.assertEqual(reader.hello("hopeful").role, session_pb2.ROLE_SPECTATOR)
        world = self.director.create_world("stepped").id
        for request in (dict(create_world=dict(name="mine")), dict(destroy_world=dict(world=world)),
                        dict(command=dict(world=world, step=dict(count=1)))):
            with self.assertRaises(Refused) as refused:
                reader.ask(**request)
            self.assertEqual(refused.exception.code, session_pb2.STATUS_CODE_PERMISSION_DENIED)
            self.assertIn(f"ask 127.0.0.1:{self.daemon.port}", refused.exception.response.message)

    def test_questions_are_passed_on_and_equal_ones_once(self):
        world = self.director.create_world("stepped", seed=7).id
        readers = [self.reader(f"reader {i}") for i in range(30)]
        self.assertEqual([w.name for w in readers[0].ask(list_worlds={}).world_list.worlds], ["stepped"])
        self.assertEqual(readers[0].state(world).tick, 0)
        self.assertEqual(readers[0].ask(ping={}).pong.sessions, 30)  # the relay's own
        began = time.monotonic()
        asked = [reader.send(get_model=dict(name="humanoid")) for reader in readers]
        answers = {reader.wait(request).SerializeToString()[2:] for reader, request in zip(readers, asked)}
        self.assertEqual(len(answers), 1)
        name = 'troupe_requests_total{request="get_model",code="OK"}'
        self.assertLessEqual(metric(self.daemon, name), 2 + (time.monotonic() - began))  # an answer is kept for a second
        for request in dict(get_world=dict(world=9)), dict(subscribe=dict(world=9, rate_hz=30)):
            with self.assertRaises(Refused) as refused:
                readers[0].ask(**request)
            self.assertEqual(refused.exception.code, NOT_FOUND)
        with self.assertRaises(Refused) as refused:
            readers[0].ask(subscribe=dict(world=world, rate_hz=1e6))
        self.assertEqual(refused.exception.code, INVALID_ARGUMENT)

    def ready(self):
        try:
            return urllib.request.urlopen(f"http://127.0.0.1:{self.relay.web_port}/readyz", timeout=TIMEOUT_S).status
        except urllib.error.HTTPError as error:
            return error.code

    def wait_ready(self, status):
        while self.ready() != status:
            time.sleep(0.02)

    def test_a_daemon_that_hangs_is_lost_and_found_again(self):
        world = self.director.create_world("arena", REAL_TIME).id
        reader = self.reader()
        reader.ask(subscribe=dict(world=world, rate_hz=30))
        reader.wait_state()
        self.wait_ready(200)
        self.daemon.hang()
        try:
            began = time.monotonic()
            with self.assertRaises(Refused) as refused:
                reader.ask(list_controllers={})
            self.assertEqual(refused.exception.code, UNAVAILABLE)
            self.assertLess(time.monotonic() - began, 20)
            self.assertGreater(metric(self.relay, "troupe_relay_silent_seconds"), 5)
            self.wait_ready(503)
        finally:
            self.daemon.process.send_signal(signal.SIGCONT)
        reader.states.clear()
        reader.wait_state()
        self.wait_ready(200)
        reader.ask(list_controllers={})

    def test_browsers_read_too(self):
        world = self.director.create_world("live", REAL_TIME).id
        with self.relay.web_client() as reader:
            reader.ask(subscribe=dict(world=world, rate_hz=30))
            reader.wait_state()


class Away(unittest.TestCase):
    def test_readers_stay_while_the_daemon_restarts(self):
        with tempfile.TemporaryDirectory() as folder:
            port = quiet_port()

            def start():
                return Daemon("--listen", f"127.0.0.1:{port}", state_dir=folder + "/state")
            with Relay(port) as relay:
                with relay.client("early") as early, self.assertRaises(Refused) as refused:
                    early.ask(list_worlds={})
                self.assertEqual(refused.exception.code, UNAVAILABLE)
                with start() as daemon, daemon.client() as director:
                    relay.await_links()
                    world = director.create_world("live", REAL_TIME).id
                    reader = relay.client("reader")
                    reader.ask(subscribe=dict(world=world, rate_hz=30, events=True))
                    reader.wait_state()
                with start() as daemon, daemon.client() as director:
                    kind = state_pb2.EventKind.Value("EVENT_KIND_DESTROYED")
                    self.assertEqual(reader.wait_event(kind).kind, kind)
                    world = director.create_world("again", REAL_TIME).id
                    while True:
                        try:
                            reader.ask(subscribe=dict(world=world, rate_hz=30))
                            break
                        except Refused:  # the relay keeps an answer for a second
                            time.sleep(0.1)
                    reader.states.clear()
                    self.assertEqual(reader.wait_state().world, world)
                    reader.close()

    def test_a_restart_is_noticed_though_others_came_first(self):
        """The relay's session gets a higher number there than before, and the new world the number of the old one."""
        with tempfile.TemporaryDirectory() as folder, Daemon() as before, Proxy(before.port) as proxy:
            with Relay(proxy.port) as relay, relay.client("reader") as reader:
                relay.await_links()
                with before.client() as director:
                    world = director.create_world("before", REAL_TIME).id
                reader.ask(subscribe=dict(world=world, rate_hz=30, events=True))
                reader.wait_state()
                with Daemon(state_dir=folder + "/state") as after:
                    others = [after.client(f"other {i}") for i in range(5)]
                    self.assertEqual(others[0].create_world("after", REAL_TIME).id, world)
                    proxy.target = after.port
                    proxy.cut()
                    kind = state_pb2.EventKind.Value("EVENT_KIND_DESTROYED")
                    self.assertEqual(reader.wait_event(kind).kind, kind)
                    with self.assertRaises(Refused) as refused:
                        reader.ask(unsubscribe=dict(world=world))
                    self.assertEqual(refused.exception.code, NOT_FOUND)
                    for other in others:
                        other.close()

    def test_a_cut_connection_is_made_again_and_the_subscriptions_with_it(self):
        with Daemon() as daemon, daemon.client() as director, Proxy(daemon.port) as proxy, Relay(proxy.port) as relay:
            relay.await_links()
            world = director.create_world("live", REAL_TIME).id
            with relay.client("reader") as reader:
                reader.ask(subscribe=dict(world=world, rate_hz=30))
                reader.wait_state()
                proxy.cut()
                relay.await_links(0)
                reader.receive_for(0.2)
                before = director.state(world).tick
                reader.wait_state(lambda state: state.tick > before)


class Proxy:
    """Passes bytes on, until it cuts all connections."""

    def __init__(self, port):
        self.target, self.pairs = port, []
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                here, _ = self.listener.accept()
            except OSError:
                return
            there = socket.create_connection(("127.0.0.1", self.target))
            self.pairs.append((here, there))
            for pair in (here, there), (there, here):
                threading.Thread(target=self.pump, args=pair, daemon=True).start()

    @staticmethod
    def pump(source, sink):
        try:
            while data := source.recv(65536):
                sink.sendall(data)
        except OSError:
            pass

    def cut(self):
        for pair in self.pairs:
            for end in pair:
                try:
                    end.shutdown(socket.SHUT_RDWR)
                except OSError:
                    pass
                end.close()
        self.pairs.clear()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()
        self.cut()


class Secure(unittest.TestCase):
    def test_tls_and_a_key_upstream(self):
        with tempfile.TemporaryDirectory() as folder:
            certificate, private = f"{folder}/crt", f"{folder}/key"
            subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
                            "-nodes", "-keyout", private, "-out", certificate, "-days", "2", "-subj", "/CN=localhost",
                            "-addext", "subjectAltName=IP:127.0.0.1"], check=True, capture_output=True)
            made = subprocess.run([os.environ["TROUPED"], "--make-key", "relay", "--role", "spectator"],
                                  capture_output=True, text=True, check=True)
            with open(f"{folder}/relay.key", "w") as file:
                file.write(made.stdout)
            with open(f"{folder}/upstream.conf", "w") as file:
                file.write(f'listen = {{ tls = true; certificate = "{certificate}"; private_key = "{private}"; }};\n'
                           f"keys = ( {made.stderr.splitlines()[-1]} );\n"
                           "roles = { spectator = { subscriptions = 16; }; };\n")
            with Daemon("--config", f"{folder}/upstream.conf") as daemon:
                with open(f"{folder}/relay.conf", "w") as file:
                    file.write(f'relay = {{ upstream = "127.0.0.1:{daemon.port}"; tls = true; ca = "{certificate}"; '
                               f'key_file = "{folder}/relay.key"; }};\n')
                with Daemon("--config", f"{folder}/relay.conf", bundle=False) as relay, relay.client() as reader:
                    Relay.await_links(relay)
                    self.assertEqual(len(reader.ask(list_worlds={}).world_list.worlds), 0)
                    self.assertIn("role=spectator", daemon.log())

    def demand(self, listener, stop):
        """Daemons that ask each login for a million iterations, and then end it."""
        while not stop.is_set():
            try:
                relay, _ = listener.accept()
                relay.settimeout(TIMEOUT_S)
            except OSError:
                return
            with relay:
                challenge = session_pb2.Challenge(nonce=bytes(32), key_needed=True, mechanisms=["SCRAM-SHA-256"])
                relay.sendall(frame(envelope_pb2.ServerMessage(challenge=challenge)))
                frames, rest = [], b""
                while not frames:
                    frames, rest = take_frames(rest + relay.recv(65536))
                hello = envelope_pb2.ClientMessage.FromString(frames[0][1 + (frames[0][0] >= 0x80):])
                nonce = hello.hello.scram_first.rsplit("r=", 1)[1]
                first = f"r={nonce}more,s={base64.b64encode(bytes(16)).decode()},i=1000000"
                answer = envelope_pb2.Response(request_id=1, login_challenge=dict(scram_first=first))
                relay.sendall(frame(envelope_pb2.ServerMessage(response=answer)))
                self.proofs += bool(relay.recv(65536))

    @staticmethod
    def processor_s(path):
        with open(path) as file:
            user, system = file.read().rsplit(")", 1)[1].split()[11:13]
        return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")

    def test_a_daemon_that_asks_for_many_iterations_does_not_stop_the_readers(self):
        """The event loop's thread, on which they are served, computes none of them."""
        self.proofs, stop = 0, threading.Event()
        made = subprocess.run([os.environ["TROUPED"], "--make-key", "relay", "--role", "spectator"],
                              capture_output=True, text=True, check=True)
        with tempfile.TemporaryDirectory() as folder, socket.create_server(("127.0.0.1", 0)) as listener:
            with open(f"{folder}/relay.key", "w") as file:
                file.write(made.stdout)
            with open(f"{folder}/relay.conf", "w") as file:
                file.write(f'relay = {{ upstream = "127.0.0.1:{listener.getsockname()[1]}"; key_file = "{folder}/relay.key"; }};\n')
            threading.Thread(target=self.demand, args=(listener, stop), daemon=True).start()
            with Daemon("--config", f"{folder}/relay.conf", bundle=False) as relay:
                process = f"/proc/{relay.process.pid}"
                before = self.processor_s(f"{process}/task/{relay.process.pid}/stat"), self.processor_s(f"{process}/stat")
                while self.proofs < 3:
                    time.sleep(0.05)
                loop, all_threads = (self.processor_s(f"{process}/{path}") - used for path, used in
                                     zip((f"task/{relay.process.pid}/stat", "stat"), before))
                stop.set()
            self.assertLess(loop, all_threads / 3, all_threads)

    def test_too_few_subscriptions_end_the_relay_when_it_connects(self):
        with tempfile.TemporaryDirectory() as folder, Daemon("--anonymous", "spectator") as upstream:
            conf = f"{folder}/relay.conf"
            for setting, needed in ("", 16), ("subscriptions = 5;", 5):
                with open(conf, "w") as file:
                    file.write(f'relay = {{ upstream = "127.0.0.1:{upstream.port}"; {setting} }};\n')
                done = subprocess.run([os.environ["TROUPED"], "--config", conf, "--listen", "127.0.0.1:0", "--web-listen",
                                       "127.0.0.1:0", "--shipped", "none", "--state-dir", f"{folder}/state"],
                                      capture_output=True, text=True, timeout=TIMEOUT_S)
                self.assertNotEqual(done.returncode, 0)
                self.assertIn(f"relay: no key: allows 4 subscriptions at 127.0.0.1:{upstream.port}; expected at least {needed} "
                              "(relay.subscriptions): raise 'subscriptions' of the role of 'anonymous' there, or lower "
                              "relay.subscriptions here", done.stderr)
            for enough in 4, 0:
                with open(conf, "w") as file:
                    file.write(f'relay = {{ upstream = "127.0.0.1:{upstream.port}"; subscriptions = {enough}; }};\n')
                with Daemon("--config", conf, bundle=False) as relay:
                    Relay.await_links(relay)

    def test_a_relay_without_a_key_file_does_not_start(self):
        with tempfile.NamedTemporaryFile("w") as file:
            file.write('relay = { upstream = "127.0.0.1:7400"; key_file = "/nowhere/key"; };\n')
            file.flush()
            with self.assertRaisesRegex(RuntimeError, "relay.key_file /nowhere/key: No such file"):
                Daemon("--config", file.name, bundle=False)


if __name__ == "__main__":
    unittest.main()
