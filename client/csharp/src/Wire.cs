// Protobuf's encoding of one message, and the frames around messages (proto/PROTOCOL.md).
using System;
using System.Collections.Generic;
using System.IO;
using System.Text;

namespace Troupe {
    /// <summary>A message of the schema; Messages.cs has them all.</summary>
    public interface IMessage {
        void WriteTo(Writer writer);
        void ReadFrom(Reader reader);
    }

    /// <summary>Appends fields to a growing array.</summary>
    public sealed class Writer {
        private static readonly UTF8Encoding Utf8 = new UTF8Encoding(false, true);
        private readonly MemoryStream bytes = new MemoryStream();

        public byte[] ToArray() { return bytes.ToArray(); }

        public void Tag(int field, int wire) { UInt64((ulong)(field << 3 | wire)); }

        public void UInt64(ulong number) {
            for (; number >= 0x80; number >>= 7) bytes.WriteByte((byte)(number | 0x80));
            bytes.WriteByte((byte)number);
        }

        public void Bool(bool value) { UInt64(value ? 1ul : 0); }
        public void UInt32(uint value) { UInt64(value); }
        public void Int64(long value) { UInt64((ulong)value); }
        public void Enum(int value) { UInt64((ulong)(long)value); }
        public void SInt32(int value) { UInt64((uint)(value << 1 ^ value >> 31)); }
        public void Double(double value) { Fixed64((ulong)BitConverter.DoubleToInt64Bits(value)); }
        public void Float(float value) { Little(BitConverter.GetBytes(value)); }
        public void Fixed64(ulong value) { Little(BitConverter.GetBytes(value)); }
        public void String(string value) { Bytes(Utf8.GetBytes(value)); }

        public void Bytes(byte[] value) {
            UInt64((ulong)value.Length);
            bytes.Write(value, 0, value.Length);
        }

        public void Message(IMessage message) {
            var part = new Writer();
            message.WriteTo(part);
            Bytes(part.ToArray());
        }

        /// <summary>A repeated field of numbers.</summary>
        public void Packed(int field, Writer numbers) {
            Tag(field, 2);
            Bytes(numbers.ToArray());
        }

        private void Little(byte[] value) {
            if (!BitConverter.IsLittleEndian) Array.Reverse(value);
            bytes.Write(value, 0, value.Length);
        }
    }

    /// <summary>Reads the fields of one message. Throws a ProtocolException if the bytes are not a message.</summary>
    public sealed class Reader {
        private const int DepthMax = 32;
        private static readonly UTF8Encoding Utf8 = new UTF8Encoding(false, true);
        private readonly byte[] data;
        private int at, end, depth;

        public Reader(byte[] data) {
            this.data = data;
            end = data.Length;
        }

        /// <summary>Number of the field that Next has found.</summary>
        public int Field { get; private set; }

        private int Wire { get; set; }

        /// <summary>Finds the next field; false at the end of the message.</summary>
        public bool Next() {
            if (at == end) return false;
            ulong tag = UInt64();
            Field = (int)(tag >> 3);
            Wire = (int)(tag & 7);
            if (tag >> 32 != 0 || Field == 0) throw Malformed("a field number");
            return true;
        }

        public void Expect(int wire) {
            if (Wire != wire) throw Malformed("the type of field " + Field);
        }

        /// <summary>Begins a repeated field of numbers, packed or single; Before counts through it.</summary>
        public int Begin(int wire) {
            if (Wire == 2) return Length() + at;
            Expect(wire);
            return -1;
        }

        public bool Before(ref int stop) {
            if (stop == -1) {
                stop = -2;
                return true;
            }
            if (stop >= 0 && at > stop) throw Malformed("a packed field");
            return at < stop;
        }

        public ulong UInt64() {
            ulong number = 0;
            for (int shift = 0; shift < 64; shift += 7) {
                if (at == end) throw Malformed("a number that is cut off");
                byte next = data[at++];
                number |= (ulong)(next & 0x7F) << shift;
                if (next < 0x80) return number;
            }
            throw Malformed("a number of more than 10 bytes");
        }

