"""Accounts: keys and their proofs, the messages that each role may send, limits, lockout, TLS, the configuration and its
reload. Prints the number of messages and guesses tried."""

import base64
import hashlib
import hmac
import os
import secrets
import signal
import socket
import subprocess
import tempfile
import time
import unittest

from harness import *
from troupe import command_pb2, match_pb2

UNAUTHENTICATED = session_pb2.STATUS_CODE_UNAUTHENTICATED
PERMISSION_DENIED = session_pb2.STATUS_CODE_PERMISSION_DENIED
ROLES = ("spectator", "player", "director", "admin")


def mac(key, text):
    return hmac.new(key, text, hashlib.sha256).digest()


class Key:
    """A key made here by RFC 5802, not by the daemon's code."""

    def __init__(self, name, secret=None):
        self.name = name
        self.secret = secret or secrets.token_bytes(48)
        self.password = base64.urlsafe_b64encode(self.secret)
        self.salt = secrets.token_bytes(16)
        self.client_key, self.server_key = self.derive(self.salt, 4096)
        self.stored = hashlib.sha256(self.client_key).digest()

    def derive(self, salt, iterations):
        salted = hashlib.pbkdf2_hmac("sha256", self.password, salt, iterations)
        return mac(salted, b"Client Key"), mac(salted, b"Server Key")

    def text(self):
        return f"{self.name}.{self.password.decode()}"

    def hash(self):
        salt, stored, server = (base64.b64encode(part).decode() for part in (self.salt, self.stored, self.server_key))
        return f"SCRAM-SHA-256$4096:{salt}${stored}:{server}"

    def row(self, role, expires=None, hash=None):
        more = f' expires = "{expires}";' if expires else ""
        return f'{{ name = "{self.name}"; role = "{role}"; hash = "{hash or self.hash()}";{more} }}'


class Login:
    """One exchange of SCRAM. binding: what the header says, and the bytes it binds to."""

    def __init__(self, key, header="n,,", binding=b""):
        self.key, self.header, self.binding = key, header, binding
        self.bare = f"n={key.name},r={secrets.token_urlsafe(18)}"
        self.first = header + self.bare

    def final(self, server_first, proof=None):
        """proof: the bytes, or a function of AuthMessage that makes them."""
        fields = dict(part.split("=", 1) for part in server_first.split(","))
        client_key, server_key = self.key.derive(base64.b64decode(fields["s"]), int(fields["i"]))
        bare = f"c={base64.b64encode(self.header.encode() + self.binding).decode()},r={fields['r']}"
        message = f"{self.bare},{server_first},{bare}".encode()
        self.signature = mac(server_key, message)
        if proof is None:
            pad = mac(hashlib.sha256(client_key).digest(), message)
            proof = bytes(a ^ b for a, b in zip(client_key, pad))
        elif callable(proof):
            proof = proof(message)
        return f"{bare},p={base64.b64encode(proof).decode()}"

    def is_proved(self, server_final):
        return server_final == f"v={base64.b64encode(self.signature).decode()}"


def configuration(rows, more=""):
    return "keys = (\n  " + ",\n  ".join(rows) + "\n);\n" + more


class Guarded:
    """A daemon with a configuration file, and a web port if asked; `with Guarded(text) as guarded`."""

    def __init__(self, text, *options, web=False, state_dir=None):
        self.directory = tempfile.TemporaryDirectory(prefix="troupe-conf-")
        self.path = os.path.join(self.directory.name, "trouped.conf")
        self.write(text)
        web_options = () if web else ("--web-listen", "none")
        self.daemon = Daemon("--config", self.path, *web_options, *options, state_dir=state_dir)

    def write(self, text):
        with open(self.path, "w") as file:
            file.write(text)

    def reload(self, text, event):
        """Writes a new file and waits for what the daemon says of it."""
        before = self.daemon.log().count(event)
        self.write(text)
        self.daemon.process.send_signal(signal.SIGHUP)
        deadline = time.monotonic() + TIMEOUT_S
        while self.daemon.log().count(event) == before:
            if time.monotonic() > deadline:
                raise AssertionError(f"no {event}:\n{self.daemon.log()[-2000:]}")
            time.sleep(0.01)

    def connect(self, key=None, name="test"):
        return log_in(Client(self.daemon.port, hello=False), key, name)

    def __enter__(self):
        return self

    def __exit__(self, *what):
        self.daemon.__exit__(*what)
        self.directory.cleanup()


