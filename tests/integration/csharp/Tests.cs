// The C# client against the daemon at the port given; tests/integration/csharp_client.py starts both.
// Usage: Tests.exe GROUP PORT   runs each public method of the class GROUP; ends with 0 if all pass.
using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Reflection;
using System.Text;
using System.Threading;
using Troupe;
using Troupe.Messages;
using UnityEngine;

public static class Program {
    public static int Port;
    public static string Source = Environment.GetEnvironmentVariable("TROUPE_SOURCE");

    public static int Main(string[] words) {
        if (words[0] == "Echo") return Echo.Run();
        Port = int.Parse(words[1]);
        int failed = 0;
        foreach (MethodInfo test in Type.GetType(words[0], true).GetMethods(BindingFlags.Public | BindingFlags.Static | BindingFlags.DeclaredOnly)) {
            try {
                test.Invoke(null, null);
                Console.WriteLine("ok " + test.Name);
            } catch (TargetInvocationException error) {
                Console.WriteLine("FAILED " + test.Name + ": " + error.InnerException);
                ++failed;
            }
        }
        return failed == 0 ? 0 : 1;
    }
}

public static class Check {
    public static void Equal<T>(T found, T expected) {
        if (!EqualityComparer<T>.Default.Equals(found, expected)) throw new Exception("found " + found + ", expected " + expected);
    }

    public static void Near(double found, double expected, double within) {
        if (!(Math.Abs(found - expected) <= within)) throw new Exception("found " + found + ", expected " + expected);
    }

    public static E Throws<E>(string part, Action act) where E : Exception {
        try {
            act();
        } catch (E error) {
            if (!error.Message.Contains(part)) throw new Exception("the error '" + error.Message + "' does not contain '" + part + "'");
            return error;
        }
        throw new Exception("no " + typeof(E).Name);
    }
}

/// <summary>Decodes and encodes the messages on the standard input: length and text of a type, length and bytes, each length of four
/// bytes.</summary>
public static class Echo {
    public static int Run() {
        var input = new BinaryReader(Console.OpenStandardInput());
        var output = new BinaryWriter(Console.OpenStandardOutput());
        for (int length; (length = input.ReadInt32()) > 0;) {
            string type = "Troupe.Messages." + Encoding.UTF8.GetString(input.ReadBytes(length)) + ", Troupe.Client";
            var message = (IMessage)Activator.CreateInstance(Type.GetType(type, true));
            message.ReadFrom(new Reader(input.ReadBytes(input.ReadInt32())));
            var writer = new Writer();
            message.WriteTo(writer);
            byte[] bytes = writer.ToArray();
            output.Write(bytes.Length);
            output.Write(bytes);
        }
        output.Flush();
        return 0;
    }
}

/// <summary>Without a daemon.</summary>
public static class Codec {
    public static void PiecesOfAnySizeBecomeFrames() {
        byte[] one = Frames.Encode(new ServerMessage { Goodbye = new Goodbye { Reason = new string('x', 300) } });
        byte[] bytes = one.Concat(new byte[] { 0 }).Concat(one).ToArray();
        for (int size = 1; size <= bytes.Length; ++size) {
            var frames = new Frames();
            var lengths = new List<int>();
            for (int at = 0; at < bytes.Length; at += size) {
                byte[] piece = bytes.Skip(at).Take(size).ToArray();
                frames.Feed(piece, piece.Length);
                for (byte[] frame; (frame = frames.Next()) != null;) lengths.Add(frame.Length);
            }
            Check.Equal(string.Join(" ", lengths), (one.Length - 2) + " 0 " + (one.Length - 2));
        }
    }

    public static void LongFramesAndPrefixesAreRefused() {
        var frames = new Frames();
        frames.Feed(new byte[] { 0x81, 0x80, 0x80, 0x02 }, 4);
        Check.Throws<ProtocolException>("4194305 bytes", () => frames.Next());
        frames = new Frames();
        frames.Feed(new byte[] { 0x80, 0x80, 0x80, 0x80, 0x80 }, 5);
        Check.Throws<ProtocolException>("length prefix", () => frames.Next());
    }

