"""Every request and command of the schema can be made, and says what it was given."""

import unittest

from troupe import command_pb2, envelope_pb2, matches, requests
from troupe.replies import Mode, Noun
from troupe.wire import Request

DUEL = matches.match(
    "duel",
    [matches.team("red", [matches.member("walk", (-3, 0))]), matches.team("blue", [matches.member("run", (3, 0, 1), 3.0)])],
    "sumo",
    bouts=100,
    seed=7,
    parameters={"radius_m": 3.0},
)

ARGUMENTS = {
    "hello": ("me",),
    "authenticate": ("c=biws",),
    "add_bundle": (0, b"part", True),
    "get_model": ("humanoid",),
    "get_clip": ("clip",),
    "get_run": ("run",),
    "get_controller": ("walk",),
    "get_lineage": (Noun.CONTROLLER, "walk"),
    "get_certificate": ("walk",),
    "create_world": ("yard", Mode.STEPPED),
    "set_controller": (1, 2, "run"),
    "set_fragment": (1, 2, 3),
    "set_limp": (1, 2),
    "set_offset": (1, 2, [0.1, 0.2]),
    "set_parameters": (1, 2, {"speed": 1.5, "action_offset": []}),
    "steer": (1, 2),
    "push": (1, 2, (0, 1, 0), 0.2),
    "throw": (1, 2, (0, 1, 0)),
    "spawn_object": (1, [requests.sphere(0.1), requests.box((1, 1, 1)), requests.capsule(0.1, 1)]),
    "carry": (1, 2, (0, 0, 3), 4.0),
    "hold": (1, 2, 3),
    "add_scenery": (1, requests.scenery(size=(1, 1, 0.1))),
    "remove_scenery": (1, 2),
    "despawn": (1, 2),
    "set_rate": (1, 2.0),
    "restore": (1, b"snapshot"),
    "start_recording": (1, "monday"),
    "get_recording": ("monday",),
    "list_recordings": (),
    "download_recording": ("monday",),
    "upload_recording": ("monday", 0, b"part", True),
    "delete_recording": ("monday",),
    "replay": ("monday", "again"),
    "seek": (1, 100),
    "start_match": (DUEL,),
    "list_matches": (),
    "get_match": ("duel",),
    "watch_match": ("duel",),
    "unwatch_match": ("duel",),
    "cancel_match": ("duel",),
    "remove_match": ("duel",),
    "record_bout": ("duel", 3, "third"),
    "start_training": ("jog.bvh", "jog"),
    "list_trainings": (),
    "stop_training": ("jog",),
    "list_models": (),
    "list_clips": (),
    "list_runs": (),
    "list_controllers": (),
    "list_worlds": (),
    "ping": (),
}


def parsed(request):
    message = envelope_pb2.ClientMessage()
    message.ParseFromString(request.body)
    return message


class Schema(unittest.TestCase):
    def made(self, name):
        request = getattr(requests, name)(*ARGUMENTS.get(name, (1,)))
        self.assertIsInstance(request, Request)
        return parsed(request)

    def test_every_request(self):
        for field in envelope_pb2.ClientMessage.DESCRIPTOR.oneofs_by_name["request"].fields:
            if field.name != "command":
                self.assertEqual(self.made(field.name).WhichOneof("request"), field.name)

    def test_every_command(self):
        for field in command_pb2.Command.DESCRIPTOR.oneofs_by_name["command"].fields:
            message = self.made(field.name)
            self.assertEqual(message.command.WhichOneof("command"), field.name)
            self.assertEqual(message.command.world, 1)


