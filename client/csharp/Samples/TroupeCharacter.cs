// A character of Troupe in Unity: add this to a rigged figure as it was bound, in T or A pose, looking along the object's z axis, and set
// `map` to a file of client/rigs, or to what `troupe-train body --map` wrote (empty: bones are named as the bodies). W walks, with
// Shift runs, A and D turn, and a click pushes the body under the mouse.
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

    public static double[] Point(Vector3 v) { return new double[] { v.z, -v.x, v.y }; }

    public static double[] Turn(Quaternion q) { return new double[] { q.w, -q.z, q.x, -q.y }; }
}

public sealed class TroupeCharacter : MonoBehaviour {
    public string host = "127.0.0.1";
    public int port = 7400;
    public string key = "";
    public TextAsset map;
    public string world = "unity";
    public string controller = "hero";
    public string label = "ada";
    public string standing = "stand", walking = "walk", running = "run"; // skills of the controller
    public float pushNewtons = 150, pushSeconds = 0.2f, reachMetres = 0.3f, turnRadPerSecond = 2;

    private const float SteerAgainRad = 0.1f;
    private Client client;
    private uint entity;
    private ModelDetail model;
    private readonly Dictionary<string, Transform> bones = new Dictionary<string, Transform>();
    private Dictionary<string, string> names; // of the bones, by body
    private Retargeter retargeter;
    private readonly Playback playback = new Playback();
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
        foreach (WorldState state in client.TakeStates()) playback.Add(state, Time.realtimeSinceStartup);
        Shown self;
        if (playback.At(Time.realtimeSinceStartup).TryGetValue(entity, out self)) MoveBones(retargeter.Pose(self.BodyPos, self.BodyRot));
        SteerByKeys();
        if (Input.GetMouseButtonDown(0)) PushAt(Camera.main.ScreenPointToRay(Input.mousePosition));
    }

    /// <summary>The rig as it is bound, in Troupe's axes.</summary>
    private void BindBones() {
        var rig = new Dictionary<string, RigBone>();
        foreach (Transform each in GetComponentsInChildren<Transform>()) bones[each.name] = each;
        foreach (Transform each in bones.Values) {
            bool hangs = each.parent != null && bones.ContainsKey(each.parent.name);
            rig[each.name] = new RigBone {
                Parent = hangs ? each.parent.name : null, Pos = TroupeSpace.Point(each.position), Rot = TroupeSpace.Turn(each.rotation)
            };
        }
        names = new Dictionary<string, string>();
        foreach (ModelBody body in model.Bodies) if (rig.ContainsKey(body.Name)) names[body.Name] = body.Name;
        if (map != null) names = Retargeter.BonesOf(map.text);
        retargeter = new Retargeter(model.Bodies, rig, names);
    }

    /// <summary>Turns each bone in its parent; that of the hips is also moved.</summary>
    private void MoveBones(RigPose pose) {
        foreach (KeyValuePair<string, double[]> each in pose.Rotation) {
            double[] q = each.Value;
            bones[each.Key].localRotation = TroupeSpace.Rotation((float)q[0], (float)q[1], (float)q[2], (float)q[3]);
        }
        bones[pose.Root].position = TroupeSpace.Position(Array.ConvertAll(pose.RootPos, v => (float)v), 0);
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
        string nearest = null;
        float least = reachMetres;
        foreach (KeyValuePair<string, string> each in names) {
            float distance = Vector3.Cross(ray.direction, bones[each.Value].position - ray.origin).magnitude;
            if (distance >= least) continue;
            least = distance;
            nearest = each.Key;
        }
        if (nearest == null) return;
        Vec3 force = TroupeSpace.Vector(ray.direction * pushNewtons);
        client.Send(Requests.Push(world, entity, force, pushSeconds, body: nearest), Refused);
    }

    private static void Refused(RefusedException error) { Debug.LogWarning(error.Message); }
}
