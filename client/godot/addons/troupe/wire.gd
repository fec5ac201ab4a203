# Protobuf's encoding of the schema's messages (proto/PROTOCOL.md). A message is a Dictionary by the schema's names of fields.
#
# encode: fields that are left out, or null, are not sent; an enum is a number or a name ("STEPPED"). decode: absent fields have
# protobuf's defaults, absent messages, optional fields and members of a oneof are null. 64-bit numbers are signed. After an error
# `error` says what was wrong, and the result is null.
extends Reference

const Schema := preload("schema.gd")
const DEPTH_MAX := 32
const VARINT := 0
const FIXED64 := 1
const BYTES := 2
const FIXED32 := 5
const WIRES := {"fixed64": FIXED64, "double": FIXED64, "float": FIXED32, "string": BYTES, "bytes": BYTES, "message": BYTES}
const DEFAULTS := {"bool": false, "double": 0.0, "float": 0.0, "string": "", "message": null}

var error := ""
var _by_number := {}  # by message and number: name of the field
var _templates := {}  # by message: all fields with their defaults


func _init() -> void:
	for message in Schema.MESSAGES:
		var numbers := {}
		var template := {}
		for name in Schema.MESSAGES[message]:
			var field: Array = Schema.MESSAGES[message][name]
			numbers[field[0]] = name
			template[name] = _default(field)
		_by_number[message] = numbers
		_templates[message] = template


func _default(field: Array):
	if field[3]:
		return PoolRealArray() if field[1] == "float" else []
	if field[4] or field[5]:
		return null
	return PoolByteArray() if field[1] == "bytes" else DEFAULTS.get(field[1], 0)


# --- encoding ---


func encode(message: String, fields: Dictionary):
	error = ""
	var out := StreamPeerBuffer.new()
	_write(out, message, fields, message)
	return null if error else out.data_array


# The length prefix of a frame.
static func prefix(length: int) -> PoolByteArray:
	var out := StreamPeerBuffer.new()
	_varint(out, length)
	return out.data_array


func _write(out: StreamPeerBuffer, message: String, fields: Dictionary, path: String) -> void:
	var known: Dictionary = Schema.MESSAGES[message]
	for name in fields:
		if not name in known:
			error = "%s.%s: no such field: expected one of %s" % [path, name, PoolStringArray(known.keys()).join(", ")]
			return
		var field: Array = known[name]
		var value = fields[name]
		if value == null:
			continue
		if not field[3]:
			_write_one(out, field, value, path + "." + name)
		elif not typeof(value) in [TYPE_ARRAY, TYPE_REAL_ARRAY, TYPE_INT_ARRAY, TYPE_STRING_ARRAY]:
			error = "%s.%s: %s: expected an array" % [path, name, value]
		elif WIRES.get(field[1], VARINT) == BYTES:
			for each in value:
				_write_one(out, field, each, path + "." + name)
		elif value.size() > 0:
			_write_packed(out, field, value, path + "." + name)
		if error:
			return


func _write_one(out: StreamPeerBuffer, field: Array, value, path: String) -> void:
	_varint(out, field[0] << 3 | WIRES.get(field[1], VARINT))
	_write_value(out, field, value, path)


func _write_packed(out: StreamPeerBuffer, field: Array, values, path: String) -> void:
	var part := StreamPeerBuffer.new()
	for each in values:
		_write_value(part, field, each, path)
	_varint(out, field[0] << 3 | BYTES)
	_bytes(out, part.data_array)


func _write_value(out: StreamPeerBuffer, field: Array, value, path: String) -> void:
	var expected := _expected(field, value)
	if expected:
		error = "%s: %s: expected %s" % [path, value, expected]
		return
	match field[1]:
		"message":
			var part := StreamPeerBuffer.new()
			_write(part, field[2], value, path)
			_bytes(out, part.data_array)
		"string":
			_bytes(out, value.to_utf8())
		"bytes":
			_bytes(out, value)
		"double":
			out.put_double(value)
		"float":
			out.put_float(value)
		"fixed64":
			out.put_64(value)
		"sint32":
			_varint(out, (value << 1 ^ value >> 31) & 0xFFFFFFFF)
		"enum":
			_varint(out, Schema.ENUMS[field[2]][value] if value is String else value)
		_:
			_varint(out, int(value))


# What the value of a field must be; empty: it is.
static func _expected(field: Array, value) -> String:
	var type := typeof(value)
	match field[1]:
		"message":
			return "" if type == TYPE_DICTIONARY else "a Dictionary"
		"string":
			return "" if type == TYPE_STRING else "a text"
		"bytes":
			return "" if type == TYPE_RAW_ARRAY else "a PoolByteArray"
		"double", "float":
			return "" if type in [TYPE_REAL, TYPE_INT] else "a number"
		"bool":
			return "" if type == TYPE_BOOL else "true or false"
		"enum":
			if type == TYPE_INT or type == TYPE_STRING and value in Schema.ENUMS[field[2]]:
				return ""
			return "one of " + PoolStringArray(Schema.ENUMS[field[2]].keys()).join(", ")
	return "" if type == TYPE_INT else "a whole number"


