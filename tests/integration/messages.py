"""Messages of every type of the schema, filled with values at the edges of each field's type, to compare encodings with Python's."""

import random
import struct

from google.protobuf.descriptor import FieldDescriptor
from troupe import catalogue_pb2, character_pb2, command_pb2, envelope_pb2, geometry_pb2, match_pb2, object_pb2
from troupe import recording_pb2, session_pb2, state_pb2, training_pb2, world_pb2

FILES = (catalogue_pb2, character_pb2, command_pb2, envelope_pb2, geometry_pb2, match_pb2, object_pb2, recording_pb2,
         session_pb2, state_pb2, training_pb2, world_pb2)
F = FieldDescriptor
EDGES = {F.TYPE_BOOL: [False, True], F.TYPE_UINT32: [0, 1, 127, 128, 2**32 - 1], F.TYPE_UINT64: [0, 1, 2**63, 2**64 - 1],
         F.TYPE_INT64: [0, 1, -1, -2**63, 2**63 - 1], F.TYPE_SINT32: [0, 1, -1, -2**31, 2**31 - 1],
         F.TYPE_FIXED64: [0, 1, 2**64 - 1], F.TYPE_DOUBLE: [0.0, 0.1, -1e300, float("inf")],
         F.TYPE_FLOAT: [0.0, 0.5, -2.0**100, float("inf")], F.TYPE_STRING: ["", "a", "ä€𝄞", "x" * 200],
         F.TYPE_BYTES: [b"", b"\0", b"\xff" * 200]}
DEPTH_MAX = 4


def fill(message, chance, depth=0):
    """Sets about half of the fields."""
    for field in message.DESCRIPTOR.fields:
        repeated = field.label == F.LABEL_REPEATED
        for _ in range(chance.randrange(4) if repeated else chance.randrange(2)):
            if field.type == F.TYPE_MESSAGE:
                if depth < DEPTH_MAX:
                    part = getattr(message, field.name)
                    part = part.add() if repeated else part
                    part.SetInParent()
                    fill(part, chance, depth + 1)
                continue
            values = [each.number for each in field.enum_type.values] if field.type == F.TYPE_ENUM else EDGES[field.type]
            value = chance.choice(values)
            getattr(message, field.name).append(value) if repeated else setattr(message, field.name, value)
    return message


def samples(count):
    """`count` messages of each type."""
    chance = random.Random(1)
    kinds = [getattr(file, name) for file in FILES for name in file.DESCRIPTOR.message_types_by_name]
    return [fill(kind(), chance) for kind in kinds for _ in range(count)]


def packed(messages):
    """Each as length and text of its type, length and bytes; a length takes four bytes."""
    return b"".join(struct.pack("<i", len(part)) + part for message in messages
                    for part in (message.DESCRIPTOR.name.encode(), message.SerializeToString()))


def unpacked(data, messages):
    """What another program made of these messages, each as length and bytes."""
    at = 0
    for message in messages:
        size = struct.unpack_from("<i", data, at)[0]
        yield type(message).FromString(data[at + 4:at + 4 + size])
        at += 4 + size
    if at != len(data):
        raise AssertionError(f"{len(data) - at} bytes after the last message")
