using System;
using System.Collections.Generic;
using System.Linq;
using Troupe.Messages;

namespace Troupe {
    /// <summary>Requests to the daemon, named as in proto/troupe. Worlds and entities are given by id or by name. Of commands,
    /// which change a world, atTick is the tick before which to apply; 0: as soon as possible. Any other request of the schema is
    /// made by Any, any other command by Command.</summary>
    public static class Requests {
        /// <summary>A request of the schema: Any(new ClientMessage { ListClips = new ListClips() }, answer => answer.ClipList).</summary>
        public static Request<T> Any<T>(ClientMessage message, Func<Response, T> read) { return new Request<T>(names => message, read); }

        /// <summary>A command of the schema: Command("yard", new Command { Throw = new Throw { ... } }).</summary>
        public static Request<CommandResult> Command(WorldRef world, Command command, long atTick = 0) {
            return Make(world, atTick, (names, id) => command);
        }

        // --- session ---

        internal static Request<HelloResult> Hello(string name, string scramFirst) {
            return Any(Greeting(name, scramFirst), answer => answer.Hello);
        }

        internal static Request<LoginChallenge> HelloWithKey(string name, string scramFirst) {
            return Any(Greeting(name, scramFirst), answer => answer.LoginChallenge);
        }

        internal static Request<HelloResult> Authenticate(string scramFinal) {
            return Any(new ClientMessage { Authenticate = new Authenticate { ScramFinal = scramFinal } }, answer => answer.Hello);
        }

        public static Request<Pong> Ping(byte[] payload = null) {
            return Any(new ClientMessage { Ping = new Ping { Payload = payload ?? new byte[0] } }, answer => answer.Pong);
        }

        // --- catalogue ---

        /// <summary>A page of controllers by name; token: of the page before.</summary>
        public static Request<ControllerList> ListControllers(string prefix = "", string skill = "", uint size = 0, string token = "") {
            var page = new Page { Size = size, Token = token };
            return Any(new ClientMessage { ListControllers = new ListControllers { Page = page, Prefix = prefix, Skill = skill } },
                answer => answer.ControllerList);
        }

        /// <summary>skill: lists only the skills of this name or with this tag.</summary>
        public static Request<ControllerDetail> GetController(string name, string skill = "") {
            return Any(new ClientMessage { GetController = new GetController { Name = Require.Name("name", name), Skill = skill } },
                answer => answer.Controller);
        }

        public static Request<ModelDetail> GetModel(string name) {
            return Any(new ClientMessage { GetModel = new GetModel { Name = Require.Name("name", name) } }, answer => answer.Model);
        }

        // --- worlds ---

        /// <summary>Makes a world. definition: all other fields of CreateWorld.</summary>
        public static Request<WorldInfo> CreateWorld(string name, WorldMode mode = WorldMode.RealTime, CreateWorld definition = null) {
            var made = definition ?? new CreateWorld();
            made.Name = Require.Name("name", name);
            made.Mode = mode;
            return Any(new ClientMessage { CreateWorld = made }, answer => answer.World);
        }

        public static Request<List<WorldInfo>> ListWorlds() {
            return Any(new ClientMessage { ListWorlds = new ListWorlds() }, answer => answer.WorldList.Worlds);
        }

        public static Request<WorldInfo> GetWorld(WorldRef world) {
            return About(world, id => new ClientMessage { GetWorld = new GetWorld { World = id } }, answer => answer.World);
        }

        public static Request<bool> DestroyWorld(WorldRef world) {
            return About(world, id => new ClientMessage { DestroyWorld = new DestroyWorld { World = id } }, answer => true);
        }

        /// <summary>States at rateHz of the world's time (0: none), with the given parts, and events.</summary>
        public static Request<SubscribeResult> Subscribe(WorldRef world, double rateHz, StateField fields = StateField.Default,
                                                         bool events = false) {
            Require.Finite("rateHz", rateHz);
            return About(world, id => new ClientMessage {
                Subscribe = new Subscribe { World = id, RateHz = rateHz, Fields = (uint)fields, Events = events } },
                answer => answer.Subscribe);
        }

        public static Request<bool> Unsubscribe(WorldRef world) {
            return About(world, id => new ClientMessage { Unsubscribe = new Unsubscribe { World = id } }, answer => true);
        }

        public static Request<WorldState> GetState(WorldRef world, StateField fields = StateField.Default) {
            return About(world, id => new ClientMessage { GetState = new GetState { World = id, Fields = (uint)fields } },
                answer => answer.State);
        }

        // --- commands: characters ---

        /// <summary>The new character is the answer's Entity. pos: on the ground plane.</summary>
        public static Request<CommandResult> SpawnCharacter(WorldRef world, string controller, Vec3 pos = null, double headingRad = 0,
                                                            string label = "", long atTick = 0) {
            var spawn = new SpawnCharacter { Controller = controller, HeadingRad = Require.Finite("headingRad", headingRad), Label = label };
            if (pos != null) spawn.Pos = Require.Vector("pos", pos);
            return Make(world, atTick, (names, id) => new Command { SpawnCharacter = spawn });
        }

