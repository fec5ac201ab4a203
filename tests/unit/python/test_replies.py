"""The dataclasses agree with the schema, and hold what the messages hold."""

import dataclasses
import unittest

from troupe import (
    Code,
    EventKind,
    Mode,
    Noun,
    catalogue_pb2,
    command_pb2,
    match_pb2,
    matches,
    recording_pb2,
    replies,
    session_pb2,
    state_pb2,
    training_pb2,
    world_pb2,
)

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
    replies.Skill: catalogue_pb2.Skill,
    replies.SkillEdge: catalogue_pb2.SkillEdge,
    replies.ControllerParameter: catalogue_pb2.ControllerParameter,
    replies.Ancestor: catalogue_pb2.LineageNode,
    replies.World: world_pb2.WorldInfo,
    replies.Applied: command_pb2.CommandResult,
    replies.RefusedOrders: command_pb2.Refused,
    replies.Subscription: state_pb2.SubscribeResult,
    replies.Recording: recording_pb2.Recording,
    replies.RecordingPart: recording_pb2.RecordingPart,
    replies.Divergence: recording_pb2.Divergence,
    replies.ReplayEvent: recording_pb2.ReplayEvent,
    replies.ReplayInfo: recording_pb2.ReplayInfo,
    replies.Figure: catalogue_pb2.CertificateFigure,
    replies.Pushes: catalogue_pb2.CertificatePushes,
    replies.Certificate: catalogue_pb2.Certificate,
    replies.Training: training_pb2.Training,
    replies.TrainingList: training_pb2.TrainingList,
    matches.MatchInfo: match_pb2.MatchInfo,
    matches.Bout: match_pb2.Bout,
    matches.MeanInterval: match_pb2.MeanInterval,
    matches.TeamStatistics: match_pb2.TeamStatistics,
    matches.MatchDetail: match_pb2.MatchDetail,
    matches.MatchProgress: match_pb2.MatchProgress,
}


def field_names(message):
    """Those of its summary too, where that is a message."""
    fields = message.DESCRIPTOR.fields_by_name
    names, summary = set(fields), "summary" in fields and fields["summary"].message_type
    return names - {"summary"} | set(summary.fields_by_name) if summary else names


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
            (replies.FaultRule, world_pb2.FaultRule, "FAULT_RULE_"),
            (replies.RecordingState, recording_pb2.RecordingState, "RECORDING_STATE_"),
            (replies.TrainingState, training_pb2.TrainingState, "TRAINING_STATE_"),
            (matches.MatchMode, match_pb2.MatchMode, "MATCH_MODE_"),
            (matches.MatchState, match_pb2.MatchState, "MATCH_STATE_"),
            (matches.BoutOutcome, match_pb2.BoutOutcome, "BOUT_OUTCOME_"),
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

    def test_progress_before_and_after_the_first_bout(self):
        info = dict(name="duel", state=match_pb2.MATCH_STATE_RUNNING, teams=["red", "blue"])
        begun = replies.read(matches.MatchProgress, match_pb2.MatchProgress(info=info))
        self.assertEqual((begun.last, begun.ended, begun.info.teams), (None, False, ("red", "blue")))
        self.assertEqual(begun.info.mode, matches.MatchMode.HEADLESS)
        info["state"] = match_pb2.MATCH_STATE_DONE
        last = dict(position=4, outcome=match_pb2.BOUT_OUTCOME_DRAWN, winner=-1, score=[1, 2])
        done = replies.read(matches.MatchProgress, match_pb2.MatchProgress(info=info, wins=[2, 3], last=last))
        self.assertEqual((done.ended, done.wins, done.last.score, done.last.winner), (True, (2, 3), (1.0, 2.0), -1))

    def test_event_of_a_newer_daemon(self):
        self.assertEqual(replies.Event.of(1, state_pb2.Event(kind=99)).kind, EventKind.UNKNOWN)


if __name__ == "__main__":
    unittest.main()
