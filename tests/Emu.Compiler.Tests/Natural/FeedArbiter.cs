using System.Buffers.Binary;
using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// Takes a feed of market data that comes twice (MoldUDP64 with messages of ITCH), lets what comes first pass, counts
/// gaps, and marks packets in which a symbol is traded that is watched.
/// </summary>
public sealed class FeedArbiter(ushort port, string symbol) : Service
{
    private const int HeaderLength = 20, Session = 10;
    private const byte AddOrder = (byte)'A', Executed = (byte)'E', Trade = (byte)'P';
    private const int StockOfOrder = 24;

    private readonly ulong _symbol = SymbolOf(symbol);
    private ulong _next = 1;

    public Counter Duplicates { get; } = new();

    public Counter Missing { get; } = new();

    public Counter Orders { get; } = new();

    public Counter Executions { get; } = new();

    public Counter Trades { get; } = new();

    public Counter Malformed { get; } = new();

    public override void Process(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType != EtherType.IPv4 || !IPv4.TryParse(ethernet.Payload, out var ip)
            || ip.Protocol != IPProtocol.Udp || !Udp.TryParse(ip.Payload, out var udp)
            || udp.DestinationPort != port)
            return;
        var packet = udp.Payload;
        if (packet.Length < HeaderLength)
        {
            Malformed.Increment();
            return;
        }
        var sequence = BinaryPrimitives.ReadUInt64BigEndian(packet[Session..]);
        var count = BinaryPrimitives.ReadUInt16BigEndian(packet[18..]);
        if (!TryLook(packet[HeaderLength..], count, out var isWatched))
        {
            Malformed.Increment();
            return;
        }
        if (sequence < _next)
        {
            Duplicates.Increment();
            return;
        }
        if (sequence > _next) Missing.Add(sequence - _next);
        _next = sequence + count;
        if (isWatched) ip.Dscp = 46;
        frame.ForwardTo(new PortId(isWatched ? 3 : 2));
    }

    private bool TryLook(ReadOnlySpan<byte> messages, int count, out bool isWatched)
    {
        isWatched = false;
        for (var i = 0; i < count; i++)
        {
            if (messages.Length < 2) return false;
            var length = BinaryPrimitives.ReadUInt16BigEndian(messages);
            if (length == 0 || messages.Length < 2 + length) return false;
            var message = messages.Slice(2, length);
            switch (message[0])
            {
                case AddOrder:
                    Orders.Increment();
                    if (message.Length >= StockOfOrder + 8
                        && BinaryPrimitives.ReadUInt64BigEndian(message[StockOfOrder..]) == _symbol)
                        isWatched = true;
                    break;
                case Executed:
                    Executions.Increment();
                    break;
                case Trade:
                    Trades.Increment();
                    break;
            }
            messages = messages[(2 + length)..];
        }
        return true;
    }

    private static ulong SymbolOf(string symbol)
    {
        var bits = 0ul;
        for (var i = 0; i < 8; i++) bits = bits << 8 | (i < symbol.Length ? symbol[i] : ' ');
        return bits;
    }
}
