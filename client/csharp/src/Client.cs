using System;
using System.Collections.Generic;
using System.Linq;
using System.Net.Security;
using Troupe.Messages;

namespace Troupe {
    /// <summary>Where the daemon is, and how to log in.</summary>
    public sealed class ClientOptions {
        public string Host { get; set; } = "127.0.0.1";
        public int Port { get; set; } = 7400;
        /// <summary>The client's name in the daemon's logs, 1 to 63 bytes.</summary>
        public string Name { get; set; } = "csharp";
        /// <summary>NAME.SECRET, for a daemon that requires a key. It is never sent.</summary>
        public string Key { get; set; }
        /// <summary>TLS. The daemon speaks version 1.3 alone: the runtime must have it.</summary>
        public bool Tls { get; set; }
        /// <summary>Decides about the daemon's certificate; null: the system's authorities must trust it.</summary>
        public RemoteCertificateValidationCallback CheckCertificate { get; set; }
        /// <summary>Limit of the connection and of every answer.</summary>
        public double TimeoutS { get; set; } = 30;
    }

    /// <summary>A request, made by Requests. It may be sent any number of times.</summary>
    public sealed class Request<T> {
        internal readonly Func<Names, ClientMessage> Write;
        internal readonly Func<Response, T> Read;

        internal Request(Func<Names, ClientMessage> write, Func<Response, T> read) {
            Write = write;
            Read = read;
        }
    }

    /// <summary>The answer to a sent request, once it has arrived.</summary>
    public sealed class Answer<T> {
        private readonly Func<Response, T> read;
        private Response response;

        internal Answer(Func<Response, T> read) { this.read = read; }

        public bool Arrived { get { return response != null; } }

        /// <summary>Throws a RefusedException if the daemon refused.</summary>
        public T Result {
            get {
                if (response == null) throw new InvalidOperationException("Result: no answer has arrived: expected Wait or Poll before");
                if (response.Code != StatusCode.Ok) throw new RefusedException(response.Code, response.Message);
                return read(response);
            }
        }

        internal void Arrive(Response arrived) { response = arrived; }
    }

    /// <summary>A session with the daemon. It belongs to one thread at a time. Ask blocks; Send and Poll do not, so that a game can
    /// call them in each frame.</summary>
    public sealed class Client : IDisposable {
        public const uint ProtocolMajor = 1, ProtocolMinor = 1;
        private const int KeptMax = 4096; // states, and events, that wait to be taken; then the oldest are dropped

        private readonly ClientOptions options;
        private readonly Connection connection;
        private readonly Names names;
        private readonly Dictionary<ulong, Action<Response>> waiting = new Dictionary<ulong, Action<Response>>();
        private readonly Queue<WorldState> states = new Queue<WorldState>();
        private readonly Queue<WorldEvent> events = new Queue<WorldEvent>();
        private Challenge challenge;
        private ulong nextId = 1;
        private uint requestsMax = 1;

        /// <summary>The daemon's description of itself.</summary>
        public HelloResult Welcome { get; }

        /// <summary>Throws a DisconnectedException if no daemon listens, a RefusedException if the daemon refuses.</summary>
        public Client(ClientOptions options = null) {
            this.options = options ?? new ClientOptions();
            names = new Names(this);
            connection = new Connection(this.options);
            try {
                Welcome = Greet(this.options.Key);
                requestsMax = Welcome.RequestsMax;
            } catch {
                connection.Dispose();
                throw;
            }
        }

        /// <summary>Ends the session. Worlds that it steps no longer wait for it. Its worlds stay, except those
        /// made with OwnerLeaves.Destroy.</summary>
        public void Dispose() { connection.Dispose(); }

        /// <summary>Sends a request without waiting for the answer. A name in it that is used for the first time costs one question to the
        /// daemon, which blocks. refused: called by Poll, or by what else waits, if the daemon refuses.</summary>
        public Answer<T> Send<T>(Request<T> request, Action<RefusedException> refused = null) {
            ClientMessage message = request.Write(names);
            while (waiting.Count >= requestsMax) Await("room for a request", options.TimeoutS);
            var answer = new Answer<T>(request.Read);
            message.RequestId = nextId++;
            waiting[message.RequestId] = response => {
                answer.Arrive(response);
                if (response.Code != StatusCode.Ok && refused != null) refused(new RefusedException(response.Code, response.Message));
            };
            connection.Send(Frames.Encode(message));
            return answer;
        }