    public static void DamagedMessagesAreRefusedAndNothingElse() {
        var state = new WorldState { World = 7, TimeS = 1.5, Hash = ulong.MaxValue, Tick = -1 };
        state.Characters.Add(new CharacterState { Label = "ä", RootPos = { 1, 2, 3 }, JointRotQ = new byte[] { 1, 2, 3 } });
        state.Contacts.Add(new ContactState { Body1 = -1, Normal = { 0, 0, 1 } });
        var writer = new Writer();
        new ServerMessage { State = state }.WriteTo(writer);
        byte[] whole = writer.ToArray();
        var random = new System.Random(1);
        int refused = 0;
        for (int i = 0; i < 20000; ++i) {
            byte[] damaged = whole.Take(random.Next(whole.Length + 1)).ToArray();
            if (damaged.Length > 0) damaged[random.Next(damaged.Length)] = (byte)random.Next(256);
            try {
                new ServerMessage().ReadFrom(new Reader(damaged));
            } catch (ProtocolException) {
                ++refused;
            }
        }
        if (refused < 5000) throw new Exception("refused " + refused + " of 20000");
    }

    public static void AOneofHoldsTheLastThatWasSet() {
        var steer = new Steer { HeadingRad = 0 };
        Check.Equal(steer.AimCase, Steer.AimOneofCase.HeadingRad);
        steer.Toward = 3;
        Check.Equal(steer.AimCase, Steer.AimOneofCase.Toward);
        Check.Equal(steer.HeadingRad, 0.0);
    }

    private const string Nonce = "rOprNGfwEbeRWgbNEkqO";
    private const string ServerFirst = "r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096";
    private const string ServerFinal = "v=6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4=";

    private static Login Example() {
        return new Login("user." + new string('A', 64), new[] { "SCRAM-SHA-256" }, Nonce, "pencil");
    }

    public static void TheExampleOfRfc7677() {
        Login login = Example();
        Check.Equal(login.First, "n,,n=user,r=" + Nonce);
        Check.Equal(login.Final(ServerFirst), "c=biws,r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0," +
            "p=dHzbZapWIk4jUhN+Ute9ytag9zjfMHgsqmmiz7AndVQ=");
        login.Check(ServerFinal);
    }

    public static void ADaemonThatDoesNotKnowTheKeyIsFoundOut() {
        Login login = Example();
        Check.Throws<ProtocolException>("not shown", () => login.Check(ServerFinal));
        login.Final(ServerFirst);
        Check.Throws<ProtocolException>("not shown", () => login.Check(ServerFinal.Replace("6rri", "6rrj")));
        Check.Throws<ProtocolException>("server-first", () => Example().Final(ServerFirst.Replace("rOp", "rOx")));
        Check.Throws<ProtocolException>("4095 iterations", () => Example().Final(ServerFirst.Replace("4096", "4095")));
        Check.Throws<ProtocolException>("base64", () => Example().Final(ServerFirst.Replace("W22Z", "W22")));
        Check.Throws<ProtocolException>("older", () => new Login("user." + new string('A', 64), new string[0]));
        Check.Throws<ArgumentException>("key", () => new Login("user", new[] { "SCRAM-SHA-256" }));
    }

    public static void ConversionsToUnityCommuteWithRotation() {
        float[] forward = { 1, 0, 0 }, up = { 0, 0, 1 }, left = { 0, 1, 0 };
        Same(TroupeSpace.Position(forward, 0), new Vector3(0, 0, 1));
        Same(TroupeSpace.Position(up, 0), new Vector3(0, 1, 0));
        Same(TroupeSpace.Position(left, 0), new Vector3(-1, 0, 0));
        float half = (float)Math.Sqrt(0.5);
        Same(TroupeSpace.Rotation(half, 0, 0, half) * TroupeSpace.Position(forward, 0), TroupeSpace.Position(left, 0)); // about z
        Same(TroupeSpace.Rotation(half, half, 0, 0) * TroupeSpace.Position(left, 0), TroupeSpace.Position(up, 0));      // about x
        Same(TroupeSpace.Rotation(half, 0, half, 0) * TroupeSpace.Position(up, 0), TroupeSpace.Position(forward, 0));   // about y
        Vec3 back = TroupeSpace.Vector(TroupeSpace.Position(new float[] { 1, 2, 3 }, 0));
        Check.Equal(back.X + " " + back.Y + " " + back.Z, "1 2 3");
    }

