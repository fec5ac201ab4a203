"""Messages of the schema as C# classes: one class per message, with its fields as properties, its encoding and its comments.

    protoc -Iproto --include_source_info --descriptor_set_out=schema.bin proto/troupe/*.proto
    generate.py schema.bin Messages.cs

The classes need Wire.cs alone, because Debian has no assembly of Google.Protobuf.
"""

import sys
from xml.sax.saxutils import escape

from google.protobuf.descriptor_pb2 import DescriptorProto, FieldDescriptorProto, FileDescriptorSet

F = FieldDescriptorProto
VARINT, FIXED64, BYTES, FIXED32 = 0, 1, 2, 5
# By type of field: its C# type, the method of Writer and Reader, the wire type, the default value.
SCALARS = {
    F.TYPE_BOOL: ("bool", "Bool", VARINT, "false"),
    F.TYPE_UINT32: ("uint", "UInt32", VARINT, "0"),
    F.TYPE_UINT64: ("ulong", "UInt64", VARINT, "0"),
    F.TYPE_INT64: ("long", "Int64", VARINT, "0"),
    F.TYPE_SINT32: ("int", "SInt32", VARINT, "0"),
    F.TYPE_FIXED64: ("ulong", "Fixed64", FIXED64, "0"),
    F.TYPE_DOUBLE: ("double", "Double", FIXED64, "0"),
    F.TYPE_FLOAT: ("float", "Float", FIXED32, "0"),
    F.TYPE_STRING: ("string", "String", BYTES, '""'),
    F.TYPE_BYTES: ("byte[]", "Bytes", BYTES, "new byte[0]"),
}


def pascal(name: str) -> str:
    return "".join(part.capitalize() for part in name.split("_"))


class Field:
    def __init__(self, field: F, owner: DescriptorProto) -> None:
        self.number, self.repeated = field.number, field.label == F.LABEL_REPEATED
        self.name = pascal(field.name) + ("_" if pascal(field.name) == owner.name else "")
        self.optional = field.proto3_optional
        alternative = field.HasField("oneof_index") and not self.optional  # protoc makes a oneof of each optional field
        self.oneof = pascal(owner.oneof_decl[field.oneof_index].name) if alternative else ""
        self.message = field.type == F.TYPE_MESSAGE
        named = field.type_name.rpartition(".")[2]
        if self.message:
            self.type, self.method, self.wire, self.default = named, "Message", BYTES, "null"
        elif field.type == F.TYPE_ENUM:
            self.type, self.method, self.wire, self.default = named, "Enum", VARINT, "0"
        elif field.type in SCALARS:
            self.type, self.method, self.wire, self.default = SCALARS[field.type]
        else:
            raise SystemExit(f"generate.py: {owner.name}.{field.name}: type {field.type}: add it to SCALARS")
        self.cast = f"({self.type})" if self.method == "Enum" else ""

    def declaration(self) -> list[str]:
        if self.repeated:
            return [f"public List<{self.type}> {self.name} {{ get; set; }} = new List<{self.type}>();"]
        if not self.oneof:
            begin = f" = {self.default};" if self.default in ('""', "new byte[0]") else ""
            return [f"public {self.type}{'?' if self.optional else ''} {self.name} {{ get; set; }}{begin}"]
        case = f"{self.oneof}OneofCase.{self.name}"
        return [
            f"public {self.type} {self.name} {{",
            f"    get {{ return {self.oneof}Case == {case} ? ({self.type})of{self.oneof} : {self.default}; }}",
            f"    set {{ of{self.oneof} = value; {self.oneof}Case = {case}; }}",
            "}",
        ]

    def value(self, text: str) -> str:
        return f"(int){text}" if self.method == "Enum" else text

    def write(self) -> str:
        put = f"writer.Tag({self.number}, {self.wire}); writer.{self.method}"
        if self.repeated and self.wire == BYTES:
            return f"foreach (var each in {self.name}) {{ {put}(each); }}"
        if self.repeated:
            body = f"foreach (var each in {self.name}) part.{self.method}({self.value('each')});"
            return f"if ({self.name}.Count > 0) {{ var part = new Writer(); {body} writer.Packed({self.number}, part); }}"
        if self.optional:
            return f"if ({self.name}.HasValue) {{ {put}({self.name}.Value); }}"
        present = f"{self.name} != {self.default}"
        if self.oneof:
            present = f"{self.oneof}Case == {self.oneof}OneofCase.{self.name}"
        elif self.method == "Bool":
            present = self.name
        elif self.method in ("String", "Bytes"):
            present = f"{self.name}.Length > 0"
        return f"if ({present}) {{ {put}({self.value(self.name)}); }}"

    def read(self) -> str:
        take = f"{self.cast}reader.{self.method}({f'new {self.type}()' if self.message else ''})"
        if self.repeated and self.wire != BYTES:
            loop = f"for (int end = reader.Begin({self.wire}); reader.Before(ref end);) {self.name}.Add({take})"
            return f"case {self.number}: {loop}; break;"
        act = f"{self.name}.Add({take})" if self.repeated else f"{self.name} = {take}"
        return f"case {self.number}: reader.Expect({self.wire}); {act}; break;"


