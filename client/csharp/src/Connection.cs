using System;
using System.Collections.Generic;
using System.IO;
using System.Net.Security;
using System.Net.Sockets;
using System.Security.Authentication;
using System.Threading;
using Troupe.Messages;

namespace Troupe {
    /// <summary>Bytes to and from the daemon. A thread reads and decodes; messages wait here until the client takes them. When
    /// MessagesMax wait, reading pauses, and the daemon then replaces unsent states by newer ones.</summary>
    internal sealed class Connection : IDisposable {
        private const int MessagesMax = 4096, ReceiveBytes = 1 << 16;
        private readonly TcpClient socket = new TcpClient();
        private readonly Stream stream;
        private readonly object gate = new object();
        private readonly Queue<ServerMessage> arrived = new Queue<ServerMessage>();
        private Exception ended;

        public Connection(ClientOptions options) {
            string place = options.Host + ":" + options.Port;
            try {
                Connect(place, options);
                socket.NoDelay = true;
                stream = Secured(socket.GetStream(), place, options);
            } catch {
                socket.Close();
                throw;
            }
            new Thread(Receive) { IsBackground = true, Name = "troupe " + place }.Start();
        }

        private void Connect(string place, ClientOptions options) {
            bool connected;
            try {
                connected = socket.ConnectAsync(options.Host, options.Port).Wait(Milliseconds(options.TimeoutS));
            } catch (AggregateException error) {
                throw new DisconnectedException(place + ": " + error.GetBaseException().Message + "; is trouped running there?");
            }
            if (!connected) throw new TimeoutException(place + ": no connection within " + options.TimeoutS + " s");
        }

        private static Stream Secured(Stream plain, string place, ClientOptions options) {
            if (!options.Tls) return plain;
            var secured = new SslStream(plain, false, options.CheckCertificate);
            try {
                secured.AuthenticateAsClient(options.Host);
            } catch (Exception error) when (error is IOException || error is AuthenticationException) {
                throw new DisconnectedException(place + ": no secure connection: " + error.Message);
            }
            return secured;
        }

        private static int Milliseconds(double seconds) { return (int)Math.Min(seconds * 1000, int.MaxValue); }

        public void Send(byte[] frame) {
            try {
                stream.Write(frame, 0, frame.Length);
            } catch (Exception error) when (error is IOException || error is ObjectDisposedException) {
                throw new DisconnectedException("sending: " + error.Message);
            }
        }

        /// <summary>The next message, null if none arrives within the time. Throws when the connection has ended and all messages
        /// have been taken.</summary>
        public ServerMessage Take(double timeoutS) {
            DateTime deadline = DateTime.UtcNow.AddSeconds(timeoutS);
            lock (gate) {
                while (arrived.Count == 0) {
                    if (ended != null) throw ended;
                    double left = (deadline - DateTime.UtcNow).TotalSeconds;
                    if (left <= 0) return null;
                    Monitor.Wait(gate, Math.Max(1, Milliseconds(left)));
                }
                Monitor.PulseAll(gate);
                return arrived.Dequeue();
            }
        }

        public void Dispose() {
            End(new DisconnectedException("closed by this client"));
            socket.Close();
        }

        private void Receive() {
            var frames = new Frames();
            var buffer = new byte[ReceiveBytes];
            try {
                for (int count; (count = stream.Read(buffer, 0, buffer.Length)) > 0;) {
                    frames.Feed(buffer, count);
                    for (byte[] frame; (frame = frames.Next()) != null;) {
                        var message = new ServerMessage();
                        message.ReadFrom(new Reader(frame));
                        if (!Put(message)) return;
                    }
                }
                End(new DisconnectedException("the daemon closed the connection"));
            } catch (Exception error) {
                End(error is ProtocolException ? error : new DisconnectedException("receiving: " + error.Message));
            }
        }

        private bool Put(ServerMessage message) {
            lock (gate) {
                while (arrived.Count >= MessagesMax && ended == null) Monitor.Wait(gate);
                if (ended != null) return false;
                arrived.Enqueue(message);
                if (message.MessageCase == ServerMessage.MessageOneofCase.Goodbye)
                    ended = new DisconnectedException(message.Goodbye.Reason);
                Monitor.PulseAll(gate);
                return ended == null;
            }
        }

        private void End(Exception reason) {
            lock (gate) {
                ended = ended ?? reason;
                Monitor.PulseAll(gate);
            }
        }
    }
}