        public bool Bool() { return UInt64() != 0; }
        public uint UInt32() { return (uint)UInt64(); }
        public long Int64() { return (long)UInt64(); }
        public int Enum() { return (int)UInt64(); }

        public int SInt32() {
            uint number = UInt32();
            return (int)(number >> 1) ^ -(int)(number & 1);
        }

        public double Double() { return BitConverter.Int64BitsToDouble((long)Fixed64()); }

        public float Float() {
            int from = Take(4);
            return BitConverter.ToSingle(BitConverter.IsLittleEndian ? data : Turned(from, 4), BitConverter.IsLittleEndian ? from : 0);
        }

        public ulong Fixed64() {
            int from = Take(8);
            return BitConverter.ToUInt64(BitConverter.IsLittleEndian ? data : Turned(from, 8), BitConverter.IsLittleEndian ? from : 0);
        }

        public string String() {
            int count = Length(), from = Take(count);
            try {
                return Utf8.GetString(data, from, count);
            } catch (ArgumentException) {
                throw Malformed("a text that is not UTF-8");
            }
        }

        public byte[] Bytes() {
            int count = Length(), from = Take(count);
            var value = new byte[count];
            Array.Copy(data, from, value, 0, count);
            return value;
        }

        public T Message<T>(T message) where T : IMessage {
            int count = Length(), outer = end;
            if (++depth > DepthMax) throw Malformed("messages nested more than " + DepthMax + " deep");
            end = at + count;
            message.ReadFrom(this);
            end = outer;
            --depth;
            return message;
        }

        /// <summary>Passes over a field that this client does not know.</summary>
        public void Skip() {
            if (Wire == 0) UInt64();
            else if (Wire == 1) Take(8);
            else if (Wire == 2) Take(Length());
            else if (Wire == 5) Take(4);
            else throw Malformed("the type of field " + Field);
        }

        private int Length() {
            ulong length = UInt64();
            if (length > (ulong)(end - at)) throw Malformed("a length of " + length);
            return (int)length;
        }

        private int Take(int count) {
            if (count > end - at) throw Malformed("a value that is cut off");
            at += count;
            return at - count;
        }

        private byte[] Turned(int from, int count) {
            var value = new byte[count];
            Array.Copy(data, from, value, 0, count);
            Array.Reverse(value);
            return value;
        }

        private static ProtocolException Malformed(string what) {
            return new ProtocolException("a message that does not parse: " + what);
        }
    }

    /// <summary>A stream of bytes in pieces of any size, taken apart into frames.</summary>
    public sealed class Frames {
        /// <summary>Bytes that the daemon may send in one frame.</summary>
        public const int FrameMax = 4194304;
        private const int PrefixMax = 5;
        private readonly List<byte> rest = new List<byte>();

        public static byte[] Encode(IMessage message) {
            var writer = new Writer();
            writer.Message(message);
            return writer.ToArray();
        }

        /// <summary>Adds received bytes.</summary>
        public void Feed(byte[] data, int count) { rest.AddRange(new ArraySegment<byte>(data, 0, count)); }

        /// <summary>Takes the next whole frame; null if it has not arrived yet.</summary>
        public byte[] Next() {
            long length = 0;
            for (int i = 0; i < PrefixMax && i < rest.Count; ++i) {
                length |= (long)(rest[i] & 0x7F) << 7 * i;
                if (rest[i] >= 0x80) continue;
                if (length > FrameMax)
                    throw new ProtocolException("a frame of " + length + " bytes: expected at most " + FrameMax);
                return rest.Count - i - 1 < length ? null : Cut(i + 1, (int)length);
            }
            if (rest.Count >= PrefixMax) throw new ProtocolException("a length prefix of more than " + PrefixMax + " bytes");
            return null;
        }

        private byte[] Cut(int from, int count) {
            var frame = rest.GetRange(from, count).ToArray();
            rest.RemoveRange(0, from + count);
            return frame;
        }
    }
}
