using System;
using System.Collections.Generic;
using System.Linq;
using System.Text.RegularExpressions;
using Troupe.Messages;

namespace Troupe {
    /// <summary>A bone as the mesh is bound to it. Pos [3], Rot [4] (w, x, y, z): in the rig's world, in right-handed axes; Parent:
    /// null for the root.</summary>
    public sealed class RigBone {
        public string Parent;
        public double[] Pos, Rot;
    }

    /// <summary>RootPos: of the bone of the hips, in the rig's world; Rotation: of every bone in its parent.</summary>
    public sealed class RigPose {
        public string Root;
        public double[] RootPos;
        public readonly Dictionary<string, double[]> Rotation = new Dictionary<string, double[]>();
    }

    /// <summary>States of a character as the bones of another rig, in any pose of binding, right-handed axes and units. Limbs point
    /// where the character's do; trunk, head and feet turn as its bodies. The hips are placed by the lengths of the legs.</summary>
    public sealed class Retargeter {
        private static readonly double[] Identity = { 1, 0, 0, 0 };
        private static readonly Dictionary<string, string> Parts = new Dictionary<string, string> { // of a joint map, by body
            { "pelvis", "hips" }, { "utorso", "chest" }, { "head", "head" }, { "luarm", "left_shoulder" }, { "llarm", "left_elbow" },
            { "lhand", "left_wrist" }, { "ruarm", "right_shoulder" }, { "rlarm", "right_elbow" }, { "rhand", "right_wrist" },
            { "lthigh", "left_hip" }, { "lshank", "left_knee" }, { "lfoot", "left_ankle" }, { "ltoe", "left_toe" },
            { "rthigh", "right_hip" }, { "rshank", "right_knee" }, { "rfoot", "right_ankle" }, { "rtoe", "right_toe" },
        };
        private static readonly Dictionary<string, string> Ends = new Dictionary<string, string> {
            { "uarm", "larm" }, { "larm", "hand" }, { "thigh", "shank" }, { "shank", "foot" },
        };
        private static readonly string[] Needed = { "pelvis", "lthigh", "lshank", "lfoot", "rthigh", "rshank", "rfoot" };

        private readonly IDictionary<string, RigBone> rig;
        private readonly IDictionary<string, string> bones;
        private readonly Dictionary<string, int> index = new Dictionary<string, int>();
        private readonly Dictionary<string, string> bodyOf = new Dictionary<string, string>();
        private readonly Dictionary<string, double[]> alignment = new Dictionary<string, double[]>();
        private readonly List<double[]> rest = new List<double[]>(), at = new List<double[]>();
        private readonly List<string> order = new List<string>();
        private readonly double[] axes, hips, joints;
        private readonly double scale;

        /// <summary>The bone of each body, from the text of a map of client/rigs, or of a joint map of `troupe-train body`.</summary>
        public static Dictionary<string, string> BonesOf(string json) {
            var pairs = new Dictionary<string, string>();
            foreach (System.Text.RegularExpressions.Match pair in Regex.Matches(json, "\"([^\"]+)\"\\s*:\\s*\"([^\"]*)\"")) pairs[pair.Groups[1].Value] = pair.Groups[2].Value;
            if (json.Contains("\"parts\"")) // of a joint map
                return Parts.Where(each => pairs.ContainsKey(each.Value)).ToDictionary(each => each.Key, each => pairs[each.Value]);
            pairs.Remove("name");
            pairs.Remove("description");
            return pairs;
        }

        /// <summary>Throws an ArgumentException if the map names a bone that the rig does not have, or legs are missing.</summary>
        public Retargeter(IList<ModelBody> bodies, IDictionary<string, RigBone> rig, IDictionary<string, string> bones) {
            this.rig = rig;
            this.bones = bones;
            for (int i = 0; i < bodies.Count; ++i) AddBody(bodies[i], i);
            foreach (KeyValuePair<string, string> each in bones) {
                if (!rig.ContainsKey(each.Value))
                    throw new ArgumentException("the rig has no bone '" + each.Value + "', which the map names for '" + each.Key + "'");
                if (index.ContainsKey(each.Key)) bodyOf[each.Value] = each.Key;
            }
            string missing = Array.Find(Needed, body => !bones.ContainsKey(body) || !index.ContainsKey(body));
            if (missing != null) throw new ArgumentException("expected bones and bodies for pelvis and legs; '" + missing + "' has none");
            foreach (string name in rig.Keys) AddBone(name, 0);
            axes = FindAxes();
            scale = Leg(Bound) / Leg(Place);
            hips = Minus(Bound("pelvis"), Times(Plus(Bound("lthigh"), Bound("rthigh")), 0.5));
            double[] middle = Times(Plus(Place("lthigh"), Place("rthigh")), 0.5);
            joints = Turn(Inverse(rest[index["pelvis"]]), Minus(middle, Place("pelvis")));
            foreach (string body in bodyOf.Values) alignment[body] = Align(body);
        }

