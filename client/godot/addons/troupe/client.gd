# A session with the daemon, as a node: add it to the scene, then call connect_to. It receives in each frame.
#
#     var client := preload("res://addons/troupe/client.gd").new()
#     add_child(client)
#     yield(client.connect_to("127.0.0.1", 7400), "arrived")
#     yield(client.create_world("yard"), "arrived")
#     yield(client.spawn("yard", "walk", {"label": "ada"}), "arrived")
#     client.push("yard", "ada", Vector3(0, 120, 0), 0.2)
#
# Every request returns an answer (answer.gd). Worlds and entities are given by id or by name; the daemon is asked once for a name's
# id. Messages are Dictionaries by the schema's names of fields (proto/troupe), vectors are in Troupe's axes (space.gd).
extends Node

signal state_arrived(state)  # a WorldState
signal event_arrived(world, event)  # id of the world, an Event
signal closed(reason)

const Answer := preload("answer.gd")
const Login := preload("login.gd")
const Wire := preload("wire.gd")
const PROTOCOL_MAJOR := 1
const PROTOCOL_MINOR := 1
const FRAME_MAX := 4194304  # bytes that the daemon may send in one frame
const PREFIX_MAX := 5

# Bits of the fields of a state.
const JOINTS := 1
const VELOCITIES := 2
const BODIES := 4
const OBJECTS := 8
const PUSHES := 128
const COMPACT := 16384  # of characters the pose within 1 cm and conditions alone, in some 60 bytes: poses.gd

var welcome = null  # the daemon's HelloResult, once the session has begun

var _wire := Wire.new()
var _socket: StreamPeerTCP = null
var _place := ""
var _begun := false  # the TCP connection
var _key := ""
var _client_name := ""
var _greeting: Answer = null
var _rest := PoolByteArray()
var _waiting := {}  # answers by request id
var _held := []  # answers and frames above the daemon's limit of unanswered requests
var _failed := []  # answers and errors of requests that were never sent
var _requests_max := 1
var _next_id := 1
var _farewell := ""
var _worlds := {}  # ids by name
var _entities := {}  # by world: ids by label or name


# Begins a session. key: NAME.SECRET, for a daemon that requires one.
func connect_to(host := "127.0.0.1", port := 7400, key := "", client_name := "godot") -> Answer:
	close()
	_place = "%s:%d" % [host, port]
	_key = key
	_client_name = client_name
	_greeting = Answer.new()
	_farewell = ""
	_socket = StreamPeerTCP.new()
	if _socket.connect_to_host(host, port) != OK:
		_fail(_greeting, Answer.UNAVAILABLE, "%s: no such address" % _place)
		_socket = null
	return _greeting


# Ends the session. Its worlds stay, except those made with {"owner_leaves": "DESTROY"}.
func close() -> void:
	if _socket != null:
		_end("closed by this client")


# --- requests ---


# Any request of the schema by its field of ClientMessage, such as "get_model" with {"name": "humanoid"}.
func ask(request: String, fields := {}) -> Answer:
	var answer := Answer.new()
	_send(answer, request, fields)
	return answer


# Any command of the schema by its field of Command. `entity` and `toward` in the fields may be names.
func command(world, kind: String, fields := {}, at_tick := 0) -> Answer:
	var answer := Answer.new()
	_send_named(answer, world, "command", {kind: fields.duplicate(), "at_tick": at_tick}, kind)
	return answer


# fields: all other fields of CreateWorld, such as {"mode": "STEPPED"}.
func create_world(label: String, fields := {}) -> Answer:
	var request: Dictionary = fields.duplicate()
	request["name"] = label
	return ask("create_world", request)


func destroy_world(world) -> Answer:
	return _about(world, "destroy_world")


# States at rate_hz of the world's time (0: none) with the given bits of fields, and events.
func subscribe(world, rate_hz: float, fields := JOINTS, events := false) -> Answer:
	return _about(world, "subscribe", {"rate_hz": rate_hz, "fields": fields, "events": events})


func get_state(world, fields := 0) -> Answer:
	return _about(world, "get_state", {"fields": fields})


# fields: all other fields of SpawnCharacter, such as {"label": "ada"}. The new character is result.entity.
func spawn(world, controller: String, fields := {}) -> Answer:
	var request: Dictionary = fields.duplicate()
	request["controller"] = controller
	return command(world, "spawn_character", request)


