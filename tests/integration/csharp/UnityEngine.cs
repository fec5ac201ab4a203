// The few types of UnityEngine that the sample uses, with Unity's conventions, so that it runs without Unity.
using System;
using System.Collections.Generic;

namespace UnityEngine {
    public struct Vector3 {
        public float x, y, z;

        public Vector3(float x, float y, float z) {
            this.x = x;
            this.y = y;
            this.z = z;
        }

        public float magnitude { get { return Mathf.Sqrt(x * x + y * y + z * z); } }
        public static Vector3 operator -(Vector3 a, Vector3 b) { return new Vector3(a.x - b.x, a.y - b.y, a.z - b.z); }
        public static Vector3 operator *(Vector3 a, float by) { return new Vector3(a.x * by, a.y * by, a.z * by); }

        public static Vector3 Cross(Vector3 a, Vector3 b) {
            return new Vector3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
        }
    }

    public struct Quaternion {
        public float x, y, z, w;

        public Quaternion(float x, float y, float z, float w) {
            this.x = x;
            this.y = y;
            this.z = z;
            this.w = w;
        }

        public static Quaternion identity { get { return new Quaternion(0, 0, 0, 1); } }
        public static Quaternion Inverse(Quaternion a) { return new Quaternion(-a.x, -a.y, -a.z, a.w); }

        public static Quaternion operator *(Quaternion a, Quaternion b) {
            return new Quaternion(a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y, a.w * b.y + a.y * b.w + a.z * b.x - a.x * b.z,
                                  a.w * b.z + a.z * b.w + a.x * b.y - a.y * b.x, a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z);
        }

        public static Vector3 operator *(Quaternion a, Vector3 v) {
            Quaternion turned = a * new Quaternion(v.x, v.y, v.z, 0) * Inverse(a);
            return new Vector3(turned.x, turned.y, turned.z);
        }
    }

    public sealed class Transform {
        public string name;
        public Vector3 position;
        public Quaternion rotation = Quaternion.identity, localRotation = Quaternion.identity;
        public Transform parent;
    }

    public class MonoBehaviour {
        public bool enabled = true;
        public readonly Transform transform = new Transform();
        public readonly List<Transform> Children = new List<Transform>();

        public T[] GetComponentsInChildren<T>() { return (T[])(object)Children.ToArray(); }
    }

    public enum KeyCode { None, A, D, W, LeftShift }

    public static class Input {
        public static readonly HashSet<KeyCode> Held = new HashSet<KeyCode>();
        public static bool Clicked;

        public static Vector3 mousePosition { get { return new Vector3(); } }
        public static bool GetKey(KeyCode key) { return Held.Contains(key); }
        public static bool GetMouseButtonDown(int button) { return button == 0 && Clicked; }
    }

    public struct Ray {
        public Vector3 origin, direction;
    }

    public sealed class Camera {
        public static readonly Camera main = new Camera();
        public Ray Aim;

        public Ray ScreenPointToRay(Vector3 point) { return Aim; }
    }

    public sealed class TextAsset {
        public string text;
    }

    public static class Time {
        private static readonly DateTime began = DateTime.UtcNow;
        public static float realtimeSinceStartup { get { return (float)(DateTime.UtcNow - began).TotalSeconds; } }
        public static float deltaTime = 1 / 60f;
    }

    public static class Mathf {
        public static float Abs(float value) { return Math.Abs(value); }
        public static float Sqrt(float value) { return (float)Math.Sqrt(value); }
    }

    public static class Debug {
        public static readonly List<string> Warnings = new List<string>();

        public static void LogWarning(object message) { Warnings.Add(message.ToString()); }
    }
}
