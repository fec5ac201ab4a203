using System;
using Troupe.Messages;

namespace Troupe {
    /// <summary>Any error between a client and the daemon. A request that is not answered in time is a TimeoutException.</summary>
    public class TroupeException : Exception {
        public TroupeException(string message) : base(message) { }
    }

    /// <summary>The daemon refused a request; nothing has changed. The message says what was wrong and what was expected.</summary>
    public sealed class RefusedException : TroupeException {
        public StatusCode Code { get; }

        public RefusedException(StatusCode code, string message) : base(code + ": " + message) { Code = code; }
    }

    /// <summary>There is no connection, or it ended; the message is the daemon's reason if it gave one.</summary>
    public sealed class DisconnectedException : TroupeException {
        public DisconnectedException(string message) : base(message) { }
    }

    /// <summary>The daemon violated the protocol.</summary>
    public sealed class ProtocolException : TroupeException {
        public ProtocolException(string message) : base(message) { }
    }
}