# A force in N, in the world's axes of Troupe, on a body (empty: the trunk) or an object.
func push(world, entity, force: Vector3, duration_s: float, body := "") -> Answer:
	var fields := {"entity": entity, "duration_s": duration_s, "body": body}
	fields["force"] = {"x": force.x, "y": force.y, "z": force.z}
	return command(world, "push", fields)


# aim: fields of Steer, such as {"heading_rad": 1.5, "skill": "walk"}; empty: stop, and stand.
func steer(world, entity, aim := {}) -> Answer:
	var fields: Dictionary = aim.duplicate()
	fields["entity"] = entity
	return command(world, "steer", fields)


# Parameters of the character's controller: arrays of numbers by name.
func set_parameters(world, entity, parameters: Dictionary) -> Answer:
	var rows := []
	for each in parameters:
		rows.append({"name": each, "values": parameters[each]})
	return command(world, "set_parameters", {"entity": entity, "parameters": rows})


func step(world, count := 1) -> Answer:
	return command(world, "step", {"count": count})


# --- names ---


func _about(world, request: String, fields := {}) -> Answer:
	var answer := Answer.new()
	_send_named(answer, world, request, fields, "")
	return answer


# Puts ids in the place of names, and sends. An id that no longer exists is looked up again, once.
func _send_named(answer: Answer, world, request: String, fields: Dictionary, kind: String) -> void:
	for attempt in 2:
		var remembered: bool = world is String and world in _worlds
		var sending: Dictionary = fields.duplicate(true)
		var id = _world_id(world)
		if id is GDScriptFunctionState:
			id = yield(id, "completed")
		if id is String:
			_fail(answer, Answer.NOT_FOUND, id)
			return
		sending["world"] = id
		for argument in ["entity", "toward"]:
			if kind and sending[kind].get(argument) is String:
				var label: String = sending[kind][argument]
				remembered = remembered or label in _entities.get(id, {})
				var entity = _entity_id(id, argument, label)
				if entity is GDScriptFunctionState:
					entity = yield(entity, "completed")
				if entity is String:
					_fail(answer, Answer.NOT_FOUND, entity)
					return
				sending[kind][argument] = entity
		var sent := ask(request, sending)
		yield(sent, "arrived")
		if sent.code != Answer.NOT_FOUND or not remembered or attempt == 1:
			answer.finish(sent.code, sent.error, sent.result)
			return
		_worlds.clear()
		_entities.clear()


# The id, or a text that says what is wrong.
func _world_id(world):
	if not world is String:
		return world
	if not world in _worlds:
		var listed := ask("list_worlds")
		yield(listed, "arrived")
		if listed.error:
			return listed.error
		for each in listed.result.worlds:
			_worlds[each.name] = each.id
	return _worlds[world] if world in _worlds else _unknown("world", world, _worlds.keys())


func _entity_id(world: int, argument: String, label: String):
	if not label in _entities.get(world, {}):
		var got := ask("get_state", {"world": world})
		yield(got, "arrived")
		if got.error:
			return got.error
		var found := {}
		for each in got.result.characters + got.result.objects:
			var called: String = each.label if "label" in each else each.name
			if not called:
				continue
			if called == label and label in found:
				return "%s: several entities are called '%s': expected an id" % [argument, label]
			found[called] = each.entity
		_entities[world] = found
	return _entities[world][label] if label in _entities[world] else _unknown(argument, label, _entities[world].keys())


static func _unknown(argument: String, wanted: String, known: Array) -> String:
	var others := PoolStringArray(known).join(", ")
	return "%s: nothing is called '%s': expected %s" % [argument, wanted, "one of " + others if others else "an id; nothing has a name"]


# --- the exchange ---


func _process(_delta: float) -> void:
	poll()


# Receives what has arrived; runs in each frame.
func poll() -> void:
	var failed := _failed
	_failed = []
	for each in failed:
		each[0].finish(each[1], each[2])
	if _socket == null or _socket.get_status() == StreamPeerTCP.STATUS_CONNECTING:
		return
	if _socket.get_status() != StreamPeerTCP.STATUS_CONNECTED:
		_end(_farewell if _farewell else "the daemon closed the connection" if _begun else _place + ": is trouped running there?")
		return
	if not _begun:
		_begun = true
		_socket.set_no_delay(true)
		if not _key:
			_greet("")
	var count := _socket.get_available_bytes()
	if count > 0:
		_rest.append_array(_socket.get_partial_data(count)[1])
		_take_frames()


