using System;
using System.Collections.Generic;
using Troupe.Messages;

namespace Troupe {
    /// <summary>Compact poses (StateField.Compact) back to the arrays of a state: "Compact states" of PROTOCOL.md. Such a state has
    /// no time either: TimeS is its Tick times WorldInfo.StepS.</summary>
    public static class Poses {
        private const double Levels = 180; // of a rotation's components, per unit
        private const int Other = 7; // the form of a rotation whose largest component is not w

        private sealed class Bits {
            private readonly byte[] bytes;
            private int at;

            public Bits(byte[] bytes) { this.bytes = bytes; }

            public int Left { get { return 8 * bytes.Length - at; } }

            public int Take(int width) {
                int value = 0;
                for (int i = 0; i < width; ++i, ++at)
                    if (at < 8 * bytes.Length) value |= (bytes[at / 8] >> at % 8 & 1) << i;
                return value;
            }

            public int Signed(int width) {
                int value = Take(width);
                return width > 0 && value >> (width - 1) != 0 ? value - (1 << width) : value;
            }

            public double Metres() { return Signed(Take(5)) / 1000.0; }

            public double[] Rotation() {
                int form = Take(3), largest = form == Other ? Take(2) : 0, width = form == Other ? 8 : form > 0 ? form + 2 : 0;
                var q = new double[4];
                double rest = 1;
                for (int i = 0; i < 4; ++i) {
                    if (i == largest) continue;
                    q[i] = Signed(width) / Levels;
                    rest -= q[i] * q[i];
                }
                q[largest] = Math.Sqrt(Math.Max(0, rest));
                return q;
            }

            public double Angle() { return Signed(10) * Math.PI / 512; }
        }

        /// <summary>Sets RootPos, RootRot, JointRot, BodyPos and BodyRot. bodies: of the character's model, which a state without
        /// StateField.Compact names. ArgumentException: the pose is of another model.</summary>
        public static void Unpack(CharacterState character, IList<ModelBody> bodies) {
            var bits = new Bits(character.Pose);
            var pos = new List<double[]> { new[] { bits.Metres(), bits.Metres(), bits.Metres() } };
            var rot = new List<double[]> { bits.Rotation() };
            var joint = new List<double[]> { new double[] { 1, 0, 0, 0 } };
            for (int i = 1; i < bodies.Count; ++i) {
                ModelBody body = bodies[i];
                double[] own = body.Rot == null ? joint[0] : new[] { body.Rot.W, body.Rot.X, body.Rot.Y, body.Rot.Z };
                double[] above = rot[body.Parent], anchor = Of(body.Anchor);
                bool slides = body.Joint == JointKind.Slide, single = slides || body.Joint == JointKind.Hinge;
                double angle = single ? bits.Angle() : 0;
                double[] axis = Of(body.Axis), shift = Retargeter.Times(axis, slides ? angle : 0);
                joint.Add(single ? About(axis, angle) : bits.Rotation());
                rot.Add(Retargeter.Multiply(above, own));
                if (!slides) rot[i] = Retargeter.Multiply(rot[i], joint[i]);
                // The body turns about the joint's centre, which is fixed in both bodies. A slide shifts it by as many m as its
                // angle has rad.
                double[] moved = Retargeter.Plus(anchor, shift);
                double[] centre = Retargeter.Turn(above, Retargeter.Plus(Of(body.Pos), Retargeter.Turn(own, moved)));
                pos.Add(Retargeter.Minus(Retargeter.Plus(pos[body.Parent], centre), Retargeter.Turn(rot[i], anchor)));
            }
            if (bits.Left < 0 || bits.Left >= 8)
                throw new ArgumentException("a pose of " + character.Pose.Length + " bytes is not of a model with these " + bodies.Count + " bodies");
            Fill(character.RootPos, pos.GetRange(0, 1));
            Fill(character.RootRot, rot.GetRange(0, 1));
            Fill(character.JointRot, joint);
            Fill(character.BodyPos, pos);
            Fill(character.BodyRot, rot);
        }

        private static double[] About(double[] axis, double angle) {
            double s = Math.Sin(angle / 2);
            return new[] { Math.Cos(angle / 2), s * axis[0], s * axis[1], s * axis[2] };
        }

        private static double[] Of(Vec3 v) { return v == null ? new double[3] : new[] { v.X, v.Y, v.Z }; }

        private static void Fill(List<float> array, List<double[]> rows) {
            array.Clear();
            foreach (double[] row in rows)
                foreach (double value in row) array.Add((float)value);
        }
    }
}