        public static Request<CommandResult> Despawn(WorldRef world, EntityRef entity, long atTick = 0) {
            return Make(world, atTick, (names, id) => new Command { Despawn = new Despawn { Entity = names.Entity(id, entity) } });
        }

        /// <summary>Takes effect at the end of the current fragment.</summary>
        public static Request<CommandResult> SetController(WorldRef world, EntityRef entity, string controller, long atTick = 0) {
            return Make(world, atTick, (names, id) => new Command {
                SetController = new SetController { Entity = names.Entity(id, entity), Controller = controller } });
        }

        /// <summary>Sets parameters of the character's controller, by name, as ControllerDetail lists them; an empty array: the
        /// initial value. Either all are set or none.</summary>
        public static Request<CommandResult> SetParameters(WorldRef world, EntityRef entity, IDictionary<string, double[]> parameters,
                                                           long atTick = 0) {
            List<ParameterValues> rows = parameters.Select(each => new ParameterValues {
                Name = Require.Name("parameters", each.Key),
                Values = each.Value.Select(value => Require.Finite("parameters." + each.Key, value)).ToList(),
            }).ToList();
            return Make(world, atTick, (names, id) => new Command {
                SetParameters = new SetParameters { Entity = names.Entity(id, entity), Parameters = rows } });
        }

        /// <summary>Says where a character goes: along a heading, to a point or after another character, where it stops within
        /// radius m (0: 0.3) in the heading facingRad; or a skill alone. None: it stops, and stands.</summary>
        public static Request<CommandResult> Steer(WorldRef world, EntityRef entity, double? headingRad = null, Vec3 target = null,
                                                   EntityRef? toward = null, double speed = 0, string skill = "", long atTick = 0,
                                                   double radius = 0, double? facingRad = null) {
            if ((headingRad.HasValue ? 1 : 0) + (target != null ? 1 : 0) + (toward.HasValue ? 1 : 0) > 1)
                throw new ArgumentException("Steer: more than one aim: expected one of headingRad, target, toward");
            Require.Finite("speed", speed);
            Require.Finite("headingRad", headingRad ?? 0);
            Require.Finite("radius", radius);
            Require.Finite("facingRad", facingRad ?? 0);
            if (target != null) Require.Vector("target", target);
            return Make(world, atTick, (names, id) => {
                var steer = new Steer { Entity = names.Entity(id, entity), Speed = speed, Skill = skill, Radius = radius };
                if (facingRad.HasValue) { steer.Faces = true; steer.FacingRad = facingRad.Value; }
                if (headingRad.HasValue) steer.HeadingRad = headingRad.Value;
                if (target != null) steer.Target = target;
                if (toward.HasValue) steer.Toward = names.Entity(id, toward.Value);
                return new Command { Steer = steer };
            });
        }

        /// <summary>Applies a force in the world's frame, N, to a body (default: the trunk) or an object. point: in the body's frame.</summary>
        public static Request<CommandResult> Push(WorldRef world, EntityRef entity, Vec3 force, double durationS, string body = "",
                                                  Vec3 point = null, long atTick = 0) {
            Require.Vector("force", force);
            Require.Finite("durationS", durationS);
            if (point != null) Require.Vector("point", point);
            return Make(world, atTick, (names, id) => new Command { Push = new Push {
                Entity = names.Entity(id, entity), Body = body, Force = force, Point = point, DurationS = durationS } });
        }

        // --- commands: objects and time ---

        /// <summary>The new object is the answer's Entity.</summary>
        public static Request<CommandResult> SpawnObject(WorldRef world, SpawnObject definition, long atTick = 0) {
            return Make(world, atTick, (names, id) => new Command { SpawnObject = definition });
        }

        public static Request<CommandResult> Pause(WorldRef world) { return Make(world, 0, (names, id) => new Command { Pause = new Pause() }); }

        public static Request<CommandResult> Resume(WorldRef world) {
            return Make(world, 0, (names, id) => new Command { Resume = new Resume() });
        }

        /// <summary>Advances a stepped world; the answer has the tick and the hash of the state.</summary>
        public static Request<CommandResult> Step(WorldRef world, uint count = 1) {
            return Make(world, 0, (names, id) => new Command { Step = new Step { Count = count } });
        }

        public static Request<CommandResult> Reset(WorldRef world) { return Make(world, 0, (names, id) => new Command { Reset = new Reset() }); }

        // --- how they are made ---

        private static ClientMessage Greeting(string name, string scramFirst) {
            return new ClientMessage { Hello = new Hello { ProtocolMajor = Client.ProtocolMajor, ProtocolMinor = Client.ProtocolMinor,
                ClientName = name, ScramFirst = scramFirst } };
        }

        private static Request<T> About<T>(WorldRef world, Func<uint, ClientMessage> write, Func<Response, T> read) {
            return new Request<T>(names => write(names.World(world)), read);
        }

        private static Request<CommandResult> Make(WorldRef world, long atTick, Func<Names, uint, Command> write) {
            return new Request<CommandResult>(names => {
                uint id = names.World(world);
                Command command = write(names, id);
                command.World = id;
                command.AtTick = atTick;
                return new ClientMessage { Command = command };
            }, answer => answer.Command);
        }
    }
}