def challenge(client):
    message = client.receive()
    assert message.WhichOneof("message") == "challenge", message
    return message.challenge


def log_in(client, key=None, name="test", proof=None, header="n,,", binding=b""):
    challenge(client)
    fields = dict(protocol_major=1, protocol_minor=1, client_name=name)
    if key is None:
        client.role = client.ask(hello=fields).hello.role
        return client
    login = Login(key, header, binding)
    server_first = client.ask(hello=dict(scram_first=login.first, **fields)).login_challenge.scram_first
    result = client.ask(authenticate=dict(scram_final=login.final(server_first, proof))).hello
    assert login.is_proved(result.scram_final), result
    client.role = result.role
    return client


class Logins(unittest.TestCase):
    def setUp(self):
        self.keys = {role: Key(role) for role in ROLES}
        self.old = Key("old")
        rows = [key.row(role) for role, key in self.keys.items()] + [self.old.row("player", "2020-01-01")]
        self.text = configuration(rows)
        self.guarded = Guarded(self.text)
        self.addCleanup(self.guarded.__exit__, None, None, None)

    def refused(self, code, key, proof=None):
        client = Client(self.guarded.daemon.port, hello=False)
        with self.assertRaises(Refused) as caught:
            log_in(client, key, proof=proof)
        self.assertEqual(caught.exception.code, code, caught.exception)
        goodbye = client.receive_until_closed()
        self.assertEqual(goodbye.code, code)
        return caught.exception.response.message

    def refused_or_locked_out(self, key, proof):
        with self.assertRaises(Refused) as caught:
            log_in(Client(self.guarded.daemon.port, hello=False), key, proof=proof)
        self.assertIn(caught.exception.code, (UNAUTHENTICATED, RESOURCE_EXHAUSTED))

    def test_each_key_has_its_role(self):
        for number, role in enumerate(ROLES, 1):
            self.assertEqual(self.guarded.connect(self.keys[role]).role, number)

    def test_without_a_key(self):
        client = Client(self.guarded.daemon.port, hello=False)
        self.assertTrue(client.receive().challenge.key_needed)
        self.assertIn("key", self.refused(UNAUTHENTICATED, None))

    def test_wrong_keys(self):
        right = self.keys["player"]
        self.refused(UNAUTHENTICATED, Key("nobody"))
        self.refused(UNAUTHENTICATED, Key("player"))  # of another daemon, under the same name
        self.refused(UNAUTHENTICATED, right, proof=b"")
        self.refused(UNAUTHENTICATED, right, proof=bytes(32))
        self.assertIn("expired", self.refused(UNAUTHENTICATED, self.old))

    def test_the_log_names_the_key_that_was_tried(self):
        for name in ("nobody", 'a" reason="x\nts=1', "n" * 47):
            self.refused(UNAUTHENTICATED, Key(name), proof=bytes(32))
        lines = [line for line in self.guarded.daemon.log().splitlines() if "event=session.refused" in line]
        keys = [line.split(" key=")[1].split(" reason=\"this daemon")[0] for line in lines]
        self.assertEqual(keys, ['"nobody"', "\"a' reason='x?ts=1\"", '"' + "n" * 47 + '"'])

    def test_a_recorded_login_does_not_log_in(self):
        login = Login(self.keys["admin"])
        hello = envelope_pb2.ClientMessage(request_id=1, hello=dict(protocol_major=1, client_name="x", scram_first=login.first))
        client = Client(self.guarded.daemon.port, hello=False)
        client.send_bytes(frame(hello))
        final = login.final(client.wait(1).login_challenge.scram_first)
        authenticate = envelope_pb2.ClientMessage(request_id=2, authenticate=dict(scram_final=final))
        client.send_bytes(frame(authenticate))
        self.assertEqual(client.wait(2).hello.role, session_pb2.ROLE_ADMIN)
        thief = Client(self.guarded.daemon.port, hello=False)
        thief.send_bytes(frame(hello) + frame(authenticate))
        with self.assertRaises(Refused) as caught:
            thief.wait(2)
        self.assertEqual(caught.exception.code, UNAUTHENTICATED)

    def test_clients_from_before_scram_are_asked_to_update(self):
        client = Client(self.guarded.daemon.port, hello=False)
        self.assertEqual(len(challenge(client).nonce), 32)
        with self.assertRaises(Refused) as caught:
            client.ask(hello=dict(protocol_major=1, protocol_minor=1, client_name="x", key_name="admin", key_proof=bytes(32)))
        self.assertEqual(caught.exception.code, UNAUTHENTICATED)
        self.assertIn("update the client", caught.exception.response.message)
        self.assertIn("update the client", client.receive_until_closed().reason)

    def test_the_steps_of_a_login_come_in_their_order(self):
        login = Login(self.keys["admin"])
        hello = dict(protocol_major=1, client_name="x", scram_first=login.first)
        for requests in ([dict(authenticate=dict(scram_final="c=biws"))], [dict(hello=hello), dict(hello=hello)],
                         [dict(hello=hello), dict(ping={})], [dict(hello=hello), dict(create_world=dict(name="w"))]):
            client = Client(self.guarded.daemon.port, hello=False)
            with self.assertRaises(Refused) as caught:
                for request in requests:
                    client.ask(**request)
            self.assertEqual(caught.exception.code, FAILED_PRECONDITION)
            self.assertEqual(client.receive_until_closed().code, FAILED_PRECONDITION)
        admin = self.guarded.connect(self.keys["admin"])
        with self.assertRaises(Refused) as caught:
            admin.ask(authenticate=dict(scram_final="c=biws"))
        self.assertEqual(caught.exception.code, FAILED_PRECONDITION)
        admin.ask(ping={})

    def test_unknown_names_are_challenged_like_others(self):
        def ask(name):
            client = Client(self.guarded.daemon.port, hello=False)
            hello = dict(protocol_major=1, client_name="x", scram_first=f"n,,n={name},r=x")
            return client.ask(hello=hello).login_challenge.scram_first
        self.assertEqual(len(ask("admin")), len(ask("nobody")))
        self.assertEqual(ask("nobody").split(",")[1:], ask("nobody").split(",")[1:])

    def test_the_stored_hash_is_no_key(self):
        """A reader of the configuration cannot log in with what is stored there."""
        key = self.keys["admin"]
        for known in key.stored, key.server_key, mac(key.stored, b"Client Key"):
            for forged in (known, lambda message: mac(key.stored, message),
                           lambda message: bytes(a ^ b for a, b in zip(known, mac(key.stored, message)))):
                self.refused_or_locked_out(key, proof=forged)

    def test_one_frame_of_16_kib(self):
        client = Client(self.guarded.daemon.port, hello=False)
        client.send_bytes(varint(16 * 1024 + 1))
        self.assertEqual(client.receive_until_closed().code, INVALID_ARGUMENT)

    def test_little_is_said_before_login(self):
        client = socket.create_connection(("127.0.0.1", self.guarded.daemon.port))
        client.settimeout(TIMEOUT_S)
        said = 0
        while data := client.recv(65536):  # until the three seconds are over
            said += len(data)
        self.assertLess(said, 16 * 1024)

    def test_guessers_are_locked_out_and_the_holder_is_not(self):
        wrong = Key("player")
        codes = []
        for _ in range(12):
            with self.assertRaises(Refused) as caught:
                log_in(Client(self.guarded.daemon.port, hello=False), wrong)
            codes.append(caught.exception.code)
        self.assertEqual(codes, [UNAUTHENTICATED] * 5 + [RESOURCE_EXHAUSTED] * 7)
        self.assertEqual(self.guarded.connect(self.keys["player"]).role, session_pb2.ROLE_PLAYER)

    def test_withdrawn_and_changed_keys_end_their_sessions(self):
        player, director = self.guarded.connect(self.keys["player"]), self.guarded.connect(self.keys["director"])
        rows = [self.keys["director"].row("spectator"), self.keys["admin"].row("admin")]
        self.guarded.reload(configuration(rows), "config.reloaded")
        self.assertEqual(player.receive_until_closed().code, UNAUTHENTICATED)
        with self.assertRaises(Refused) as caught:
            director.create_world("mine")
        self.assertEqual(caught.exception.code, PERMISSION_DENIED)
        self.refused(UNAUTHENTICATED, self.keys["player"])

    def test_a_key_that_expires_ends_its_sessions(self):
        """A session that only watches a world ends too."""
        key, end = Key("guest"), time.time() + 5
        expires = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(end))
        self.guarded.reload(configuration([self.keys["player"].row("player"), key.row("spectator", expires)]), "config.reloaded")
        other, guest = self.guarded.connect(self.keys["player"]), self.guarded.connect(key)
        goodbye = guest.receive_until_closed()
        self.assertEqual((goodbye.code, goodbye.reason), (UNAUTHENTICATED, "the key has expired"))
        self.assertGreater(time.time(), end - 1)
        other.ask(ping={})

    def test_a_bad_reload_changes_nothing(self):
        player = self.guarded.connect(self.keys["player"])
        for bad in ("nonsense = 1;\n", self.text + "threads = 1000;\n", self.text + "threads = 1;\n", "keys = (",
                    self.text + "log = { level = 3; };\n"):
            self.guarded.reload(bad, "config.refused")
        player.ask(ping={})
        self.guarded.connect(self.keys["admin"]).ask(ping={})
        self.assertIn("trouped.conf:1: nonsense: no such setting", self.guarded.daemon.log())


    def test_an_emptied_configuration_is_not_loaded(self):
        for emptied in "", "# keys\n", "keys = ();\n":
            self.guarded.reload(emptied, "config.refused")
            self.refused(UNAUTHENTICATED, None)
        self.guarded.reload('anonymous = "spectator";\n', "config.reloaded")
        self.assertEqual(self.guarded.connect().role, session_pb2.ROLE_SPECTATOR)
        self.guarded.reload("", "config.refused")
        self.assertEqual(self.guarded.connect().role, session_pb2.ROLE_SPECTATOR)


