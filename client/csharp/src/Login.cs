using System;
using System.Linq;
using System.Security.Cryptography;
using System.Text;
using System.Text.RegularExpressions;

namespace Troupe {
    /// <summary>One login with a key, NAME.SECRET, which is never sent: send First and the result of Final, and pass the daemon's
    /// proof to Check. SCRAM-SHA-256 (RFC 5802, RFC 7677) without channel binding; proto/scram.h has the equations.</summary>
    public sealed class Login {
        private const string Mechanism = "SCRAM-SHA-256", Header = "n,,";
        private const int IterationsMin = 4096, IterationsMax = 1000000;
        private static readonly Regex Key = new Regex(@"\A([a-z0-9-]{1,47})\.([A-Za-z0-9_-]{64})\z");
        private static readonly Regex ServerFirst =
            new Regex(@"\Ar=([!-+\x2D-~]+),s=([A-Za-z0-9+/]+={0,2}),i=([1-9][0-9]{3,6})(?:,.*)?\z");

        private readonly string bare, nonce, password;
        private string signature;

        /// <summary>mechanisms: of the daemon's Challenge. nonce and password: for tests.</summary>
        public Login(string key, System.Collections.Generic.ICollection<string> mechanisms, string nonce = null, string password = null) {
            Match parts = Key.Match((key ?? "").Trim());
            if (!parts.Success)
                throw new ArgumentException("key: not a key: expected NAME.SECRET, as printed by trouped --make-key");
            if (!mechanisms.Contains(Mechanism))
                throw new ProtocolException("the daemon does not offer " + Mechanism + ", the login of this client: it is older");
            this.nonce = nonce ?? RandomNonce();
            this.password = password ?? parts.Groups[2].Value;
            bare = "n=" + parts.Groups[1].Value + ",r=" + this.nonce;
        }

        /// <summary>client-first.</summary>
        public string First { get { return Header + bare; } }

        /// <summary>client-final, for the daemon's server-first.</summary>
        public string Final(string serverFirst) {
            Match parts = ServerFirst.Match(serverFirst);
            string both = parts.Groups[1].Value;
            if (!parts.Success || !both.StartsWith(nonce, StringComparison.Ordinal) || both == nonce)
                throw new ProtocolException("the daemon's answer to the login is not SCRAM's server-first");
            int iterations = int.Parse(parts.Groups[3].Value);
            if (iterations < IterationsMin || iterations > IterationsMax)
                throw new ProtocolException("the daemon asks for " + iterations + " iterations: expected 4096 to 1000000");
            byte[] salted = Stretch(Ascii(password), Salt(parts.Groups[2].Value), iterations);
            byte[] clientKey = Mac(salted, "Client Key");
            string final = "c=" + Convert.ToBase64String(Ascii(Header)) + ",r=" + both;
            string message = bare + "," + serverFirst + "," + final;
            byte[] pad;
            using (var sha = SHA256.Create()) pad = Mac(sha.ComputeHash(clientKey), message);
            signature = "v=" + Convert.ToBase64String(Mac(Mac(salted, "Server Key"), message));
            return final + ",p=" + Convert.ToBase64String(clientKey.Zip(pad, (a, b) => (byte)(a ^ b)).ToArray());
        }

        /// <summary>Throws unless the daemon has proved that it knows the key.</summary>
        public void Check(string serverFinal) {
            if (signature == null || !SameBytes(Ascii(serverFinal), Ascii(signature)))
                throw new ProtocolException("the daemon has not shown that it knows this key: it may be a different daemon");
        }

        /// <summary>Compares without a time that depends on where two texts differ.</summary>
        private static bool SameBytes(byte[] a, byte[] b) {
            int differing = a.Length ^ b.Length;
            for (int i = 0; i < a.Length && i < b.Length; ++i) differing |= a[i] ^ b[i];
            return differing == 0;
        }

        /// <summary>PBKDF2 (RFC 8018), one block of SHA-256: netstandard2.0 has it with SHA-1 alone.</summary>
        private static byte[] Stretch(byte[] password, byte[] salt, int iterations) {
            using (var mac = new HMACSHA256(password)) {
                byte[] turn = mac.ComputeHash(salt.Concat(new byte[] { 0, 0, 0, 1 }).ToArray());
                var sum = (byte[])turn.Clone();
                for (int i = 1; i < iterations; ++i) {
                    turn = mac.ComputeHash(turn);
                    for (int j = 0; j < sum.Length; ++j) sum[j] ^= turn[j];
                }
                return sum;
            }
        }

        private static byte[] Salt(string text) {
            try {
                return Convert.FromBase64String(text);
            } catch (FormatException) {
                throw new ProtocolException("the daemon's salt is not base64: " + text);
            }
        }

        private static string RandomNonce() {
            var bytes = new byte[24];
            using (var random = RandomNumberGenerator.Create()) random.GetBytes(bytes);
            return Convert.ToBase64String(bytes);
        }

        private static byte[] Mac(byte[] key, string text) {
            using (var mac = new HMACSHA256(key)) return mac.ComputeHash(Ascii(text));
        }

        private static byte[] Ascii(string text) { return Encoding.ASCII.GetBytes(text); }
    }
}
