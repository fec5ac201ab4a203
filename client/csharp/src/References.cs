using System;
using System.Collections.Generic;
using System.Linq;
using Troupe.Messages;

namespace Troupe {
    /// <summary>A world by its id or its name.</summary>
    public struct WorldRef {
        public readonly uint Id;
        public readonly string Name;

        private WorldRef(uint id, string name) {
            Id = id;
            Name = name;
        }

        public static implicit operator WorldRef(uint id) { return new WorldRef(id, null); }
        public static implicit operator WorldRef(string name) { return new WorldRef(0, Require.Name("world", name)); }
        public static implicit operator WorldRef(WorldInfo world) { return new WorldRef(world.Id, null); }
    }

    /// <summary>A character or object by its id, a character by its label, or an object by its name.</summary>
    public struct EntityRef {
        public readonly uint Id;
        public readonly string Label;

        private EntityRef(uint id, string label) {
            Id = id;
            Label = label;
        }

        public static implicit operator EntityRef(uint id) { return new EntityRef(id, null); }
        public static implicit operator EntityRef(string label) { return new EntityRef(0, Require.Name("entity", label)); }
    }

    /// <summary>Ids by name. The daemon is asked once for each name; ids are never reused, so that an id that has become wrong is
    /// refused with NotFound, and then all are forgotten.</summary>
    internal sealed class Names {
        private readonly Client client;
        private readonly Dictionary<string, uint> worlds = new Dictionary<string, uint>();
        private readonly Dictionary<KeyValuePair<uint, string>, uint> entities = new Dictionary<KeyValuePair<uint, string>, uint>();

        public Names(Client client) { this.client = client; }

        /// <summary>Lookups answered without the daemon.</summary>
        public int Remembered { get; private set; }

        public void Forget() {
            worlds.Clear();
            entities.Clear();
        }

        public uint World(WorldRef world) {
            if (world.Name == null) return world.Id;
            uint id;
            if (worlds.TryGetValue(world.Name, out id)) {
                ++Remembered;
                return id;
            }
            List<WorldInfo> all = client.Ask(Requests.ListWorlds());
            WorldInfo found = all.FirstOrDefault(each => each.Name == world.Name);
            if (found == null) throw Unknown("world", world.Name, all.Select(each => each.Name));
            return worlds[world.Name] = found.Id;
        }

        public uint Entity(uint world, EntityRef entity) {
            if (entity.Label == null) return entity.Id;
            uint id;
            var place = new KeyValuePair<uint, string>(world, entity.Label);
            if (entities.TryGetValue(place, out id)) {
                ++Remembered;
                return id;
            }
            WorldState state = client.Ask(Requests.GetState(world));
            var all = state.Characters.Select(each => new KeyValuePair<string, uint>(each.Label, each.Entity))
                .Concat(state.Objects.Select(each => new KeyValuePair<string, uint>(each.Name, each.Entity))).ToList();
            var found = all.Where(each => each.Key == entity.Label).ToList();
            if (found.Count > 1)
                throw new ArgumentException("entity: " + found.Count + " entities are called '" + entity.Label + "': expected an id");
            if (found.Count == 0) throw Unknown("entity", entity.Label, all.Select(each => each.Key));
            return entities[place] = found[0].Value;
        }

        private static RefusedException Unknown(string argument, string name, IEnumerable<string> others) {
            string known = string.Join(", ", others.Where(each => each != "").ToArray());
            return new RefusedException(StatusCode.NotFound,
                argument + ": nothing is called '" + name + "': expected " + (known == "" ? "an id; nothing has a name" : "one of " + known));
        }
    }

    /// <summary>Checks of arguments; each error names the argument.</summary>
    internal static class Require {
        public static string Name(string argument, string name) {
            if (string.IsNullOrEmpty(name)) throw new ArgumentException(argument + ": empty: expected a name or an id");
            return name;
        }

        public static double Finite(string argument, double value) {
            if (double.IsNaN(value) || double.IsInfinity(value))
                throw new ArgumentException(argument + ": " + value + ": expected a finite number");
            return value;
        }

        public static Vec3 Vector(string argument, Vec3 value) {
            if (value == null) throw new ArgumentNullException(argument, argument + ": expected a vector");
            Finite(argument + ".x", value.X);
            Finite(argument + ".y", value.Y);
            Finite(argument + ".z", value.Z);
            return value;
        }
    }
}