class ManyGuesses(unittest.TestCase):
    def test_guesses_over_the_wire(self):
        """Fifty connections at a time; the holder comes in all the while. tests/unit/server/access/gate.c tries
        100,000."""
        key = Key("holder")
        tries = int(os.environ.get("TROUPE_GUESSES", "1000"))
        with Guarded(configuration([key.row("player")])) as guarded:
            done = counted = 0
            before = guarded.daemon.memory_kb()
            began = time.monotonic()
            while done < tries:
                clients = [Client(guarded.daemon.port, hello=False) for _ in range(50)]
                for client in clients:
                    login = Login(key)
                    client.send(hello=dict(protocol_major=1, client_name="x", scram_first=login.first))
                    first = client.wait(1).login_challenge.scram_first
                    guess = first.split(",")[0] + ",p=" + base64.b64encode(secrets.token_bytes(32)).decode()
                    client.send(authenticate=dict(scram_final="c=biws," + guess))
                for client in clients:
                    client.receive_until_closed()
                    response = client.responses[2]
                    self.assertIn(response.code, (UNAUTHENTICATED, RESOURCE_EXHAUSTED))
                    counted += response.code == UNAUTHENTICATED
                    client.close()
                done += 50
                if done % 500 == 0:
                    guarded.connect(key).close()
            minutes = 1 + (time.monotonic() - began) / 60
            self.assertLess(counted, 5 + 5 * minutes)
            self.assertLess(guarded.daemon.memory_kb() - before, 5 * 1024)
            print(f"guesses over the wire: {done}, of which {counted} before the lock; the holder came in {done // 500} times")


