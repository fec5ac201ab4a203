# The answer to a request: `yield(client.push(...), "arrived")`, then look at `error` and `result`.
extends Reference

signal arrived

const NOT_FOUND := 5
const INVALID_ARGUMENT := 3
const UNAVAILABLE := 14

var done := false
var code := 0  # of StatusCode in proto/troupe/session.proto; 0: done
var error := ""  # what was wrong and what was expected; empty: nothing
var result = null  # the answer's message as a Dictionary; null if it has none


func finish(with_code: int, with_error: String, with_result = null) -> void:
	done = true
	code = with_code
	error = with_error if with_error or with_code == 0 else "status %d" % with_code
	result = with_result
	emit_signal("arrived")
