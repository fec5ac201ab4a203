# The sample scene, with the shipped controllers.
extends "test.gd"


func test_bodies_follow_the_character_that_is_steered_and_pushed():
	var scene = load("res://main.tscn").instance()
	scene.port = port
	scene.push_seconds = 30.0
	root.add_child(scene)
	while not scene.alive or scene.get_node("Bodies").get_child(0).translation.y < 0.5:
		yield(self, "idle_frame")
	var trunk: Spatial = scene.get_node("Bodies").get_child(0)
	equal(scene.get_node("Bodies").get_child_count(), scene.model.bodies.size())
	Input.action_press("walk")
	while trunk.translation.z > -0.5:  # ahead
		yield(self, "idle_frame")
	Input.action_release("walk")
	yield(_push(scene, trunk), "completed")
	scene.queue_free()
	var client := make_client()
	yield(client.connect_to("127.0.0.1", port), "arrived")
	var left := ["godot"]
	while not left.empty():  # the world ends with the session that made it
		var listed = client.ask("list_worlds")
		yield(listed, "arrived")
		left = listed.result.worlds


func _push(scene: Node, trunk: Spatial):
	var click := InputEventMouseButton.new()
	click.button_index = BUTTON_LEFT
	click.pressed = true
	click.position = scene.get_node("Camera").unproject_position(trunk.translation)
	scene.get_node("Camera").get_viewport().unhandled_input(click)
	var pushes := []
	while pushes.empty():
		var state = scene.client.get_state(scene.world, scene.client.PUSHES)
		yield(state, "arrived")
		pushes = state.result.pushes
	equal(pushes[0].body, 0)
	var direction := Vector3(pushes[0].force[0], pushes[0].force[1], pushes[0].force[2])
	equal(abs(direction.length() - 150) < 0.01, true)
	equal(direction.x > 100, true)  # away from the camera, which is behind the character
