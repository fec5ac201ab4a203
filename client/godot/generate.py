"""The schema as a table in GDScript, from which addons/troupe/wire.gd encodes and decodes.

    protoc -Iproto --descriptor_set_out=schema.bin proto/troupe/*.proto
    generate.py schema.bin schema.gd
"""

import sys

from google.protobuf.descriptor_pb2 import FieldDescriptorProto, FileDescriptorSet

F = FieldDescriptorProto
TYPES = {F.TYPE_BOOL: "bool", F.TYPE_UINT32: "uint32", F.TYPE_UINT64: "uint64", F.TYPE_INT64: "int64", F.TYPE_SINT32: "sint32",
         F.TYPE_FIXED64: "fixed64", F.TYPE_DOUBLE: "double", F.TYPE_FLOAT: "float", F.TYPE_STRING: "string",
         F.TYPE_BYTES: "bytes", F.TYPE_MESSAGE: "message", F.TYPE_ENUM: "enum"}


def text(value: bool) -> str:
    return "true" if value else "false"


def is_alternative(field: F) -> bool:
    """Of a oneof; protoc makes one of each optional field too."""
    return field.HasField("oneof_index") and not field.proto3_optional


def row(message: str, field: F) -> str:
    if field.type not in TYPES:
        raise SystemExit(f"generate.py: {message}.{field.name}: type {field.type}: add it to TYPES")
    named = field.type_name.rpartition(".")[2]
    repeated = field.label == F.LABEL_REPEATED
    return f'"{field.name}": [{field.number}, "{TYPES[field.type]}", "{named}", {text(repeated)}, {text(is_alternative(field))}, {text(field.proto3_optional)}]'


def main(schema: str, out: str) -> None:
    with open(schema, "rb") as file:
        files = FileDescriptorSet.FromString(file.read()).file
    lines = ["# Made by generate.py from proto/troupe. Do not edit.", "extends Reference", "",
             "# By message and field: its number, type, message or enum, whether it is repeated, of a oneof, optional.",
             "const MESSAGES := {"]
    for message in (message for file in files for message in file.message_type):
        if len({field.oneof_index for field in message.field if is_alternative(field)}) > 1:
            raise SystemExit(f"generate.py: {message.name} has several oneofs: teach wire.gd which members belong together")
        lines += [f'\t"{message.name}": {{{", ".join(row(message.name, field) for field in message.field)}}},']
    lines += ["}", "", "# By enum and name.", "const ENUMS := {"]
    for enum in (enum for file in files for enum in file.enum_type):
        prefix = "".join("_" + c if c.isupper() else c.upper() for c in enum.name)[1:] + "_"
        values = ", ".join(f'"{value.name.removeprefix(prefix)}": {value.number}' for value in enum.value)
        lines += [f'\t"{enum.name}": {{{values}}},']
    with open(out, "w", encoding="utf-8") as file:
        file.write("\n".join([*lines, "}", ""]))


if __name__ == "__main__":
    main(*sys.argv[1:])