class Content(unittest.TestCase):
    def test_zero_is_sent_and_none_is_not(self):
        """The daemon refuses a zero; what is left out is its default."""
        makes = (
            (lambda **more: parsed(requests.create_world("yard", **more)).create_world, ("rate", "step_s")),
            (lambda **more: parsed(requests.replay("monday", "again", **more)).replay, ("rate",)),
            (lambda **more: matches.match("duel", DUEL.teams, "sumo", **more), ("rate", "step_s")),
            (lambda **more: parsed(requests.spawn_object(1, [requests.sphere(1)], **more)).command.spawn_object,
             ("mass", "density")),
        )
        for make, names in makes:
            for name in names:
                self.assertFalse(make().HasField(name))
                self.assertFalse(make(**{name: None}).HasField(name))
                self.assertTrue(make(**{name: 0}).HasField(name))
        self.assertTrue(parsed(requests.step(1, 0)).command.step.HasField("count"))
        self.assertTrue(parsed(requests.advance(1, 0)).command.advance.HasField("count"))

    def test_advance(self):
        push, offset = requests.push(3, 2, (0, 1, 0), 0.2), requests.set_offset(3, 2, [0.1, -0.2])
        command = parsed(requests.advance(3, 20, [push, offset, requests.set_fragment(3, 300, 2, mirrored=True)], 3)).command
        self.assertEqual((command.world, command.at_tick), (3, 0))
        self.assertEqual((command.advance.count, command.advance.fields), (20, 3))
        orders = command.advance.orders
        self.assertEqual([order.WhichOneof("command") for order in orders], ["push", "set_offset", "set_fragment"])
        self.assertEqual(orders[0].push, parsed(push).command.push)
        self.assertEqual(list(orders[1].set_offset.offset), [0.1, -0.2])
        self.assertEqual((orders[2].set_fragment.entity, orders[2].set_fragment.mirrored), (300, True))

    def test_a_command_by_hand_is_what_protobuf_writes(self):
        for at_tick in (0, 400, -1):
            command = command_pb2.Command(world=257, at_tick=at_tick, set_offset=dict(entity=65537, offset=[0.5] * 17))
            written = envelope_pb2.ClientMessage(command=command).SerializeToString()
            self.assertEqual(requests.set_offset(257, 65537, [0.5] * 17, at_tick=at_tick).body, written)

    def test_spawn(self):
        request = requests.spawn_character(3, "walk", pos=(1, 2, 0), heading_rad=0.5, fragment=2, at_tick=9)
        command = parsed(request).command
        spawn = command.spawn_character
        self.assertEqual((command.world, command.at_tick, spawn.controller, spawn.fragment), (3, 9, "walk", 2))
        self.assertEqual((spawn.pos.x, spawn.pos.y, spawn.heading_rad), (1, 2, 0.5))

    def test_scenery(self):
        field = parsed(requests.add_scenery(1, requests.height_field([[0, 1, 2], [3, 4, 5]], 0.5, (0, 0, -1)))).command
        made = field.add_scenery.scenery
        self.assertEqual((made.height_field.columns, made.height_field.rows, made.pos.z), (3, 2, -1))
        self.assertEqual(list(made.height_field.heights), [0, 1, 2, 3, 4, 5])
        mesh = requests.mesh([(0, 0, 0), (1, 0, 0), (0, 1, 0)], [(0, 1, 2)]).mesh
        self.assertEqual((list(mesh.vertices), list(mesh.indices)), ([0, 0, 0, 1, 0, 0, 0, 1, 0], [0, 1, 2]))
        lift = parsed(requests.carry(1, 2, (0, 0, 3), 4.0, shuttle=True)).command.carry
        self.assertEqual((lift.entity, lift.travel.pos.z, lift.travel.duration_s, lift.travel.shuttle), (2, 3, 4, True))

    def test_absent_stays_absent(self):
        self.assertFalse(parsed(requests.push(1, 2, (1, 0, 0), 0.2)).command.push.HasField("point"))
        self.assertFalse(parsed(requests.throw(1, 2, (1, 0, 0))).command.throw.HasField("pos"))
        self.assertTrue(parsed(requests.throw(1, 2, (1, 0, 0), pos=(0, 0, 1))).command.throw.HasField("pos"))

    def test_match(self):
        match = parsed(requests.start_match(DUEL)).start_match.match
        self.assertEqual((match.name, match.rule, match.bouts, match.seed, match.mode), ("duel", "sumo", 100, 7, 1))
        self.assertEqual([(each.name, each.value) for each in match.parameters], [("radius_m", 3.0)])
        places = [(t.name, m.controller, m.pos.x, m.pos.z, m.heading_rad) for t in match.teams for m in t.members]
        self.assertEqual(places, [("red", "walk", -3, 0, 0), ("blue", "run", 3, 1, 3.0)])
        self.assertFalse(match.HasField("vary"))
        bout = parsed(requests.record_bout("duel", 3, "third")).record_bout
        self.assertEqual((bout.match, bout.position, bout.recording), ("duel", 3, "third"))

    def test_bouts_are_pages_of_a_match(self):
        asked = parsed(requests.list_bouts("duel", 16, "next")).get_match
        self.assertEqual((asked.name, asked.page.size, asked.page.token), ("duel", 16, "next"))

    def test_vectors_have_three_components(self):
        with self.assertRaises(ValueError):
            requests.push(1, 2, (1, 0), 0.2)


if __name__ == "__main__":
    unittest.main()
