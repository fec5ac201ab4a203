# A group of tests: its methods named test_*, each of which may yield. Ends with 0 if all pass.
# Usage: godot3-server --path PROJECT -s GROUP.gd; the port is in TROUPE_TEST_PORT.
extends SceneTree

const Client := preload("res://addons/troupe/client.gd")

var port := int(OS.get_environment("TROUPE_TEST_PORT"))
var failed := 0
var _current := ""


func _init() -> void:
	call_deferred("_run")


func _run() -> void:
	for each in get_method_list():
		if each.name.begins_with("test_"):
			_current = each.name
			var before := failed
			var state = call(each.name)
			if state is GDScriptFunctionState:
				yield(state, "completed")
			print("ok " + _current if failed == before else "FAILED " + _current)
	quit(1 if failed else 0)


func equal(found, expected) -> void:
	if typeof(found) != typeof(expected) or found != expected:
		failed += 1
		print("%s: found %s, expected %s" % [_current, found, expected])


func contains(found: String, part: String) -> void:
	if not part in found:
		failed += 1
		print("%s: '%s' does not contain '%s'" % [_current, found, part])


func near(found: Vector3, expected: Vector3) -> void:
	if found.distance_to(expected) > 1e-5:
		failed += 1
		print("%s: found %s, expected %s" % [_current, found, expected])


# A client in the tree; `yield` its greeting before the first request.
func make_client() -> Client:
	var client := Client.new()
	root.add_child(client)
	return client
