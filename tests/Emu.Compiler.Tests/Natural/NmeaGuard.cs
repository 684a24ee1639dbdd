using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// Lets datagrams with positions of ships pass only if they are whole sentences with right checksums (NMEA 0183 §5.3:
/// <c>$</c> or <c>!</c>, fields, <c>*</c>, the XOR of what is between in two hexadecimal digits, CR, LF).
/// </summary>
/// <remarks>A datagram may have several sentences. Frames of other protocols pass unseen.</remarks>
/// <param name="port">The UDP port, 10110 by IANA.</param>
public sealed class NmeaGuard(ushort port = 10110) : Service
{
    /// <summary>Sentences that passed.</summary>
    public Counter Sentences { get; } = new();

    /// <summary>Datagrams dropped: something in them is no sentence.</summary>
    public Counter Malformed { get; } = new();

    /// <summary>Datagrams dropped: the checksum of a sentence is wrong.</summary>
    public Counter Damaged { get; } = new();

    public override void Process(ref Frame frame)
    {
        frame.ForwardTo(new PortId(frame.Ingress.Index ^ 1));
        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType != EtherType.IPv4 || !IPv4.TryParse(ethernet.Payload, out var ip)
            || ip.Protocol != IPProtocol.Udp || ip.IsFragment || !Udp.TryParse(ip.Payload, out var udp)
            || udp.DestinationPort != port)
            return;

        var reader = new SentenceReader();
        foreach (var letter in udp.Payload)
        {
            reader.Read(letter);
            if (reader.State is ReaderState.Malformed or ReaderState.Damaged) break;
        }
        if (reader.State == ReaderState.Between && reader.Sentences > 0)
        {
            Sentences.Add(reader.Sentences);
            return;
        }
        frame.Drop();
        if (reader.State == ReaderState.Damaged) Damaged.Increment();
        else Malformed.Increment();
    }

    private enum ReaderState : byte
    {
        Between,
        Fields,
        HighDigit,
        LowDigit,
        CarriageReturn,
        LineFeed,
        Malformed,
        Damaged,
    }

    private struct SentenceReader
    {
        /// <summary>The letters of the longest sentence, from its first to its line feed.</summary>
        private const int Longest = 82;

        private byte _sum, _stated;
        private int _length;

        public ReaderState State { get; private set; }

        public uint Sentences { get; private set; }

        public void Read(byte letter)
        {
            State = Next(letter);
            _length = State == ReaderState.Between ? 0 : _length + 1;
            if (_length >= Longest && State != ReaderState.Damaged) State = ReaderState.Malformed;
        }

        private ReaderState Next(byte letter)
        {
            switch (State)
            {
                case ReaderState.Between:
                    _sum = 0;
                    return letter is (byte)'$' or (byte)'!' ? ReaderState.Fields : ReaderState.Malformed;
                case ReaderState.Fields:
                    if (letter == '*') return ReaderState.HighDigit;
                    _sum ^= letter;
                    return letter is >= 0x20 and <= 0x7E and not (byte)'$' and not (byte)'!'
                        ? ReaderState.Fields
                        : ReaderState.Malformed;
                case ReaderState.HighDigit:
                    if (!IsHex(letter)) return ReaderState.Malformed;
                    _stated = (byte)(ValueOf(letter) << 4);
                    return ReaderState.LowDigit;
                case ReaderState.LowDigit:
                    if (!IsHex(letter)) return ReaderState.Malformed;
                    _stated |= ValueOf(letter);
                    return _stated == _sum ? ReaderState.CarriageReturn : ReaderState.Damaged;
                case ReaderState.CarriageReturn:
                    return letter == '\r' ? ReaderState.LineFeed : ReaderState.Malformed;
                case ReaderState.LineFeed:
                    if (letter != '\n') return ReaderState.Malformed;
                    Sentences++;
                    return ReaderState.Between;
                default:
                    return State;
            }
        }

        private static bool IsHex(byte letter) =>
            char.IsAsciiDigit((char)letter) || (letter | 0x20) is >= 'a' and <= 'f';

        private static byte ValueOf(byte digit) =>
            (byte)(char.IsAsciiDigit((char)digit) ? digit - '0' : (digit | 0x20) - 'a' + 10);
    }
}