    private static void Same(Vector3 found, Vector3 expected) { Check.Near((found - expected).magnitude, 0, 1e-6); }
}

/// <summary>A daemon without keys, with the controllers hold and sway.</summary>
/// <summary>Without a daemon; the example's numbers are those of the Python client, which rebuilds places.</summary>
public static class Rigs {
    public static void BonesTurnAsTheExampleSays() {
        var bodies = new List<ModelBody>();
        var bones = new Dictionary<string, RigBone>();
        var map = new Dictionary<string, string>();
        var flat = new Dictionary<string, float[]>();
        var turns = new Dictionary<string, double[]>();
        foreach (string line in File.ReadAllLines(Path.Combine(Program.Source, "tests/data/rigs/example.txt"))) {
            string[] words = line.Split(' ');
            Func<int, int, double[]> numbers = (from, to) => words.Skip(from).Take(to - from).Select(double.Parse).ToArray();
            switch (words[0]) {
            case "body":
                double[] pos = numbers(3, 6);
                bodies.Add(new ModelBody { Name = words[1], Parent = int.Parse(words[2]), Pos = new Vec3(pos[0], pos[1], pos[2]) });
                break;
            case "bone": bones[words[1]] = new RigBone { Parent = words[2] == "-" ? null : words[2], Pos = numbers(3, 6), Rot = numbers(6, 10) }; break;
            case "map": map[words[1]] = words[2]; break;
            case "turn": turns[words[1]] = numbers(2, 6); break;
            default: flat[words[0]] = numbers(1, words.Length).Select(v => (float)v).ToArray(); break;
            }
        }
        RigPose pose = new Retargeter(bodies, bones, map).Pose(flat["pos"], flat["rot"]);
        for (int k = 0; k < 3; ++k) Check.Near(pose.RootPos[k], flat["root"][k], 1e-3);
        Check.Equal(pose.Rotation.Count, turns.Count);
        foreach (KeyValuePair<string, double[]> each in turns)
            Check.Near(Math.Abs(each.Value.Zip(pose.Rotation[each.Key], (a, b) => a * b).Sum()), 1, 1e-6);
    }

    public static void MapsOfEnginesAreRead() {
        foreach (string path in Directory.GetFiles(Path.Combine(Program.Source, "client/rigs"), "*.json"))
            Check.Equal(Retargeter.BonesOf(File.ReadAllText(path)).Count, 18);
        Dictionary<string, string> joints = Retargeter.BonesOf("{\"name\": \"x\", \"parts\": {\"hips\": \"Root\"}}");
        Check.Equal(joints.Count, 1);
        Check.Equal(joints["pelvis"], "Root");
        Check.Throws<ArgumentException>("no bone 'Nose'",
            () => new Retargeter(new List<ModelBody>(), new Dictionary<string, RigBone>(), new Dictionary<string, string> { { "head", "Nose" } }));
    }

    public static void PicturesLieBetweenStates() {
        var playback = new Playback();
        Check.Equal(playback.At(0).Count, 0);
        for (int i = 0; i < 30; ++i) {
            double t = i / 30.0;
            var one = new CharacterState { Entity = 1, Label = "" };
            one.BodyPos.AddRange(new[] { (float)(2 * t), 0, 0 });
            one.BodyRot.AddRange(new[] { (float)Math.Cos(t), (float)Math.Sin(t), 0, 0 });
            var state = new WorldState { TimeS = t };
            state.Characters.Add(one);
            playback.Add(state, 5 + t + i % 3 * 0.02);
        }
        for (double now = 5.5; now < 5.9; now += 0.013) {
            Check.Near(playback.At(now)[1].BodyPos[0], 2 * (now - 5.1), 0.002);
            Check.Near(playback.At(now)[1].BodyRot[1], Math.Sin(now - 5.1), 0.002);
        }
    }
}

public static class Sessions {
    private static Client Connect(double timeoutS = 120) { return new Client(new ClientOptions { Port = Program.Port, TimeoutS = timeoutS }); }

