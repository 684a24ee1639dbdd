using System.Buffers.Binary;
using System.Text;
using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// Passes the packets of a market data feed that concern some stocks: NASDAQ TotalView-ITCH 5.0 in MoldUDP64. Which
/// stock a message is about is said by a locate code, which the day's stock directory assigns. System events and
/// heartbeats pass always, and gaps in the sequence of messages are counted.
/// </summary>
public sealed class ItchFilter : Service
{
    private const int MoldHeaderLength = 20, SymbolLength = 8, MostLocates = 1 << 16;
    private const ushort Heartbeat = 0, EndOfSession = 0xFFFF;

    private readonly ushort _port;
    private readonly ulong[] _symbols;
    private readonly bool[] _isWanted = new bool[MostLocates];
    private ulong _nextSequence;

    /// <param name="symbol">The stocks, such as <c>AAPL</c>, each of up to eight letters.</param>
    /// <param name="port">The UDP port of the feed.</param>
    public ItchFilter(string[] symbol, ushort port = 26477)
    {
        _port = port;
        _symbols = symbol
            .Select(name => BinaryPrimitives.ReadUInt64BigEndian(Encoding.ASCII.GetBytes(name.PadRight(SymbolLength))))
            .ToArray();
    }

    public Counter Messages { get; } = new();

    public Counter Wanted { get; } = new();

    public Counter Suppressed { get; } = new();

    public Counter Gaps { get; } = new();

    public Counter Missed { get; } = new();

    public Counter Listed { get; } = new();

    public Counter Malformed { get; } = new();

    public override void Process(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType != EtherType.IPv4 || !IPv4.TryParse(ethernet.Payload, out var ip) || ip.IsFragment
            || ip.Protocol != IPProtocol.Udp || !Udp.TryParse(ip.Payload, out var udp)
            || udp.DestinationPort != _port || udp.Payload.Length < MoldHeaderLength)
        {
            frame.Flood();
            return;
        }

        var sequence = BinaryPrimitives.ReadUInt64BigEndian(udp.Payload[10..]);
        var count = BinaryPrimitives.ReadUInt16BigEndian(udp.Payload[18..]);
        if (count is Heartbeat or EndOfSession)
        {
            frame.Flood();
            return;
        }
        Follow(sequence, count);

        var rest = udp.Payload[MoldHeaderLength..];
        var isWanted = false;
        for (var i = 0; i < count; i++)
        {
            if (!TryTakeMessage(ref rest, out var message))
            {
                Malformed.Increment();
                return;
            }
            Messages.Increment();
            isWanted |= IsWanted(message);
        }

        if (isWanted)
        {
            Wanted.Increment();
            frame.Flood();
        }
        else Suppressed.Increment();
    }

    /// <summary>A feed comes twice, on lines A and B, so that what was seen before is no gap.</summary>
    private void Follow(ulong sequence, ushort count)
    {
        if (_nextSequence != 0 && sequence > _nextSequence)
        {
            Gaps.Increment();
            Missed.Add(sequence - _nextSequence);
        }
        _nextSequence = Math.Max(_nextSequence, sequence + count);
    }

    private static bool TryTakeMessage(ref Span<byte> rest, out Span<byte> message)
    {
        message = default;
        if (rest.Length < 2) return false;
        var length = BinaryPrimitives.ReadUInt16BigEndian(rest);
        if (length < 11 || length > rest.Length - 2) return false; // type, locate, tracking number, timestamp
        message = rest.Slice(2, length);
        rest = rest[(2 + length)..];
        return true;
    }

    private bool IsWanted(ReadOnlySpan<byte> message)
    {
        var type = (char)message[0];
        var locate = BinaryPrimitives.ReadUInt16BigEndian(message[1..]);
        switch (type)
        {
            case 'S': // system event
                return true;
            case 'R' when message.Length >= 11 + SymbolLength: // stock directory
                var isListed = IsOnList(BinaryPrimitives.ReadUInt64BigEndian(message[11..]));
                if (isListed && !_isWanted[locate]) Listed.Increment();
                _isWanted[locate] = isListed;
                return isListed;
            case 'A' or 'F' or 'E' or 'C' or 'X' or 'D' or 'U' or 'P' or 'Q' or 'H': // orders, trades, halts
                return _isWanted[locate];
            default:
                return false;
        }
    }

    private bool IsOnList(ulong symbol)
    {
        foreach (var listed in _symbols)
            if (symbol == listed) return true;
        return false;
    }
}
