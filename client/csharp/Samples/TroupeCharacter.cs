// A character of Troupe in Unity: add this to an object whose children are bones, named as the bodies of the model and in its rest
// pose, looking along the object's z axis. W walks, with Shift runs, A and D turn, and a click pushes the body under the mouse.
using System;
using System.Collections.Generic;
using Troupe;
using Troupe.Messages;
using UnityEngine;

/// <summary>Between Troupe's axes (x forward, y left, z up, right-handed) and Unity's (x right, y up, z forward, left-handed), both in
/// metres. The change mirrors, so the axis of a rotation takes the opposite sign of a vector.</summary>
public static class TroupeSpace {
    public static Vector3 Position(IList<float> pos, int at) { return new Vector3(-pos[at + 1], pos[at + 2], pos[at]); }

    /// <summary>Troupe's order is (w, x, y, z), Unity's is (x, y, z, w).</summary>
    public static Quaternion Rotation(float w, float x, float y, float z) { return new Quaternion(y, -z, -x, w); }

    public static Quaternion Rotation(IList<float> rot, int at) { return Rotation(rot[at], rot[at + 1], rot[at + 2], rot[at + 3]); }

    public static Vec3 Vector(Vector3 v) { return new Vec3(v.z, -v.x, v.y); }
}

public sealed class TroupeCharacter : MonoBehaviour {
    public string host = "127.0.0.1";
    public int port = 7400;
    public string key = "";
    public string world = "unity";
    public string controller = "hero";
    public string label = "ada";
    public string standing = "stand", walking = "walk", running = "run"; // skills of the controller
    public float pushNewtons = 150, pushSeconds = 0.2f, reachMetres = 0.3f, turnRadPerSecond = 2;

    private const float SteerAgainRad = 0.1f;
    private Client client;
    private uint entity;
    private ModelDetail model;
    private Transform[] bones;      // by body; null: the rig has no such bone
    private Quaternion[] offsets;   // from a body's rotation to its bone's
    private float heading, sentHeading;
    private string sentSkill = "";

    /// <summary>Disabled until all of it has worked: without a daemon there is nothing to update.</summary>
    private void Start() {
        enabled = false;
        client = new Client(new ClientOptions { Host = host, Port = port, Key = key, Name = "unity", TimeoutS = 5 });
        if (!client.Ask(Requests.ListWorlds()).Exists(each => each.Name == world))
            client.Ask(Requests.CreateWorld(world, definition: new CreateWorld { OwnerLeaves = OwnerLeaves.Destroy }));
        entity = client.Ask(Requests.SpawnCharacter(world, controller, label: label)).Entity;
        model = client.Ask(Requests.GetModel(client.Ask(Requests.GetController(controller)).Summary.Model));
        BindBones();
        client.Ask(Requests.Subscribe(world, 60, StateField.Bodies));
        enabled = true;
    }

    /// <summary>A world that this made ends with its session; in any other world the character must not stay behind.</summary>
    private void OnDestroy() {
        if (client == null) return;
        try {
            client.Ask(Requests.Despawn(world, entity));
        } catch (Exception error) when (error is DisconnectedException || error is RefusedException || error is TimeoutException) {
            Debug.LogWarning(error.Message);
        }
        client.Dispose();
    }

    private void Update() {
        try {
            Advance();
        } catch (DisconnectedException error) {
            Debug.LogWarning(error.Message);
            enabled = false;
        }
    }

    private void Advance() {
        client.Poll();
        List<WorldState> states = client.TakeStates();
        if (states.Count > 0) MoveBones(states[states.Count - 1]);
        SteerByKeys();
        if (Input.GetMouseButtonDown(0)) PushAt(Camera.main.ScreenPointToRay(Input.mousePosition));
    }

    /// <summary>Finds the bones by name, and how each is turned against its body at rest.</summary>
    private void BindBones() {
        bones = new Transform[model.Bodies.Count];
        offsets = new Quaternion[bones.Length];
        var rest = new Quaternion[bones.Length];
        var named = new Dictionary<string, Transform>();
        foreach (Transform each in GetComponentsInChildren<Transform>()) named[each.name] = each;
        for (int i = 0; i < bones.Length; ++i) {
            ModelBody body = model.Bodies[i];
            Quaternion own = body.Rot == null ? Quaternion.identity
                : TroupeSpace.Rotation((float)body.Rot.W, (float)body.Rot.X, (float)body.Rot.Y, (float)body.Rot.Z);
            rest[i] = body.Parent < 0 ? own : rest[body.Parent] * own;
            if (!named.TryGetValue(body.Name, out bones[i])) Debug.LogWarning("no bone is named " + body.Name + ": that body is not shown");
            else offsets[i] = Quaternion.Inverse(rest[i]) * Quaternion.Inverse(transform.rotation) * bones[i].rotation;
        }
    }

    /// <summary>Turns each bone as its body, parents first; the root is also moved.</summary>
    private void MoveBones(WorldState state) {
        CharacterState self = state.Characters.Find(each => each.Entity == entity);
        if (self == null) return;
        for (int i = 0; i < bones.Length; ++i) {
            if (bones[i] == null) continue;
            if (i == 0) bones[i].position = TroupeSpace.Position(self.BodyPos, 0);
            bones[i].rotation = TroupeSpace.Rotation(self.BodyRot, 4 * i) * offsets[i];
        }
    }

    private void SteerByKeys() {
        if (Input.GetKey(KeyCode.A)) heading += turnRadPerSecond * Time.deltaTime; // Troupe's headings count to the left
        if (Input.GetKey(KeyCode.D)) heading -= turnRadPerSecond * Time.deltaTime;
        string skill = !Input.GetKey(KeyCode.W) ? standing : Input.GetKey(KeyCode.LeftShift) ? running : walking;
        if (skill == sentSkill && Mathf.Abs(heading - sentHeading) < SteerAgainRad) return;
        if (skill == standing) client.Send(Requests.Steer(world, entity, skill: skill), Refused);
        else client.Send(Requests.Steer(world, entity, headingRad: heading, skill: skill), Refused);
        sentSkill = skill;
        sentHeading = heading;
    }

    /// <summary>Pushes the body whose bone is nearest to the ray, along the ray.</summary>
    private void PushAt(Ray ray) {
        int nearest = -1;
        float least = reachMetres;
        for (int i = 0; i < bones.Length; ++i) {
            if (bones[i] == null) continue;
            float distance = Vector3.Cross(ray.direction, bones[i].position - ray.origin).magnitude;
            if (distance >= least) continue;
            least = distance;
            nearest = i;
        }
        if (nearest < 0) return;
        Vec3 force = TroupeSpace.Vector(ray.direction * pushNewtons);
        client.Send(Requests.Push(world, entity, force, pushSeconds, body: model.Bodies[nearest].Name), Refused);
    }

    private static void Refused(RefusedException error) { Debug.LogWarning(error.Message); }
}