class File:
    def __init__(self, file) -> None:
        self.file = file
        self.comments = {tuple(place.path): place for place in file.source_code_info.location}

    def summary(self, *path: int) -> list[str]:
        place = self.comments.get(path)
        text = place and (place.leading_comments.strip() or place.trailing_comments.strip())
        if not text:
            return []
        lines = [f"/// {escape(line.strip())}" for line in text.splitlines()]
        return ["/// <summary>", *lines, "/// </summary>"]

    def enums(self):
        for i, enum in enumerate(self.file.enum_type):
            prefix = "".join("_" + c if c.isupper() else c.upper() for c in enum.name)[1:] + "_"
            yield from self.summary(5, i)
            yield f"public enum {enum.name} {{"
            for j, value in enumerate(enum.value):
                for line in self.summary(5, i, 2, j):
                    yield "    " + line
                yield f"    {pascal(value.name.removeprefix(prefix))} = {value.number},"
            yield "}"

    def messages(self):
        for i, message in enumerate(self.file.message_type):
            fields = [Field(field, message) for field in message.field]
            yield from self.summary(4, i)
            yield f"public sealed partial class {message.name} : IMessage {{"
            for line in self.members(i, fields):
                yield "    " + line
            yield "}"

    def members(self, i: int, fields: list[Field]):
        for oneof in dict.fromkeys(field.oneof for field in fields if field.oneof):
            names = ", ".join(f"{field.name} = {field.number}" for field in fields if field.oneof == oneof)
            yield f"public enum {oneof}OneofCase {{ None = 0, {names} }}"
            yield f"public {oneof}OneofCase {oneof}Case {{ get; private set; }}"
            yield f"private object of{oneof};"
        for j, field in enumerate(fields):
            yield from self.summary(4, i, 2, j)
            yield from field.declaration()
        yield "public void WriteTo(Writer writer) {"
        yield from ("    " + field.write() for field in sorted(fields, key=lambda field: field.number))
        yield "}"
        yield "public void ReadFrom(Reader reader) {"
        yield "    while (reader.Next())"
        yield "        switch (reader.Field) {"
        yield from ("        " + field.read() for field in fields)
        yield "        default: reader.Skip(); break;"
        yield "        }"
        yield "}"


def main(schema: str, out: str) -> None:
    with open(schema, "rb") as file:
        files = [File(each) for each in FileDescriptorSet.FromString(file.read()).file]
    lines = ["// Made by generate.py from proto/troupe. Do not edit.", "using System.Collections.Generic;", "", "namespace Troupe.Messages {"]
    for file in files:
        lines += [*file.enums(), *file.messages()]
    with open(out, "w", encoding="utf-8") as file:
        file.write("\n".join([*lines, "}", ""]))


if __name__ == "__main__":
    main(*sys.argv[1:])