class Permissions(unittest.TestCase):
    """A client without the right to send a message changes nothing; every message of the schema is tried."""

    # The lowest role that may send it; commands: on anything. Requests that are not listed are for the admin alone.
    REQUESTS = {
        "ping": 1, "list_models": 1, "get_model": 1, "list_clips": 1, "get_clip": 1, "list_runs": 1, "get_run": 1,
        "list_controllers": 1, "get_controller": 1, "get_lineage": 1, "list_worlds": 1, "get_world": 1, "subscribe": 1,
        "unsubscribe": 1, "get_state": 1, "create_world": 3, "destroy_world": 3, "claim_world": 3, "command": 2, "start_match": 3,
        "cancel_match": 3, "remove_match": 3, "upload_recording": 3, "delete_recording": 3, "replay": 3,
    }
    COMMANDS = {
        "spawn_character": 2, "spawn_object": 3, "despawn": 3, "set_controller": 3, "set_limp": 3, "set_offset": 3, "set_fragment": 3, "set_parameters": 3,
        "steer": 3, "push": 3, "throw": 3, "pause": 3, "resume": 3, "set_rate": 3, "mark": 3, "reset": 3, "snapshot": 3,
        "restore": 3, "join": 2, "leave": 2, "remove_stepper": 3, "step": 2, "advance": 2, "start_recording": 3, "stop_recording": 3,
        "seek": 3, "set_loop": 3, "verify": 3, "carry": 3, "hold": 3, "add_scenery": 3, "remove_scenery": 3,
    }

    @classmethod
    def setUpClass(cls):
        cls.keys = {role: Key(role) for role in ROLES}
        cls.keys["other"] = Key("other")
        rows = [cls.keys[role].row(role) for role in ROLES] + [cls.keys["other"].row("player")]
        cls.guarded = Guarded(configuration(rows, "roles = { spectator = { requests_per_s = 0; }; };\n"))
        cls.director = cls.guarded.connect(cls.keys["director"])
        cls.world = cls.director.create_world("stage", REAL_TIME, paused=True).id
        cls.entity = cls.director.spawn(cls.world)

    @classmethod
    def tearDownClass(cls):
        cls.guarded.__exit__(None, None, None)

    def look(self):
        state = self.director.state(self.world, state_pb2.STATE_FIELD_HASH | state_pb2.STATE_FIELD_OBJECTS)
        worlds = self.director.ask(list_worlds={}).world_list.worlds
        return state.hash, state.tick, [(w.name, w.paused, w.character_count, w.object_count, w.stepper_count,
                                         w.pending_commands, w.rate) for w in worlds]

    def every_request(self):
        for field in envelope_pb2.ClientMessage.DESCRIPTOR.oneofs_by_name["request"].fields:
            if field.name == "command":
                continue
            message = envelope_pb2.ClientMessage()
            part = getattr(message, field.name)
            part.SetInParent()
            for name, value in (("world", self.world), ("name", "new"), ("id", 1)):
                if name in part.DESCRIPTOR.fields_by_name:
                    try:
                        setattr(part, name, value)
                    except (TypeError, AttributeError):
                        pass
            yield field.name, message

    def every_command(self):
        for field in command_pb2.Command.DESCRIPTOR.oneofs_by_name["command"].fields:
            message = envelope_pb2.ClientMessage()
            message.command.world = self.world
            part = getattr(message.command, field.name)
            part.SetInParent()
            if "entity" in part.DESCRIPTOR.fields_by_name:
                part.entity = self.entity
            if field.name == "spawn_character":
                part.controller = "hold"
            if field.name == "set_rate":
                part.rate = 2
            if field.name == "step":
                part.count = 1
            if field.name == "set_limp":
                part.limp = True
            if field.name == "set_parameters":
                part.parameters.add(name="action_offset")
            if field.name == "carry":
                part.travel.duration_s = 1
            if field.name == "hold":
                part.object = self.entity
            if field.name == "add_scenery":
                part.scenery.patch = True
                part.scenery.size.x = part.scenery.size.y = 1
            if field.name == "push":
                part.force.y, part.duration_s = 100, 0.1
            yield field.name, message

    def send(self, client, message):
        message.request_id = client.next_id
        client.next_id += 1
        client.send_bytes(frame(message))
        try:
            return client.wait(message.request_id).code
        except Refused as refusal:
            return refusal.code

    def test_before_login(self):
        tried = 0
        before = self.look()
        for name, message in [*self.every_request(), *self.every_command()]:
            if name == "hello":
                continue
            client = Client(self.guarded.daemon.port, hello=False)
            self.assertEqual(self.send(client, message), FAILED_PRECONDITION, name)
            self.assertEqual(client.receive_until_closed().code, FAILED_PRECONDITION)
            tried += 1
        self.assertEqual(self.look(), before)
        print(f"messages tried without login: {tried}")

    def test_by_each_wrong_role(self):
        tried = 0
        before = self.look()
        for number, role in enumerate(ROLES[:3], 1):
            client = self.guarded.connect(self.keys[role])
            for name, message in self.every_request():
                if name != "hello" and number < self.REQUESTS.get(name, 4) and name in self.REQUESTS:
                    self.assertEqual(self.send(client, message), PERMISSION_DENIED, (role, name))
                    tried += 1
            for name, message in self.every_command():
                if number < self.COMMANDS.get(name, 4) and name in self.COMMANDS:
                    self.assertEqual(self.send(client, message), PERMISSION_DENIED, (role, name))
                    tried += 1
                elif number == 2 and name in ("join", "leave", "step", "advance"):  # not the time of a world in real time
                    self.assertEqual(self.send(client, message), PERMISSION_DENIED, (role, name))
                    tried += 1
        self.assertEqual(self.look(), before)
        print(f"messages tried by a wrong role: {tried}")

    def test_a_player_moves_only_its_own(self):
        one, other = self.guarded.connect(self.keys["player"]), self.guarded.connect(self.keys["other"])
        world = self.director.create_world("arena", STEPPED).id
        mine = one.spawn(world)
        acts = (dict(push=dict(entity=mine, force=dict(y=50), duration_s=0.1)), dict(set_limp=dict(entity=mine, limp=False)),
                dict(set_controller=dict(entity=mine, controller="hold")), dict(set_fragment=dict(entity=mine, fragment=1)),
                dict(despawn=dict(entity=mine)))
        for act in acts:
            for command in (act, dict(advance=dict(orders=[act]))):
                with self.assertRaises(Refused) as caught:
                    other.command(world, **command)
                self.assertEqual(caught.exception.code, PERMISSION_DENIED)
        with self.assertRaises(Refused) as caught:  # what no player may do cannot be smuggled in either
            one.command(world, advance=dict(orders=[acts[0], dict(throw=dict(entity=mine))]))
        self.assertEqual(caught.exception.code, PERMISSION_DENIED)
        self.assertEqual(self.director.state(world).tick, 0)
        self.assertFalse(one.command(world, advance=dict(orders=list(acts[:4]))).HasField("refused"))
        one.command(world, leave={})
        again = self.guarded.connect(self.keys["player"])  # the same key, another session
        for act in acts:
            again.command(world, **act)
        self.director.ask(destroy_world=dict(world=world))

    def test_ownership_outlives_reset_and_restore(self):
        one, other = self.guarded.connect(self.keys["player"]), self.guarded.connect(self.keys["other"])
        world = self.director.create_world("arena", STEPPED).id
        mine = one.spawn(world)
        data = self.director.command(world, snapshot={}).data
        limp = dict(set_limp=dict(entity=mine, limp=True))
        for back in (dict(reset={}), dict(restore=dict(data=data))):
            self.director.command(world, **back)
            with self.assertRaises(Refused) as caught:
                other.command(world, **limp)
            self.assertEqual(caught.exception.code, PERMISSION_DENIED)
            one.command(world, **limp)
        self.director.ask(destroy_world=dict(world=world))