static func _bytes(out: StreamPeerBuffer, bytes: PoolByteArray) -> void:
	_varint(out, bytes.size())
	out.put_data(bytes)


static func _varint(out: StreamPeerBuffer, number: int) -> void:
	while number < 0 or number >= 0x80:
		out.put_u8(number & 0x7F | 0x80)
		number = (number >> 7) & 0x01FFFFFFFFFFFFFF
	out.put_u8(number)


# --- decoding ---


func decode(message: String, bytes: PoolByteArray):
	error = ""
	var source := StreamPeerBuffer.new()
	source.data_array = bytes
	var fields := _read(source, message, bytes.size(), 0)
	return null if error else fields


func _read(source: StreamPeerBuffer, message: String, end: int, depth: int) -> Dictionary:
	var fields: Dictionary = _templates[message].duplicate()
	if depth > DEPTH_MAX:
		error = "messages are nested more than %d deep" % DEPTH_MAX
	while not error and source.get_position() < end:
		var tag := _read_varint(source, end)
		var name = _by_number[message].get(tag >> 3)
		if name == null:
			_skip(source, tag & 7, end)
		else:
			_read_field(source, message, fields, name, tag & 7, end, depth)
	return fields


func _read_field(source: StreamPeerBuffer, message: String, fields: Dictionary, name: String, wire: int, end: int, depth: int) -> void:
	var field: Array = Schema.MESSAGES[message][name]
	var own: int = WIRES.get(field[1], VARINT)
	if field[3] and own != BYTES and wire == BYTES:
		var length := _length(source, end)
		var stop := length + source.get_position()
		var values = fields[name] if not fields[name].empty() else _default(field)
		if field[1] == "float":
			for i in length / 4:
				values.append(source.get_float())
		while not error and source.get_position() < stop:
			values.append(_read_value(source, field, stop, depth))
		fields[name] = values
	elif wire != own:
		error = "%s.%s: the wrong type on the wire" % [message, name]
	elif field[3]:
		var values = fields[name] if not fields[name].empty() else _default(field)
		values.append(_read_value(source, field, end, depth))
		fields[name] = values
	else:
		fields[name] = _read_value(source, field, end, depth)
		if field[4]:
			_clear_others(message, fields, name)


# Of a oneof the last that was sent counts. Each message of the schema has at most one oneof.
func _clear_others(message: String, fields: Dictionary, name: String) -> void:
	for other in fields:
		if other != name and Schema.MESSAGES[message][other][4]:
			fields[other] = null


func _read_value(source: StreamPeerBuffer, field: Array, end: int, depth: int):
	match field[1]:
		"message":
			var stop := _length(source, end)
			return _read(source, field[2], stop + source.get_position(), depth + 1)
		"float":
			return source.get_float() if _has(source, 4, end) else 0.0
		"double":
			return source.get_double() if _has(source, 8, end) else 0.0
		"fixed64":
			return source.get_64() if _has(source, 8, end) else 0
		"string":
			var length := _length(source, end)
			return source.get_utf8_string(length) if length else ""
		"bytes":
			var length := _length(source, end)
			return source.get_data(length)[1] if length else PoolByteArray()
		"bool":
			return _read_varint(source, end) != 0
		"uint32":
			return _read_varint(source, end) & 0xFFFFFFFF
		"sint32":
			var number := _read_varint(source, end) & 0xFFFFFFFF
			return number >> 1 ^ -(number & 1)
	return _read_varint(source, end)


func _skip(source: StreamPeerBuffer, wire: int, end: int) -> void:
	var length := 0
	match wire:
		VARINT:
			_read_varint(source, end)
		FIXED64:
			length = 8
		BYTES:
			length = _length(source, end)
		FIXED32:
			length = 4
		_:
			error = "type %d on the wire is unknown" % wire
	if not error and _has(source, length, end):
		source.seek(source.get_position() + length)


func _length(source: StreamPeerBuffer, end: int) -> int:
	var length := _read_varint(source, end)
	return length if length >= 0 and _has(source, length, end) else 0


func _has(source: StreamPeerBuffer, count: int, end: int) -> bool:
	if count > end - source.get_position():
		error = "a message that is cut off"
	return not error


func _read_varint(source: StreamPeerBuffer, end: int) -> int:
	var number := 0
	for i in 10:
		if not _has(source, 1, end):
			return 0
		var byte := source.get_u8()
		number |= (byte & 0x7F) << 7 * i
		if byte < 0x80:
			return number
	error = "a number of more than 10 bytes"
	return 0