        /// <summary>bodyPos: [bodies][3] and bodyRot: [bodies][4], flat, as a state or Shown has them.</summary>
        public RigPose Pose(IList<float> bodyPos, IList<float> bodyRot) {
            var pose = new RigPose { Root = bones["pelvis"], RootPos = RootOf(bodyPos, bodyRot) };
            var world = new Dictionary<string, double[]>();
            foreach (string name in order) {
                RigBone bone = rig[name];
                double[] parent = bone.Parent == null ? Identity : world[bone.Parent], local;
                if (bodyOf.TryGetValue(name, out string body)) local = Multiply(Inverse(parent), WorldOf(body, bodyRot));
                else local = Multiply(Inverse(bone.Parent == null ? Identity : rig[bone.Parent].Rot), bone.Rot);
                pose.Rotation[name] = local;
                world[name] = Multiply(parent, local);
            }
            return pose;
        }

        private void AddBody(ModelBody body, int i) {
            double[] own = body.Rot == null ? Identity : new[] { body.Rot.W, body.Rot.X, body.Rot.Y, body.Rot.Z };
            double[] pos = body.Pos == null ? new double[3] : new[] { body.Pos.X, body.Pos.Y, body.Pos.Z };
            index[body.Name] = i;
            rest.Add(body.Parent < 0 ? own : Multiply(rest[body.Parent], own));
            at.Add(body.Parent < 0 ? new double[3] : Plus(at[body.Parent], Turn(rest[body.Parent], pos)));
        }

        /// <summary>Parents first.</summary>
        private void AddBone(string name, int depth) {
            if (order.Contains(name)) return;
            if (!rig.ContainsKey(name) || depth > rig.Count) throw new ArgumentException("bone '" + name + "' is not in the rig, or hangs from itself");
            if (rig[name].Parent != null) AddBone(rig[name].Parent, depth + 1);
            order.Add(name);
        }

        private double[] Place(string body) { return at[index[body]]; }

        private double[] Bound(string body) { return rig[bones[body]].Pos; }

        /// <summary>From Troupe's axes to the rig's: left from hip to hip, up from the ankles to the hips.</summary>
        private double[] FindAxes() {
            double[] up = Snap(Minus(Plus(Bound("lthigh"), Bound("rthigh")), Plus(Bound("lfoot"), Bound("rfoot"))));
            double[] left = Snap(Minus(Bound("lthigh"), Bound("rthigh")));
            left = Unit(Minus(left, Times(up, Dot(left, up))));
            return FromColumns(Cross(left, up), left, up);
        }

        /// <summary>What turns the bone, as bound, to where its body points at rest. Hands follow forearms.</summary>
        private double[] Align(string body) {
            string source = body.EndsWith("hand") ? body[0] + "larm" : body, end;
            if (!Ends.TryGetValue(source.Substring(1), out end)) return Identity;
            end = source[0] + end;
            if (!bones.ContainsKey(source) || !bones.ContainsKey(end)) return Identity;
            double[] bound = Turn(Inverse(axes), Minus(Bound(end), Bound(source)));
            return Arc(Unit(bound), Unit(Minus(Place(end), Place(source))));
        }

        private double[] Turned(string body, IList<float> bodyRot) { return Multiply(RotAt(bodyRot, index[body]), Inverse(rest[index[body]])); }

        private double[] Into(double[] rot) { return Multiply(Multiply(axes, rot), Inverse(axes)); }

        private double[] WorldOf(string body, IList<float> bodyRot) {
            return Multiply(Into(Multiply(Turned(body, bodyRot), alignment[body])), rig[bones[body]].Rot);
        }