    public static void ACharacterIsPushedUntilItFalls() {
        using (Client client = Connect()) {
            WorldInfo world = client.Ask(Requests.CreateWorld("push", WorldMode.Stepped));
            uint entity = client.Ask(Requests.SpawnCharacter(world, "hold", new Vec3(1, 2, 0), label: "one")).Entity;
            Check.Equal(client.Ask(Requests.Subscribe(world, 20, StateField.Bodies, true)).EveryTicks, 10u);
            client.Ask(Requests.Push("push", "one", new Vec3(0, 400, 0), 0.2));
            Check.Equal(client.Ask(Requests.Step("push", 200)).Tick, 200L);
            WorldEvent fell;
            while ((fell = client.NextEvent(120)).Event.Kind != EventKind.Fell) { }
            Check.Equal(fell.World + " " + fell.Event.Entity, world.Id + " " + entity);
            WorldState state;
            while ((state = client.NextState(120)).Tick < 200) { }
            Check.Equal(state.Characters[0].Fallen, true);
            Check.Equal(state.Characters[0].BodyPos.Count * 4, state.Characters[0].BodyRot.Count * 3);
            CharacterState compact = client.Ask(Requests.GetState("push", StateField.Compact)).Characters[0];
            ModelDetail model = client.Ask(Requests.GetModel("humanoid"));
            Poses.Unpack(compact, model.Bodies);
            for (int i = 0; i < compact.BodyPos.Count; ++i) Check.Near(compact.BodyPos[i], state.Characters[0].BodyPos[i], 0.01);
            Check.Throws<ArgumentException>("is not of a model", () => Poses.Unpack(compact, model.Bodies.GetRange(0, 9)));
            client.Ask(Requests.DestroyWorld("push"));
        }
    }

    public static void TheCatalogueIsRead() {
        using (Client client = Connect()) {
            Check.Equal(string.Join(" ", client.Ask(Requests.ListControllers()).Controllers.Select(row => row.Name)), "hold sway");
            Check.Equal(client.Ask(Requests.ListControllers(prefix: "s")).Controllers.Single().Name, "sway");
            Check.Equal(client.Ask(Requests.GetController("sway")).Summary.Model, "humanoid");
            ModelDetail model = client.Ask(Requests.GetModel("humanoid"));
            Check.Equal(model.Bodies.Count + " " + model.Bodies[0].Parent, model.Summary.BodyCount + " -1");
        }
    }

    public static void NamesFollowWhatTheyStandFor() {
        using (Client client = Connect()) {
            for (int round = 0; round < 2; ++round) {
                client.Ask(Requests.CreateWorld("again", WorldMode.Stepped));
                client.Ask(Requests.SpawnCharacter("again", "hold", label: "ada"));
                client.Ask(Requests.Push("again", "ada", new Vec3(0, 10, 0), 0.1)); // in the second round the id has changed
                client.Ask(Requests.Step("again"));
                client.Ask(Requests.Despawn("again", "ada"));
                client.Ask(Requests.SpawnCharacter("again", "hold", label: "ada"));
                client.Ask(Requests.Steer("again", "ada"));
                client.Ask(Requests.DestroyWorld("again"));
            }
        }
    }

    public static void ErrorsNameTheArgument() {
        using (Client client = Connect()) {
            client.Ask(Requests.CreateWorld("errors", WorldMode.Stepped));
            uint one = client.Ask(Requests.SpawnCharacter("errors", "hold", label: "two")).Entity;
            client.Ask(Requests.SpawnCharacter("errors", "hold", new Vec3(2, 0, 0), label: "two"));
            Check.Throws<ArgumentException>("force.y", () => Requests.Push("errors", "two", new Vec3(0, double.NaN, 0), 0.2));
            Check.Throws<ArgumentException>("durationS", () => Requests.Push("errors", "two", new Vec3(), double.PositiveInfinity));
            Check.Throws<ArgumentException>("one of headingRad", () => Requests.Steer("errors", "two", 1, toward: "two"));
            Check.Throws<ArgumentException>("world: empty", () => Requests.Step(""));
            Check.Throws<RefusedException>("rate: 0: expected 0.01 to 100",
                () => client.Ask(Requests.CreateWorld("still", WorldMode.RealTime, new CreateWorld { Rate = 0 })));
            Check.Throws<ArgumentException>("entity: 2 entities are called 'two'", () => client.Ask(Requests.Despawn("errors", "two")));
            Check.Equal(Check.Throws<RefusedException>("entity: nothing is called 'three': expected one of two",
                () => client.Ask(Requests.Despawn("errors", "three"))).Code, StatusCode.NotFound);
            Check.Throws<RefusedException>("world: nothing is called 'nowhere'", () => client.Ask(Requests.Step("nowhere")));
            Check.Throws<RefusedException>("duration_s", () => client.Ask(Requests.Push("errors", one, new Vec3(), 99)));
            var values = new Dictionary<string, double[]> { { "nonsense", new double[] { 1 } } };
            Check.Throws<RefusedException>("nonsense", () => client.Ask(Requests.SetParameters("errors", one, values)));
            client.Ask(Requests.DestroyWorld("errors"));
        }
    }

