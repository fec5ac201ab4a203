"""The dataclasses agree with the schema, and hold what the messages hold."""

import dataclasses
import unittest

from troupe import Code, EventKind, Mode, Noun, catalogue_pb2, command_pb2, replies, session_pb2, state_pb2, world_pb2

MESSAGES = {
    replies.Welcome: session_pb2.HelloResult,
    replies.Pong: session_pb2.Pong,
    replies.Model: catalogue_pb2.ModelSummary,
    replies.Body: catalogue_pb2.ModelBody,
    replies.ModelDetail: catalogue_pb2.ModelDetail,
    replies.Clip: catalogue_pb2.Clip,
    replies.Run: catalogue_pb2.RunSummary,
    replies.Metric: catalogue_pb2.RunMetric,
    replies.RunDetail: catalogue_pb2.RunDetail,
    replies.Controller: catalogue_pb2.ControllerSummary,
    replies.Fragment: catalogue_pb2.FragmentSummary,
    replies.ControllerDetail: catalogue_pb2.ControllerDetail,
    replies.Ancestor: catalogue_pb2.LineageNode,
    replies.World: world_pb2.WorldInfo,
    replies.Applied: command_pb2.CommandResult,
    replies.Subscription: state_pb2.SubscribeResult,
}


def field_names(message):
    names = set(message.DESCRIPTOR.fields_by_name)
    if "summary" in names:
        names = names - {"summary"} | set(message.DESCRIPTOR.fields_by_name["summary"].message_type.fields_by_name)
    return names


class Schema(unittest.TestCase):
    def test_fields(self):
        for cls, message in MESSAGES.items():
            self.assertEqual({field.name for field in dataclasses.fields(cls)}, field_names(message), cls.__name__)
        event = {field.name for field in dataclasses.fields(replies.Event)}
        self.assertEqual(event, field_names(state_pb2.Event) | {"world"})

    def test_enums(self):
        pairs = (
            (Code, session_pb2.StatusCode, "STATUS_CODE_"),
            (Mode, world_pb2.WorldMode, "WORLD_MODE_"),
            (Noun, catalogue_pb2.NounKind, "NOUN_KIND_"),
            (EventKind, state_pb2.EventKind, "EVENT_KIND_"),
            (replies.Joint, catalogue_pb2.JointKind, "JOINT_KIND_"),
        )
        for ours, theirs, prefix in pairs:
            expected = {name[len(prefix) :]: value for name, value in theirs.items() if "UNSPECIFIED" not in name}
            actual = {member.name: member.value for member in ours if member.name != "UNKNOWN" or ours is Code}
            self.assertEqual(actual, expected)


class Reading(unittest.TestCase):
    def test_detail(self):
        message = catalogue_pb2.ModelDetail(
            summary=dict(name="humanoid", body_count=1),
            mass_kg=62,
            bodies=[dict(name="pelvis", parent=-1, joint=1, pos=dict(z=0.95), rot=dict(w=1))],
            gain_sets=["a", "b"],
        )
        model = replies.read(replies.ModelDetail, message)
        self.assertEqual((model.name, model.mass_kg, model.gain_sets), ("humanoid", 62, ("a", "b")))
        body = model.bodies[0]
        self.assertEqual((body.joint, body.pos, body.rot), (replies.Joint.FREE, (0, 0, 0.95), (1, 0, 0, 0)))

    def test_plain_values(self):
        """Nothing of the message is left inside: rows compare, hash and outlive it."""
        message = catalogue_pb2.RunDetail(summary=dict(name="r"), metrics=[dict(name="cost", iteration=[1], value=[2])])
        first, second = (replies.read(replies.RunDetail, message) for _ in range(2))
        self.assertEqual(hash(first), hash(second))
        self.assertEqual(first.metrics[0].value, (2.0,))

    def test_event_of_a_newer_daemon(self):
        self.assertEqual(replies.Event.of(1, state_pb2.Event(kind=99)).kind, EventKind.UNKNOWN)


if __name__ == "__main__":
    unittest.main()
