# A daemon with a key, which TROUPE_TEST_KEY has.
extends "test.gd"


func test_a_key_logs_in():
	var client := make_client()
	var answer = client.connect_to("127.0.0.1", port, OS.get_environment("TROUPE_TEST_KEY"))
	yield(answer, "arrived")
	equal(answer.error, "")
	equal(client.welcome.role, Client.Wire.Schema.ENUMS.Role.DIRECTOR)
	var made = client.create_world("keys")
	yield(made, "arrived")
	equal(made.error, "")
	client.close()


func test_others_are_refused():
	for wrong in [["", "key"], ["script." + "A".repeat(64), "knows no such key"], ["script", "key: not a key"]]:
		var client := make_client()
		var answer = client.connect_to("127.0.0.1", port, wrong[0])
		yield(answer, "arrived")
		equal(answer.code in [client.Wire.Schema.ENUMS.StatusCode.UNAUTHENTICATED, client.Answer.UNAVAILABLE], true)
		contains(answer.error, wrong[1])
		equal(client.welcome, null)