    public static void RequestsBeyondTheLimitAreAllAnswered() {
        using (Client client = Connect()) {
            List<Answer<Pong>> answers = Enumerable.Range(0, 600)
                .Select(i => client.Send(Requests.Ping(Encoding.ASCII.GetBytes(i.ToString())))).ToList();
            for (int i = 0; i < answers.Count; ++i) Check.Equal(Encoding.ASCII.GetString(client.Wait(answers[i]).Payload), i.ToString());
        }
    }

    public static void PollDoesNotWait() {
        using (Client client = Connect()) {
            RefusedException refusal = null;
            Answer<WorldInfo> answer = client.Send(Requests.GetWorld(9u), error => refusal = error);
            Check.Throws<InvalidOperationException>("no answer", () => answer.Result.ToString());
            while (!answer.Arrived) client.Poll();
            Check.Equal(refusal.Code, StatusCode.NotFound);
            client.Poll();
        }
    }

    public static void LateAnswersTimeOutAndTheSessionContinues() {
        using (Client client = Connect(0.3)) {
            client.Ask(Requests.CreateWorld("late", WorldMode.Stepped, new CreateWorld { Steppers = 2 }));
            Check.Throws<TimeoutException>("no answer", () => client.Ask(Requests.Step("late")));
            Check.Throws<TimeoutException>("no state", () => client.NextState(0.05));
            client.Ask(Requests.DestroyWorld("late"));
        }
    }

    public static void APortWithoutADaemonIsReported() {
        Check.Throws<DisconnectedException>("is trouped running", () => new Client(new ClientOptions { Port = 1 }));
    }
}

/// <summary>A daemon that ends when it reads a line of ours.</summary>
public static class End {
    public static void TheDaemonsReasonIsReported() {
        using (var client = new Client(new ClientOptions { Port = Program.Port })) {
            Console.WriteLine("connected");
            Check.Throws<DisconnectedException>("shutting down", () => client.NextState(120));
            Check.Throws<DisconnectedException>("", () => client.Ask(Requests.Ping()));
        }
    }
}

/// <summary>A daemon with a key, which TROUPE_TEST_KEY has.</summary>
public static class Accounts {
    public static void AKeyLogsIn() {
        using (var client = new Client(new ClientOptions { Port = Program.Port, Key = Environment.GetEnvironmentVariable("TROUPE_TEST_KEY") })) {
            Check.Equal(client.Welcome.Role, Role.Director);
            client.Ask(Requests.CreateWorld("keys"));
        }
    }

    public static void OthersAreRefused() {
        Check.Equal(Check.Throws<RefusedException>("", () => new Client(new ClientOptions { Port = Program.Port })).Code,
            StatusCode.Unauthenticated);
        string wrong = "script." + new string('A', 64);
        Check.Equal(Check.Throws<RefusedException>("", () => new Client(new ClientOptions { Port = Program.Port, Key = wrong })).Code,
            StatusCode.Unauthenticated);
        Check.Throws<ArgumentException>("key", () => new Client(new ClientOptions { Port = Program.Port, Key = "script" }));
    }
}

