namespace Troupe.Messages {
    public sealed partial class Vec3 {
        public Vec3() { }

        public Vec3(double x, double y, double z) {
            X = x;
            Y = y;
            Z = z;
        }
    }

    public sealed partial class Quat {
        public Quat() { }

        public Quat(double w, double x, double y, double z) {
            W = w;
            X = x;
            Y = y;
            Z = z;
        }
    }
}