        private double[] RootOf(IList<float> bodyPos, IList<float> bodyRot) {
            int i = index["pelvis"];
            double[] pelvis = { bodyPos[3 * i], bodyPos[3 * i + 1], bodyPos[3 * i + 2] };
            double[] middle = Plus(pelvis, Turn(RotAt(bodyRot, i), joints));
            return Plus(Turn(axes, Times(middle, scale)), Turn(Into(Turned("pelvis", bodyRot)), hips));
        }

        private static double Leg(Func<string, double[]> place) {
            double sum = 0;
            foreach (string side in new[] { "l", "r" })
                sum += Length(Minus(place(side + "shank"), place(side + "thigh"))) + Length(Minus(place(side + "foot"), place(side + "shank")));
            return sum;
        }

        // --- vectors and rotations (w, x, y, z) ---

        private static double[] RotAt(IList<float> rot, int i) { return new double[] { rot[4 * i], rot[4 * i + 1], rot[4 * i + 2], rot[4 * i + 3] }; }

        internal static double[] Plus(double[] a, double[] b) { return new[] { a[0] + b[0], a[1] + b[1], a[2] + b[2] }; }

        internal static double[] Minus(double[] a, double[] b) { return new[] { a[0] - b[0], a[1] - b[1], a[2] - b[2] }; }

        internal static double[] Times(double[] a, double s) { return new[] { a[0] * s, a[1] * s, a[2] * s }; }

        private static double Dot(double[] a, double[] b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

        private static double[] Cross(double[] a, double[] b) {
            return new[] { a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0] };
        }

        private static double Length(double[] a) { return Math.Sqrt(Dot(a, a)); }

        private static double[] Unit(double[] a) {
            if (Length(a) == 0) throw new ArgumentException("two joints of the rig lie at one place");
            return Times(a, 1 / Length(a));
        }

        /// <summary>The nearest axis, if it is within 12 degrees.</summary>
        private static double[] Snap(double[] a) {
            double[] b = Unit(a), near = Array.ConvertAll(b, v => Math.Abs(v) > 0.978 ? Math.Sign(v) : 0.0);
            return Length(near) > 0 ? near : b;
        }

        internal static double[] Multiply(double[] a, double[] b) {
            return new[] {
                a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3], a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
                a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1], a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
            };
        }

        private static double[] Inverse(double[] a) { return new[] { a[0], -a[1], -a[2], -a[3] }; }

        internal static double[] Turn(double[] q, double[] v) {
            double[] turned = Multiply(Multiply(q, new[] { 0, v[0], v[1], v[2] }), Inverse(q));
            return new[] { turned[1], turned[2], turned[3] };
        }

        private static double[] ToUnit(double w, double x, double y, double z) {
            double size = Math.Sqrt(w * w + x * x + y * y + z * z);
            return new[] { w / size, x / size, y / size, z / size };
        }

        /// <summary>The shortest turn from one unit vector to another; of opposite ones about any axis at a right angle.</summary>
        private static double[] Arc(double[] a, double[] b) {
            double w = 1 + Dot(a, b);
            double[] c = w < 1e-9 ? Cross(a, Math.Abs(a[1]) < 0.9 ? new double[] { 0, 1, 0 } : new double[] { 1, 0, 0 }) : Cross(a, b);
            return ToUnit(w < 1e-9 ? 0 : w, c[0], c[1], c[2]);
        }

        /// <summary>The rotation whose matrix has these columns; the largest of the four terms is divided by (Shepperd 1978).</summary>
        private static double[] FromColumns(double[] x, double[] y, double[] z) {
            double trace = x[0] + y[1] + z[2];
            double[] terms = { trace, x[0], y[1], z[2] };
            switch (Array.IndexOf(terms, terms.Max())) {
            case 0: return ToUnit(1 + trace, y[2] - z[1], z[0] - x[2], x[1] - y[0]);
            case 1: return ToUnit(y[2] - z[1], 1 + 2 * x[0] - trace, x[1] + y[0], z[0] + x[2]);
            case 2: return ToUnit(z[0] - x[2], x[1] + y[0], 1 + 2 * y[1] - trace, y[2] + z[1]);
            default: return ToUnit(x[1] - y[0], z[0] + x[2], y[2] + z[1], 1 + 2 * z[2] - trace);
            }
        }
    }
}
