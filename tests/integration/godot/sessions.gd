# A daemon without keys, with the controllers hold and sway.
extends "test.gd"

const Poses := preload("res://addons/troupe/poses.gd")

var states := []
var events := []


func test_a_character_is_pushed_until_it_falls():
	var client := make_client()
	client.connect("state_arrived", self, "_keep_state")
	client.connect("event_arrived", self, "_keep_event")
	yield(client.connect_to("127.0.0.1", port), "arrived")
	var made = client.create_world("push", {"mode": "STEPPED"})
	yield(made, "arrived")
	equal(made.error, "")
	var spawned = client.spawn("push", "hold", {"label": "one", "pos": {"x": 1.0}})
	yield(spawned, "arrived")
	yield(client.subscribe("push", 20.0, client.BODIES, true), "arrived")
	var pushed = client.push("push", "one", Vector3(0, 400, 0), 0.2)
	yield(pushed, "arrived")
	equal(pushed.error, "")
	var stepped = client.step("push", 200)
	yield(stepped, "arrived")
	equal(stepped.result.tick, 200)
	while states.empty() or states.back().tick < 200:
		yield(self, "idle_frame")
	equal(states.back().characters[0].fallen, true)
	equal(states.back().characters[0].body_pos.size() * 4, states.back().characters[0].body_rot.size() * 3)
	equal(events.has([made.result.id, spawned.result.entity]), true)
	var asked = client.get_state("push", client.COMPACT)
	yield(asked, "arrived")
	var model = client.ask("get_model", {"name": "humanoid"})
	yield(model, "arrived")
	var compact: Dictionary = asked.result.characters[0]
	equal(Poses.unpack(compact, model.result.bodies), "")
	equal(compact.body_pos.size(), states.back().characters[0].body_pos.size())
	for i in compact.body_pos.size():
		equal(abs(compact.body_pos[i] - states.back().characters[0].body_pos[i]) < 0.01, true)
	contains(Poses.unpack(compact, model.result.bodies.slice(0, 8)), "is not of a model")
	yield(client.destroy_world("push"), "arrived")
	client.close()


func _keep_state(state: Dictionary) -> void:
	states.append(state)


func _keep_event(world: int, event: Dictionary) -> void:
	if event.kind == Client.Wire.Schema.ENUMS.EventKind.FELL:
		events.append([world, event.entity])


func test_names_follow_what_they_stand_for():
	var client := make_client()
	yield(client.connect_to("127.0.0.1", port), "arrived")
	for i in 2:
		yield(client.create_world("again", {"mode": "STEPPED"}), "arrived")
		for j in 2:  # in each round the ids have changed
			yield(client.spawn("again", "hold", {"label": "ada"}), "arrived")
			var pushed = client.push("again", "ada", Vector3(0, 10, 0), 0.1)
			yield(client.step("again"), "arrived")
			if not pushed.done:
				yield(pushed, "arrived")
			equal(pushed.error, "")
			var gone = client.command("again", "despawn", {"entity": "ada"})
			yield(gone, "arrived")
			equal(gone.error, "")
		yield(client.destroy_world("again"), "arrived")
	client.close()


func test_errors_name_the_argument():
	var client := make_client()
	yield(client.connect_to("127.0.0.1", port), "arrived")
	yield(client.create_world("errors", {"mode": "STEPPED"}), "arrived")
	var one = client.spawn("errors", "hold", {"label": "two"})
	yield(one, "arrived")
	yield(client.spawn("errors", "hold", {"label": "two", "pos": {"x": 2.0}}), "arrived")
	yield(client.spawn("errors", "hold", {"label": "eve", "pos": {"x": 4.0}}), "arrived")
	var entity: int = one.result.entity
	for wrong in [
		[client.push("errors", "two", Vector3(), 0.2), "entity: several entities are called 'two'"],
		[client.command("errors", "despawn", {"entity": "three"}), "entity: nothing is called 'three': expected one of two, eve"],
		[client.step("nowhere"), "world: nothing is called 'nowhere'"],
		[client.push("errors", entity, Vector3(), 99.0), "duration_s"],
		[client.steer("errors", entity, {"heading": 1.0}), "command.steer.heading: no such field: expected one of entity, heading_rad"],
		[client.set_parameters("errors", entity, {"nonsense": [1.0]}), "nonsense"],
		[client.ask("dance"), "dance: no such field"],
	]:
		if not wrong[0].done:
			yield(wrong[0], "arrived")
		contains(wrong[0].error, wrong[1])
	yield(client.destroy_world("errors"), "arrived")
	client.close()


func test_requests_beyond_the_limit_are_all_answered():
	var client := make_client()
	yield(client.connect_to("127.0.0.1", port), "arrived")
	var answers := []
	for i in 600:
		answers.append(client.ask("ping", {"payload": str(i).to_ascii()}))
	for i in 600:
		if not answers[i].done:
			yield(answers[i], "arrived")
		if answers[i].error or answers[i].result.payload.get_string_from_ascii() != str(i):
			equal(answers[i].error, str(i))
	client.close()


func test_a_port_without_a_daemon_is_reported():
	var client := make_client()
	var answer = client.connect_to("127.0.0.1", 1)
	yield(answer, "arrived")
	contains(answer.error, "is trouped running there?")
	var unsent = client.ask("ping")
	yield(unsent, "arrived")
	contains(unsent.error, "there is no connection")
