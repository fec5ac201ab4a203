# A daemon that ends when this has connected.
extends "test.gd"

var reason := ""


func test_the_daemons_reason_is_reported():
	var client := make_client()
	client.connect("closed", self, "_keep")
	yield(client.connect_to("127.0.0.1", port), "arrived")
	print("connected")
	while not reason:
		yield(self, "idle_frame")
	contains(reason, "shutting down")
	var late = client.ask("ping")
	yield(late, "arrived")
	contains(late.error, "there is no connection")


func _keep(why: String) -> void:
	reason = why