        /// <summary>Waits for the answer to a sent request.</summary>
        public T Wait<T>(Answer<T> answer) {
            DateTime deadline = DateTime.UtcNow.AddSeconds(options.TimeoutS);
            while (!answer.Arrived) Await("answer", (deadline - DateTime.UtcNow).TotalSeconds);
            return answer.Result;
        }

        /// <summary>Sends a request and waits for the answer. If an id that a name stood for no longer exists, the name is looked up
        /// again, once.</summary>
        public T Ask<T>(Request<T> request) {
            int remembered = names.Remembered;
            try {
                return Wait(Send(request));
            } catch (RefusedException error) when (error.Code == StatusCode.NotFound && names.Remembered > remembered) {
                names.Forget();
                return Wait(Send(request));
            }
        }

        /// <summary>Takes what has arrived, without waiting.</summary>
        public void Poll() {
            for (ServerMessage message; (message = connection.Take(0)) != null;) Sort(message);
        }

        /// <summary>The next state of a subscribed world, oldest first.</summary>
        public WorldState NextState(double timeoutS) {
            DateTime deadline = DateTime.UtcNow.AddSeconds(timeoutS);
            while (states.Count == 0) Await("state", (deadline - DateTime.UtcNow).TotalSeconds);
            return states.Dequeue();
        }

        /// <summary>The next event of a subscribed world, oldest first.</summary>
        public WorldEvent NextEvent(double timeoutS) {
            DateTime deadline = DateTime.UtcNow.AddSeconds(timeoutS);
            while (events.Count == 0) Await("event", (deadline - DateTime.UtcNow).TotalSeconds);
            return events.Dequeue();
        }

        /// <summary>The states that have arrived.</summary>
        public List<WorldState> TakeStates() { return Drain(states); }

        /// <summary>The events that have arrived.</summary>
        public List<WorldEvent> TakeEvents() { return Drain(events); }

        // --- the exchange ---

        private static List<T> Drain<T>(Queue<T> kept) {
            List<T> all = kept.ToList();
            kept.Clear();
            return all;
        }

        private HelloResult Greet(string key) {
            if (string.IsNullOrEmpty(key)) return Ask(Requests.Hello(options.Name, ""));
            DateTime deadline = DateTime.UtcNow.AddSeconds(options.TimeoutS);
            while (challenge == null) Await("challenge", (deadline - DateTime.UtcNow).TotalSeconds);
            var login = new Login(key, challenge.Mechanisms);
            string final = login.Final(Ask(Requests.HelloWithKey(options.Name, login.First)).ScramFirst);
            HelloResult welcome = Ask(Requests.Authenticate(final));
            login.Check(welcome.ScramFinal);
            return welcome;
        }

        private void Await(string what, double timeoutS) {
            ServerMessage message = connection.Take(timeoutS);
            if (message == null) throw new TimeoutException("no " + what + " within " + options.TimeoutS + " s");
            Sort(message);
        }

        private void Sort(ServerMessage message) {
            switch (message.MessageCase) {
            case ServerMessage.MessageOneofCase.Response: Answered(message.Response); break;
            case ServerMessage.MessageOneofCase.State: Keep(states, message.State); break;
            case ServerMessage.MessageOneofCase.Challenge: challenge = message.Challenge; break;
            case ServerMessage.MessageOneofCase.Events:
                foreach (Event each in message.Events.Events) Keep(events, new WorldEvent(message.Events.World, each));
                break;
            }
        }

        private void Answered(Response response) {
            Action<Response> arrive;
            if (!waiting.TryGetValue(response.RequestId, out arrive)) return;
            waiting.Remove(response.RequestId);
            arrive(response);
        }

        private static void Keep<T>(Queue<T> kept, T value) {
            if (kept.Count == KeptMax) kept.Dequeue();
            kept.Enqueue(value);
        }
    }

    /// <summary>An event and its world.</summary>
    public struct WorldEvent {
        public readonly uint World;
        public readonly Event Event;

        public WorldEvent(uint world, Event what) {
            World = world;
            Event = what;
        }
    }
}
