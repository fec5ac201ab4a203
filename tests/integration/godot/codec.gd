extends "test.gd"

const Login := preload("res://addons/troupe/login.gd")
const Space := preload("res://addons/troupe/space.gd")
const Wire := preload("res://addons/troupe/wire.gd")

const NONCE := "rOprNGfwEbeRWgbNEkqO"
const SERVER_FIRST := "r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096"
const SERVER_FINAL := "v=6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4="


# The messages of a file, decoded and encoded into another: length and text of a type, length and bytes.
func test_echo() -> void:
	var wire := Wire.new()
	var source := File.new()
	var target := File.new()
	equal(source.open(OS.get_environment("TROUPE_TEST_ECHO"), File.READ), OK)
	equal(target.open(OS.get_environment("TROUPE_TEST_ECHO") + ".returned", File.WRITE), OK)
	while source.get_position() < source.get_len():
		var kind := source.get_buffer(source.get_32()).get_string_from_utf8()
		var size := source.get_32()
		var fields = wire.decode(kind, source.get_buffer(size) if size else PoolByteArray())
		equal(wire.error, "")
		var bytes: PoolByteArray = wire.encode(kind, fields)
		equal(wire.error, "")
		target.store_32(bytes.size())
		target.store_buffer(bytes)
	target.close()


func test_damaged_messages_are_refused() -> void:
	var wire := Wire.new()
	var character := {"label": "ä", "root_pos": [1, 2, 3], "joint_rot_q": PoolByteArray([1, 2, 3])}
	var whole: PoolByteArray = wire.encode("ServerMessage", {"state": {"world": 7, "tick": -1, "characters": [character]}})
	equal(wire.error, "")
	var chance := RandomNumberGenerator.new()
	chance.seed = 1
	var refused := 0
	for i in 3000:
		var damaged := whole.subarray(0, chance.randi_range(0, whole.size() - 1))
		damaged[chance.randi_range(0, damaged.size() - 1)] = chance.randi_range(0, 255)
		if wire.decode("ServerMessage", damaged) == null:
			refused += 1
			if wire.error == "":
				equal("no error", "an error")
	equal(refused > 750, true)


func test_a_oneof_holds_the_last_that_was_sent() -> void:
	var wire := Wire.new()
	var both: PoolByteArray = wire.encode("Steer", {"heading_rad": 0.0}) + wire.encode("Steer", {"toward": 3})
	var steer: Dictionary = wire.decode("Steer", both)
	equal([steer.heading_rad, steer.toward], [null, 3])


func test_errors_name_the_field() -> void:
	var wire := Wire.new()
	equal(wire.encode("Push", {"forse": {}}), null)
	equal(wire.error, "Push.forse: no such field: expected one of entity, body, point, force, duration_s")
	equal(wire.encode("Push", {"force": {"y": "much"}}), null)
	equal(wire.error, "Push.force.y: much: expected a number")
	equal(wire.encode("CreateWorld", {"mode": "SLOW"}), null)
	equal(wire.error, "CreateWorld.mode: SLOW: expected one of UNSPECIFIED, REAL_TIME, STEPPED, FAST")


func _example() -> Login:
	return Login.new("user." + "A".repeat(64), ["SCRAM-SHA-256"], NONCE, "pencil")


func test_the_example_of_rfc_7677() -> void:
	var login := _example()
	equal(login.first(), "n,,n=user,r=" + NONCE)
	equal(login.last(SERVER_FIRST), "c=biws,r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0," +
		"p=dHzbZapWIk4jUhN+Ute9ytag9zjfMHgsqmmiz7AndVQ=")
	equal(login.check(SERVER_FINAL), true)
	equal(login.check(SERVER_FINAL.replace("6rri", "6rrj")), false)


func test_wrong_logins_are_refused() -> void:
	equal(_example().check(SERVER_FINAL), false)
	for wrong in [["rOp", "rOx", "server-first"], ["4096", "4095", "4095 iterations"], ["r=", "q=", "server-first"]]:
		var login := _example()
		equal(login.last(SERVER_FIRST.replace(wrong[0], wrong[1])), "")
		contains(login.error, wrong[2])
	contains(Login.new("user", ["SCRAM-SHA-256"]).error, "key: not a key")
	contains(Login.new("user." + "A".repeat(64), []).error, "older")


func test_conversions_commute_with_rotation() -> void:
	var forward := Space.position([1, 0, 0])
	var left := Space.position([0, 1, 0])
	var up := Space.position([0, 0, 1])
	near(forward, Vector3(0, 0, -1))
	near(left, Vector3(-1, 0, 0))
	near(up, Vector3(0, 1, 0))
	var half := sqrt(0.5)
	near(Space.rotation([half, 0, 0, half]).xform(forward), left)  # about z
	near(Space.rotation([half, half, 0, 0]).xform(left), up)  # about x
	near(Space.rotation([half, 0, half, 0]).xform(up), forward)  # about y
	near(Space.to_troupe(Space.position([1, 2, 3])), Vector3(1, 2, 3))
	near(Space.vector({"x": 1, "y": 2, "z": 3}), Space.position([1, 2, 3]))