/// <summary>A daemon behind TLS 1.2, the newest that Debian's Mono speaks; its certificate signs itself.</summary>
public static class Secure {
    public static void OnlyATrustedCertificateIsAccepted() {
        Check.Throws<DisconnectedException>("no secure connection", () => new Client(new ClientOptions { Port = Program.Port, Tls = true }));
        string pinned = null;
        using (var client = new Client(new ClientOptions { Port = Program.Port, Tls = true,
            CheckCertificate = (sender, certificate, chain, errors) => (pinned = certificate.Subject) == "CN=daemon" })) {
            Check.Equal(pinned, "CN=daemon");
            client.Ask(Requests.CreateWorld("secure"));
            client.Ask(Requests.Subscribe("secure", 30));
            client.NextState(120);
        }
    }
}

/// <summary>The sample for Unity, with the shipped controllers.</summary>
public static class Sample {
    private static void Call(TroupeCharacter sample, string method) {
        typeof(TroupeCharacter).GetMethod(method, BindingFlags.NonPublic | BindingFlags.Instance).Invoke(sample, null);
    }

    private static void Frames(TroupeCharacter sample, Func<bool> enough) {
        for (DateTime began = DateTime.UtcNow; !enough(); Thread.Sleep(16)) {
            if ((DateTime.UtcNow - began).TotalSeconds > 240) throw new Exception("not within 240 s");
            Call(sample, "Update");
        }
    }

    public static void BonesFollowTheCharacterThatIsSteeredAndPushed() {
        using (var client = new Client(new ClientOptions { Port = Program.Port })) {
            var sample = new TroupeCharacter { port = Program.Port, pushSeconds = 30 };
            List<ModelBody> bodies = client.Ask(Requests.GetModel("humanoid")).Bodies;
            foreach (ModelBody body in bodies) {
                Transform parent = body.Parent < 0 ? null : sample.Children[body.Parent];
                Vector3 at = parent == null ? new Vector3() : new Vector3(-(float)body.Pos.Y, (float)body.Pos.Z, (float)body.Pos.X) - parent.position * -1;
                sample.Children.Add(new Transform { name = "mixamorig:" + body.Name, parent = parent, position = at });
            }
            Transform root = sample.Children[0];
            sample.map = new TextAsset { text = "{\"bones\": {" + string.Join(", ", bodies.Select(b => "\"" + b.Name + "\": \"mixamorig:" + b.Name + "\"")) + "}}" };
            Call(sample, "Start");
            Check.Equal(string.Join(" ", Debug.Warnings), "");
            Frames(sample, () => root.position.y > 0.5f);
            Input.Held.Add(KeyCode.W);
            Frames(sample, () => root.position.z > 0.5f); // ahead
            Pushed(client, sample, root, bodies);
            Call(sample, "OnDestroy");
            Check.Equal(string.Join(" ", Debug.Warnings), "");
            while (client.Ask(Requests.ListWorlds()).Exists(each => each.Name == "unity")) Thread.Sleep(16); // it ends with the session that made it
        }
    }

    public static void ALostConnectionIsReportedOnce() {
        Debug.Warnings.Clear();
        var sample = new TroupeCharacter { port = Program.Port, world = "lost" };
        foreach (string body in new[] { "pelvis", "lthigh", "lshank", "lfoot", "rthigh", "rshank", "rfoot" })
            sample.Children.Add(new Transform { name = body, position = new Vector3(body[0] == 'r' ? 1 : 0, body.EndsWith("foot") ? -2 : body.EndsWith("shank") ? -1 : 0, 0) });
        Call(sample, "Start");
        var client = (Client)typeof(TroupeCharacter).GetField("client", BindingFlags.NonPublic | BindingFlags.Instance).GetValue(sample);
        client.Dispose();
        while (sample.enabled) Call(sample, "Update");
        Check.Equal(Debug.Warnings.Count, 1);
    }

    private static void Pushed(Client client, TroupeCharacter sample, Transform root, List<ModelBody> bodies) {
        Camera.main.Aim = new Ray { origin = root.position - new Vector3(5, 0, 0), direction = new Vector3(1, 0, 0) };
        Input.Clicked = true;
        Call(sample, "Update");
        Input.Clicked = false;
        WorldState state;
        while ((state = client.Ask(Requests.GetState("unity", StateField.Pushes))).Pushes.Count == 0) Thread.Sleep(16);
        Check.Equal(bodies[state.Pushes.Single().Body].Name, bodies[0].Name);
        Check.Near(state.Pushes[0].Force[1], -150, 1e-3); // to Unity's right
    }
}
