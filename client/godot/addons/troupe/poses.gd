# Compact poses (client.COMPACT) back to the arrays of a state: "Compact states" of PROTOCOL.md. Such a state has no time either:
# time_s is its tick times step_s of the world.
#
#     var error := Poses.unpack(character, model.bodies)  # of the character's model, which a state without COMPACT names
extends Reference

const Schema := preload("schema.gd")
const LEVELS := 180.0  # of a rotation's components, per unit
const OTHER := 7  # the form of a rotation whose largest component is not w

var _bytes: PoolByteArray
var _at := 0


# Sets root_pos, root_rot, joint_rot, body_pos and body_rot. Returns what is wrong; empty: nothing.
static func unpack(character: Dictionary, bodies: Array) -> String:
	return load("res://addons/troupe/poses.gd").new()._unpack(character, bodies)


func _unpack(character: Dictionary, bodies: Array) -> String:
	_bytes = character.pose
	var pos := [Vector3(_metres(), _metres(), _metres())]
	var rot := [_rotation()]
	var joint := [Quat.IDENTITY]
	for i in range(1, bodies.size()):
		var body: Dictionary = bodies[i]
		var own := Quat(body.rot.x, body.rot.y, body.rot.z, body.rot.w) if body.rot else Quat.IDENTITY
		var above: Quat = rot[body.parent]
		var slides: bool = body.joint == Schema.ENUMS.JointKind.SLIDE
		var single: bool = slides or body.joint == Schema.ENUMS.JointKind.HINGE
		var angle := _signed(10) * PI / 512 if single else 0.0
		joint.append(_about(_vector(body.axis), angle) if single else _rotation())
		rot.append(above * own if slides else above * own * joint[i])
		# The body turns about the joint's centre, which is fixed in both bodies. A slide shifts it by as many m as its angle has rad.
		var moved := _vector(body.anchor) + _vector(body.axis) * (angle if slides else 0.0)
		var centre := above.xform(_vector(body.pos) + own.xform(moved))
		pos.append(pos[body.parent] + centre - rot[i].xform(_vector(body.anchor)))
	var left := 8 * _bytes.size() - _at
	if left < 0 or left >= 8:
		return "a pose of %d bytes is not of a model with these %d bodies" % [_bytes.size(), bodies.size()]
	character.root_pos = _flat(pos.slice(0, 0))
	character.root_rot = _flat(rot.slice(0, 0))
	character.joint_rot = _flat(joint)
	character.body_pos = _flat(pos)
	character.body_rot = _flat(rot)
	return ""


func _take(width: int) -> int:
	var value := 0
	for i in width:
		if _at < 8 * _bytes.size():
			value |= (_bytes[_at >> 3] >> (_at & 7) & 1) << i
		_at += 1
	return value


func _signed(width: int) -> int:
	var value := _take(width)
	return value - (1 << width) if width > 0 and value >> (width - 1) else value


func _metres() -> float:
	return _signed(_take(5)) / 1000.0


func _rotation() -> Quat:
	var form := _take(3)
	var largest := _take(2) if form == OTHER else 0
	var width := 8 if form == OTHER else (form + 2 if form > 0 else 0)
	var q := [0.0, 0.0, 0.0, 0.0]
	var rest := 1.0
	for i in 4:
		if i != largest:
			q[i] = _signed(width) / LEVELS
			rest -= q[i] * q[i]
	q[largest] = sqrt(max(0.0, rest))
	return Quat(q[1], q[2], q[3], q[0])


static func _about(axis: Vector3, angle: float) -> Quat:
	var half := angle / 2
	return Quat(sin(half) * axis.x, sin(half) * axis.y, sin(half) * axis.z, cos(half))


static func _vector(v) -> Vector3:
	return Vector3(v.x, v.y, v.z) if v else Vector3.ZERO


static func _flat(rows: Array) -> PoolRealArray:
	var values := PoolRealArray()
	for row in rows:
		values.append_array(PoolRealArray([row.w, row.x, row.y, row.z] if row is Quat else [row.x, row.y, row.z]))
	return values