func _take_frames() -> void:
	var at := 0
	while _socket != null and at < _rest.size():
		var length := 0
		var begin := 0
		for i in int(min(PREFIX_MAX, _rest.size() - at)):
			length |= (_rest[at + i] & 0x7F) << 7 * i
			if _rest[at + i] < 0x80:
				begin = at + i + 1
				break
		if length > FRAME_MAX or not begin and _rest.size() - at >= PREFIX_MAX:
			_end("the daemon broke the protocol: a frame of %d bytes" % length)
			return
		if not begin or _rest.size() - begin < length:
			break
		at = begin + length
		_sort(_rest.subarray(begin, at - 1) if length else PoolByteArray())
	_rest = _rest.subarray(at, _rest.size() - 1) if at < _rest.size() else PoolByteArray()


func _sort(bytes: PoolByteArray) -> void:
	var message = _wire.decode("ServerMessage", bytes)
	if message == null:
		_end("the daemon broke the protocol: " + _wire.error)
	elif message.response != null:
		_answered(message.response)
	elif message.state != null:
		emit_signal("state_arrived", message.state)
	elif message.events != null:
		for event in message.events.events:
			emit_signal("event_arrived", message.events.world, event)
	elif message.goodbye != null:
		_farewell = message.goodbye.reason
	elif message.challenge != null and _key:
		_greet_with_key(message.challenge.mechanisms)


func _answered(response: Dictionary) -> void:
	var answer: Answer = _waiting.get(response.request_id)
	if answer == null:
		return
	_waiting.erase(response.request_id)
	if not _held.empty():
		_transmit(_held.pop_front())
	var result = null
	for each in response:
		if not each in ["request_id", "code", "message"] and response[each] != null:
			result = response[each]
	answer.finish(response.code, response.message, result)


func _send(answer: Answer, request: String, fields: Dictionary) -> void:
	if _socket == null:
		_fail(answer, Answer.UNAVAILABLE, "there is no connection: expected connect_to before")
		return
	var frame = _wire.encode("ClientMessage", {"request_id": _next_id, request: fields})
	if frame == null:
		_fail(answer, Answer.INVALID_ARGUMENT, _wire.error.trim_prefix("ClientMessage."))
		return
	if not _begun or _waiting.size() >= _requests_max and welcome != null:
		_held.append([answer, _next_id, frame])
	else:
		_transmit([answer, _next_id, frame])
	_next_id += 1


func _transmit(held: Array) -> void:
	_waiting[held[1]] = held[0]
	_socket.put_data(Wire.prefix(held[2].size()) + held[2])


# Errors that are known before a frame is sent reach their answers in the next frame, when their callers wait.
func _fail(answer: Answer, code: int, what: String) -> void:
	_failed.append([answer, code, what])


func _end(reason: String) -> void:
	_socket.disconnect_from_host()
	_socket = null
	var ended := [_greeting] if not _greeting.done else []
	ended += _waiting.values()
	for each in _held:
		ended.append(each[0])
	_waiting.clear()
	_held.clear()
	_rest = PoolByteArray()
	_begun = false
	welcome = null
	for each in ended:
		_fail(each, Answer.UNAVAILABLE, reason)
	emit_signal("closed", reason)


# --- the handshake ---


func _hello(scram_first: String) -> Answer:
	return ask("hello", {"protocol_major": PROTOCOL_MAJOR, "protocol_minor": PROTOCOL_MINOR, "client_name": _client_name,
		"scram_first": scram_first})


func _greet(scram_first: String) -> void:
	var hello := _hello(scram_first)
	yield(hello, "arrived")
	_welcomed(hello)


func _greet_with_key(mechanisms: Array) -> void:
	var login := Login.new(_key, mechanisms)
	if login.error:
		_end(login.error)
		return
	var hello := _hello(login.first())
	yield(hello, "arrived")
	if hello.error:
		_welcomed(hello)
		return
	var last := login.last(hello.result.scram_first)
	if login.error:
		_end(login.error)
		return
	var proof := ask("authenticate", {"scram_final": last})
	yield(proof, "arrived")
	if not proof.error and not login.check(proof.result.scram_final):
		_end(login.error)
		return
	_welcomed(proof)


func _welcomed(answer: Answer) -> void:
	if _greeting.done:
		return
	if not answer.error:
		welcome = answer.result
		_requests_max = welcome.requests_max
	_greeting.finish(answer.code, answer.error, answer.result)
