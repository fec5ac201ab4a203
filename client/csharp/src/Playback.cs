using System;
using System.Collections.Generic;
using Troupe.Messages;

namespace Troupe {
    /// <summary>A character at the time of a picture; BodyPos: [bodies][3] m, BodyRot: [bodies][4].</summary>
    public sealed class Shown {
        public uint Entity;
        public string Label;
        public float[] BodyPos, BodyRot;
    }

    /// <summary>States at the time of a picture: between the two that surround it, a little behind the newest. The clock of the world is
    /// followed by the states that arrived with the least delay, so that uneven arrival does not show. Ask for
    /// StateField.Bodies.</summary>
    public sealed class Playback {
        private const int Kept = 64;
        private const double Drift = 0.002; // seconds for each second: how fast the followed clock may give way

        private readonly List<WorldState> states = new List<WorldState>();
        private double ahead, heardS; // the world's time less the local time, of the quickest arrivals
        public readonly double DelayS;

        public Playback(double delayS = 0.1) { DelayS = delayS; }

        /// <summary>Takes a state; one that is not newer than the last begins anew: the world was reset.</summary>
        public void Add(WorldState state, double arrivedS) {
            if (states.Count > 0 && state.TimeS <= states[states.Count - 1].TimeS) states.Clear();
            double now = state.TimeS - arrivedS;
            ahead = states.Count == 0 ? now : Math.Max(now, ahead - Drift * (arrivedS - heardS));
            heardS = arrivedS;
            states.Add(state);
            if (states.Count > Kept) states.RemoveAt(0);
        }

        /// <summary>The world's time that is shown at a local time; 0 before the first state.</summary>
        public double TimeS(double nowS) { return states.Count == 0 ? 0 : nowS + ahead - DelayS; }

        /// <summary>The characters by entity; empty before the first state. Beyond the newest state they stay as they are
        /// there.</summary>
        public Dictionary<uint, Shown> At(double nowS) {
            var shown = new Dictionary<uint, Shown>();
            if (states.Count == 0) return shown;
            double timeS = TimeS(nowS);
            int later = states.FindIndex(each => each.TimeS >= timeS);
            if (later < 0) later = states.Count - 1;
            WorldState b = states[later], a = states[Math.Max(later - 1, 0)];
            double span = b.TimeS - a.TimeS;
            double share = span > 0 ? Math.Min(Math.Max((timeS - a.TimeS) / span, 0), 1) : 1;
            foreach (CharacterState each in b.Characters) {
                CharacterState before = a.Characters.Find(other => other.Entity == each.Entity);
                bool same = before != null && before.BodyPos.Count == each.BodyPos.Count;
                shown[each.Entity] = Between(same ? before : each, each, (float)share);
            }
            return shown;
        }

        private static Shown Between(CharacterState a, CharacterState b, float share) {
            var shown = new Shown { Entity = b.Entity, Label = b.Label, BodyPos = new float[b.BodyPos.Count], BodyRot = new float[b.BodyRot.Count] };
            for (int i = 0; i < shown.BodyPos.Length; ++i) shown.BodyPos[i] = a.BodyPos[i] + share * (b.BodyPos[i] - a.BodyPos[i]);
            for (int i = 0; i < shown.BodyRot.Length; i += 4) TurnBetween(a.BodyRot, b.BodyRot, i, share, shown.BodyRot);
            return shown;
        }

        /// <summary>Along the chord, then to unit length.</summary>
        private static void TurnBetween(IList<float> p, IList<float> q, int at, float share, float[] result) {
            float dot = 0, square = 0;
            for (int k = at; k < at + 4; ++k) dot += p[k] * q[k];
            for (int k = at; k < at + 4; ++k) {
                result[k] = p[k] + share * ((dot < 0 ? -q[k] : q[k]) - p[k]);
                square += result[k] * result[k];
            }
            float size = square > 0 ? (float)Math.Sqrt(square) : 1;
            for (int k = at; k < at + 4; ++k) result[k] /= size;
        }
    }
}