class Matches(unittest.TestCase):
    """Hosted matches on a daemon with keys: which client commands a team, and which owns the world."""

    @staticmethod
    def match(name, mode):
        stepped = mode == match_pb2.MATCH_MODE_STEPPED
        teams = [dict(name=team, members=[dict(controller="hold", pos=dict(x=x))], external=stepped)
                 for team, x in (("red", -3), ("blue", 3))]
        return dict(match=dict(name=name, rule="last_standing", bouts=1, time_limit_s=60, seed=7, mode=mode, teams=teams))

    def test_players_command_their_teams(self):
        boss, red, blue = Key("boss"), Key("red"), Key("blue")
        with Guarded(configuration([boss.row("director"), red.row("player"), blue.row("player")])) as guarded:
            director = guarded.connect(boss)
            info = director.ask(start_match=self.match("duel", match_pb2.MATCH_MODE_STEPPED)).match
            players = [guarded.connect(key) for key in (red, blue)]
            entities = {c.label: c.entity for c in director.state(info.world).characters}
            mine, other = entities["red 1"], entities["blue 1"]
            limp = lambda entity: dict(set_limp=dict(entity=entity, limp=True))
            with self.assertRaises(Refused) as caught:
                players[0].command(info.world, **limp(mine))
            self.assertEqual(caught.exception.code, PERMISSION_DENIED)
            for order, player in enumerate(players, 1):
                player.command(info.world, join=dict(order=order))
            asked = players[0].send_command(info.world, **limp(mine))
            steps = [player.send_command(info.world, step=dict(count=1)) for player in players]
            self.assertEqual(players[0].wait(asked).code, OK)
            for player, step in zip(players, steps):
                player.wait(step)
            with self.assertRaises(Refused) as caught:
                players[0].command(info.world, **limp(other))
            self.assertEqual(caught.exception.code, PERMISSION_DENIED)

    def test_a_hosted_match_is_one_of_its_makers_worlds(self):
        boss = Key("boss")
        roles = "roles = { director = { worlds = 1; }; };\n"
        with Guarded(configuration([boss.row("director")], roles)) as guarded:
            director = guarded.connect(boss)
            real_time = match_pb2.MATCH_MODE_REAL_TIME
            requests = [director.send(start_match=self.match(f"m{i}", real_time)) for i in range(2)]
            self.assertEqual(director.wait(requests[0]).code, OK)
            for act in (lambda: director.wait(requests[1]), lambda: director.create_world("w")):
                with self.assertRaises(Refused) as caught:
                    act()
                self.assertEqual(caught.exception.code, RESOURCE_EXHAUSTED)
                self.assertIn("worlds", caught.exception.response.message)
            director.ask(cancel_match=dict(name="m0"))
            director.create_world("w")

    def test_a_match_that_a_restart_interrupted_is_ended_by_any_director(self):
        keys = dict(maker=Key("maker"), other=Key("other"), player=Key("player"), spectator=Key("spectator"))
        text = configuration([keys["maker"].row("director"), keys["other"].row("director"),
                              keys["player"].row("player"), keys["spectator"].row("spectator")])
        waiting = self.match("waiting", match_pb2.MATCH_MODE_STEPPED)
        with Guarded(text) as first:
            first.connect(keys["maker"]).ask(start_match=waiting)
            first.daemon.process.kill()
            first.daemon.process.wait()
            first.daemon.process.returncode = 0
            with Guarded(text, state_dir=first.daemon.state_dir) as again:
                director = again.connect(keys["other"])
                deadline, worlds = time.monotonic() + TIMEOUT_S, []
                while not worlds and time.monotonic() < deadline:
                    worlds = [w.name for w in director.ask(list_worlds={}).world_list.worlds]
                self.assertEqual(worlds, ["waiting"])
                for role in ("player", "spectator"):
                    with self.assertRaises(Refused) as caught:
                        again.connect(keys[role]).ask(cancel_match=dict(name="waiting"))
                    self.assertEqual(caught.exception.code, PERMISSION_DENIED)
                ended = director.ask(cancel_match=dict(name="waiting")).match
                self.assertEqual(ended.state, match_pb2.MATCH_STATE_CANCELLED)
                self.assertEqual(len(director.ask(list_worlds={}).world_list.worlds), 0)


