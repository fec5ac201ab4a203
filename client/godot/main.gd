# A character that is moved by the daemon's states. W walks, with Shift runs, A and D turn, and a click pushes the body under the mouse.
extends Spatial

export var host := "127.0.0.1"
export var port := 7400
export var key := ""
export var world := "godot"
export var controller := "hero"
export var label := "ada"
export var standing := "stand"  # skills of the controller
export var walking := "walk"
export var running := "run"
export var push_newtons := 150.0
export var push_seconds := 0.2

const Space := preload("res://addons/troupe/space.gd")
const REACH_M := 0.3  # of the mouse, from the centre of a body
const TURN_RAD_S := 2.0
const STEER_AGAIN_RAD := 0.1
const CAMERA_BEHIND := Vector3(0, 1.2, 5)
const LIMB_RADIUS := 0.05

var model = null
var alive := false  # the character lives
var entity := 0
var _heading := 0.0  # about Troupe's z: to the left
var _sent_heading := 0.0
var _sent_skill := ""

onready var client = $Client
onready var bodies := $Bodies


func _ready() -> void:
	client.connect("state_arrived", self, "_show")
	client.connect("closed", self, "_say")
	var steps := [["connect_to", [host, port, key]], ["list_worlds", []], ["spawn", [world, controller, {"label": label}]],
		["get_controller", []], ["get_model", []], ["subscribe", [world, 60, client.BODIES]]]
	for step in steps:
		var answer = _begin(step[0], step[1])
		yield(answer, "arrived")
		if answer.error:
			_say(answer.error)
			return
		if step[0] == "list_worlds" and not _has_world(answer.result.worlds):
			yield(client.create_world(world, {"owner_leaves": "DESTROY"}), "arrived")
		elif step[0] == "spawn":
			entity = answer.result.entity
		elif step[0] == "get_controller":
			model = answer.result.summary.model
		elif step[0] == "get_model":
			model = answer.result
			_build()
	alive = true


# A world that this made ends with its session; in any other world the character must not stay behind.
func _exit_tree() -> void:
	if entity:
		client.command(world, "despawn", {"entity": entity})
	client.close()


func _begin(step: String, arguments: Array):
	match step:
		"list_worlds":
			return client.ask("list_worlds")
		"get_controller":
			return client.ask("get_controller", {"name": controller})
		"get_model":
			return client.ask("get_model", {"name": model})
	return client.callv(step, arguments)


func _has_world(worlds: Array) -> bool:
	for each in worlds:
		if each.name == world:
			return true
	return false


# A node for each body, with a limb to each of its children.
func _build() -> void:
	for body in model.bodies:
		var node := Spatial.new()
		node.name = body.name
		bodies.add_child(node)
		if body.parent >= 0:
			bodies.get_child(body.parent).add_child(_limb(Space.vector(body.pos)))
		else:
			node.add_child(_limb(Space.vector(body.com)))


# A capsule from a body's origin to a point in its frame.
static func _limb(to: Vector3) -> MeshInstance:
	var limb := MeshInstance.new()
	var capsule := CapsuleMesh.new()
	capsule.radius = LIMB_RADIUS
	capsule.mid_height = to.length()
	limb.mesh = capsule
	if to.length() > 0.001:
		var up := Vector3.UP if abs(to.normalized().y) < 0.9 else Vector3.RIGHT
		limb.transform = Transform.IDENTITY.looking_at(to, up)
	limb.translation = to / 2
	return limb


func _show(state: Dictionary) -> void:
	for character in state.characters:
		if character.entity != entity:
			continue
		for i in bodies.get_child_count():
			var basis := Basis(Space.rotation(character.body_rot, i))
			bodies.get_child(i).transform = Transform(basis, Space.position(character.body_pos, i))
		$Camera.translation = bodies.get_child(0).translation + CAMERA_BEHIND


func _process(delta: float) -> void:
	if not alive:
		return
	_heading += TURN_RAD_S * delta * (Input.get_action_strength("turn_left") - Input.get_action_strength("turn_right"))
	var skill := standing if not Input.is_action_pressed("walk") else running if Input.is_action_pressed("run") else walking
	if skill == _sent_skill and abs(_heading - _sent_heading) < STEER_AGAIN_RAD:
		return
	_sent_skill = skill
	_sent_heading = _heading
	_warn_of(client.steer(world, entity, {"skill": skill} if skill == standing else {"skill": skill, "heading_rad": _heading}))


func _unhandled_input(event: InputEvent) -> void:
	if alive and event is InputEventMouseButton and event.pressed and event.button_index == BUTTON_LEFT:
		_push_along($Camera.project_ray_origin(event.position), $Camera.project_ray_normal(event.position))


# Pushes the body that is nearest to the ray, along the ray.
func _push_along(origin: Vector3, direction: Vector3) -> void:
	var least := REACH_M
	var nearest := ""
	for body in bodies.get_children():
		var distance := direction.cross(body.translation - origin).length()
		if distance < least:
			least = distance
			nearest = body.name
	if nearest:
		_warn_of(client.push(world, entity, Space.to_troupe(direction * push_newtons), push_seconds, nearest))


func _warn_of(answer) -> void:
	yield(answer, "arrived")
	if answer.error:
		_say(answer.error)


func _say(what: String) -> void:
	push_warning("troupe: " + what)
