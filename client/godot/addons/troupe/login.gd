# One login with a key, NAME.SECRET, which is never sent: SCRAM-SHA-256 (RFC 5802, RFC 7677) without channel binding; proto/scram.h
# has the equations. Send first() and the result of last(), and pass the daemon's proof to check(). After an error `error` says
# what was wrong.
extends Reference

const MECHANISM := "SCRAM-SHA-256"
const HEADER := "n,,"
const ITERATIONS_MIN := 4096
const ITERATIONS_MAX := 1000000
const BLOCK := 64  # bytes of a block of SHA-256

var error := ""
var _bare := ""
var _nonce := ""
var _password := ""
var _signature := ""


# nonce, password: for tests.
func _init(key: String, mechanisms: Array, nonce := "", password := "") -> void:
	var parts := _match("^([a-z0-9-]{1,47})\\.([A-Za-z0-9_-]{64})$", key.strip_edges())
	if parts == null:
		error = "key: not a key: expected NAME.SECRET, as printed by trouped --make-key"
	elif not MECHANISM in mechanisms:
		error = "the daemon does not offer %s, the login of this client: it is older" % MECHANISM
	else:
		_nonce = nonce if nonce else Marshalls.raw_to_base64(Crypto.new().generate_random_bytes(24))
		_password = password if password else parts.get_string(2)
		_bare = "n=%s,r=%s" % [parts.get_string(1), _nonce]


# client-first.
func first() -> String:
	return HEADER + _bare


# client-final, for the daemon's server-first. Takes a part of a second: thousands of hashes in GDScript.
func last(server_first: String) -> String:
	var parts := _match("^r=([!-+\\x2D-~]+),s=([A-Za-z0-9+/]+={0,2}),i=([1-9][0-9]{3,6})(?:,.*)?$", server_first)
	if parts == null or not parts.get_string(1).begins_with(_nonce) or parts.get_string(1) == _nonce:
		return _fail("the daemon's answer to the login is not SCRAM's server-first")
	var iterations := int(parts.get_string(3))
	if iterations < ITERATIONS_MIN or iterations > ITERATIONS_MAX:
		return _fail("the daemon asks for %d iterations: expected %d to %d" % [iterations, ITERATIONS_MIN, ITERATIONS_MAX])
	var salt := Marshalls.base64_to_raw(parts.get_string(2))
	if salt.size() == 0:
		return _fail("the daemon's salt is not base64: " + parts.get_string(2))
	var salted := _stretch(_password.to_ascii(), salt, iterations)
	var client_key := _mac(_pads(salted), "Client Key".to_ascii())
	var bare := "c=%s,r=%s" % [Marshalls.raw_to_base64(HEADER.to_ascii()), parts.get_string(1)]
	var message := ("%s,%s,%s" % [_bare, server_first, bare]).to_ascii()
	var pad := _mac(_pads(_sha(client_key)), message)
	_signature = "v=" + Marshalls.raw_to_base64(_mac(_pads(_mac(_pads(salted), "Server Key".to_ascii())), message))
	return bare + ",p=" + Marshalls.raw_to_base64(_xor(client_key, pad))


# Whether the daemon has proved that it knows the key.
func check(server_final: String) -> bool:
	if _signature and server_final == _signature:
		return true
	_fail("the daemon has not shown that it knows this key: it may be a different daemon")
	return false


func _fail(what: String) -> String:
	error = what
	return ""


static func _match(pattern: String, text: String) -> RegExMatch:
	var expression := RegEx.new()
	expression.compile(pattern)
	return expression.search(text)


# PBKDF2 (RFC 8018), one block of SHA-256.
static func _stretch(password: PoolByteArray, salt: PoolByteArray, iterations: int) -> PoolByteArray:
	var pads := _pads(password)
	var turn := _mac(pads, salt + PoolByteArray([0, 0, 0, 1]))
	var sum := turn
	for i in iterations - 1:
		turn = _mac(pads, turn)
		sum = _xor(sum, turn)
	return sum


# The two blocks that HMAC (RFC 2104) begins with.
static func _pads(key: PoolByteArray) -> Array:
	var block := _sha(key) if key.size() > BLOCK else key
	var inner := PoolByteArray()
	var outer := PoolByteArray()
	for i in BLOCK:
		var byte := block[i] if i < block.size() else 0
		inner.append(byte ^ 0x36)
		outer.append(byte ^ 0x5C)
	return [inner, outer]


static func _mac(pads: Array, text: PoolByteArray) -> PoolByteArray:
	return _sha(pads[1] + _sha(pads[0] + text))


static func _sha(bytes: PoolByteArray) -> PoolByteArray:
	var context := HashingContext.new()
	context.start(HashingContext.HASH_SHA256)
	context.update(bytes)
	return context.finish()


static func _xor(a: PoolByteArray, b: PoolByteArray) -> PoolByteArray:
	var out := PoolByteArray()
	for i in a.size():
		out.append(a[i] ^ b[i])
	return out