class Limits(unittest.TestCase):
    def exhausted(self, name, act):
        with self.assertRaises(Refused) as caught:
            act()
        self.assertEqual(caught.exception.code, RESOURCE_EXHAUSTED, caught.exception)
        self.assertIn(name, caught.exception.response.message)

    def test_each_limit_is_named(self):
        key, boss = Key("player"), Key("boss")
        roles = """roles = {
          player = { characters = 2; subscriptions = 1; requests_per_s = 20; bytes_per_s = 0; };
          director = { worlds = 2; bytes_per_s = 4000; };
        };"""
        with Guarded(configuration([key.row("player"), boss.row("director")], roles)) as guarded:
            director = guarded.connect(boss)
            worlds = [director.create_world(f"w{i}", REAL_TIME, paused=True).id for i in range(2)]
            self.exhausted("worlds", lambda: guarded.connect(boss).create_world("w2"))
            director.ask(destroy_world=dict(world=worlds[1]))
            worlds[1] = director.create_world("w3", REAL_TIME, paused=True).id

            player = guarded.connect(key)
            first = player.spawn(worlds[0])
            player.spawn(worlds[1])
            self.exhausted("characters", lambda: player.spawn(worlds[0]))
            self.exhausted("characters", lambda: guarded.connect(key).spawn(worlds[0]))
            player.command(worlds[0], despawn=dict(entity=first))
            ids = [player.send_command(worlds[0], spawn_character=dict(controller="hold")) for _ in range(4)]
            codes = []
            for request in ids:
                try:
                    codes.append(player.wait(request).code)
                except Refused as refusal:
                    codes.append(refusal.code)
            self.assertEqual(codes, [OK] + [RESOURCE_EXHAUSTED] * 3)

            player.ask(subscribe=dict(world=worlds[0], rate_hz=10))
            self.exhausted("subscriptions", lambda: guarded.connect(key).ask(subscribe=dict(world=worlds[1])))
            player.ask(unsubscribe=dict(world=worlds[0]))

            def flood(client, **fields):
                """All at once, so that no machine is too slow for it."""
                refusal = None
                for request in [client.send(ping=fields) for _ in range(200)]:
                    try:
                        client.wait(request)
                    except Refused as refused:
                        refusal = refused
                if refusal:
                    raise refusal
            self.exhausted("requests_per_s", lambda: flood(player))
            time.sleep(0.3)
            player.ask(ping={})

            self.exhausted("bytes_per_s", lambda: flood(director, payload=b"x" * 60))
            time.sleep(0.3)
            director.ask(ping={})

    def test_bytes_sent_are_limited_by_rate_and_nothing_is_refused(self):
        key, boss = Key("watcher"), Key("boss")
        roles = "roles = { spectator = { requests_per_s = 0; sent_bytes_per_s = 20000; }; };\n"
        with Guarded(configuration([key.row("spectator"), boss.row("director")], roles)) as guarded:
            director = guarded.connect(boss)
            world = director.create_world("arena", REAL_TIME).id
            for i in range(4):
                director.spawn(world, x=3.0 * i)
            watchers = [guarded.connect(key) for _ in range(2)]  # one key: one limit
            began = time.monotonic()
            for watcher in watchers:
                watcher.ask(subscribe=dict(world=world, rate_hz=100, fields=127))
            states = []
            while time.monotonic() < began + 2.5:
                states += [watcher.wait_state() for watcher in watchers]
            elapsed = time.monotonic() - began
            sent = sum(state.ByteSize() for state in states)
            self.assertLess(sent, 20000 * (1 + elapsed) + 2 * states[0].ByteSize())
            self.assertGreater(sent, 20000)
            self.assertGreater(states[-1].dropped_states, 0)
            self.assertGreater(states[-1].tick - states[0].tick, 20)  # of 500, where all keep pace
            watchers[0].ask(ping={})  # later than otherwise, and not refused
            for watcher in watchers:
                watcher.ask(unsubscribe=dict(world=world))


def certificate(directory, name="daemon"):
    """A self-signed certificate for 127.0.0.1; its files."""
    path = os.path.join(directory, name)
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
                    "-keyout", path + ".key", "-out", path + ".crt", "-days", "2", "-subj", f"/CN={name}",
                    "-addext", "subjectAltName=IP:127.0.0.1,DNS:localhost"], check=True, capture_output=True)
    return path + ".crt", path + ".key"


if __name__ == "__main__":
    unittest.main()
