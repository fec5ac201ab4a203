# Between Troupe's axes (x forward, y left, z up) and Godot's (x right, y up, -z forward), both right-handed and in metres.
extends Reference


# The point at an index of an array of the wire, [3] each.
static func position(pos, at := 0) -> Vector3:
	return Vector3(-pos[3 * at + 1], pos[3 * at + 2], -pos[3 * at])


# The rotation at an index of an array of the wire, [4] each, (w, x, y, z).
static func rotation(rot, at := 0) -> Quat:
	return Quat(-rot[4 * at + 2], rot[4 * at + 3], -rot[4 * at + 1], rot[4 * at])


# A vector of Troupe from one of Godot.
static func to_troupe(v: Vector3) -> Vector3:
	return Vector3(-v.z, -v.x, v.y)


# A vector of Godot from a Vec3 of the schema; null: zero.
static func vector(v) -> Vector3:
	return Vector3(-v.y, v.z, -v.x) if v != null else Vector3.ZERO
