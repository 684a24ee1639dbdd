using System.Buffers.Binary;
using System.Globalization;
using System.Text;
using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// Checks orders before they get to the exchange (SEC rule 15c3-5): of each order in Nasdaq's OUCH 4.2 over SoupBinTCP
/// the stock, the shares, the price and the value have to be within limits.
/// </summary>
/// <remarks>
/// <para>Port 0 has the trader, port 1 the exchange. An order that is not within its limits cannot be taken out of a
/// TCP
/// connection, whose bytes are numbered. It stays, for 0 shares: the exchange rejects it as it does any such order,
/// and the trader's software hears that in the usual way.</para>
/// <para>A segment has to consist of whole SoupBinTCP packets, as those of all who care for time do: with others,
/// orders
/// could be hidden. They are dropped, and so the connection breaks. A segment that is sent again is checked
/// again.</para>
/// <para>Replacements name no stock; they are held to the shares and the value of the whole firm. Not done: IPv6 and
/// VLAN tags, which the exchange does not take orders by.</para>
/// </remarks>
/// <example>--stock AAPL=5000=180.00=260.00 --most-shares 10000 --most-value 2000000</example>
/// <param name="stock">A stock that may be traded: its symbol, the most shares of an order, the least and the highest
/// price.</param>
/// <param name="mostShares">The most shares of a replacement.</param>
/// <param name="mostValue">The most that an order may be worth, in dollars.</param>
/// <param name="port">The exchange's TCP port.</param>
public sealed class OrderRiskGate(string[] stock, uint mostShares = 10_000, uint mostValue = 2_000_000,
    ushort port = 15_000)
    : Service
{
    /// <summary>Eight letters, with spaces behind a shorter symbol.</summary>
    private readonly record struct Symbol(ulong Letters) : ITableKey<Symbol>
    {
        public static int Width => 64;

        public UInt128 KeyBits => Letters;
    }

    /// <summary>Prices are in units of a hundredth of a cent, as in OUCH.</summary>
    private readonly record struct Limits(uint MostShares, uint LeastPrice, uint MostPrice);

    private const uint PriceUnit = 10_000;

    /// <summary>SoupBinTCP 3.00: a length that does not count itself, and a type.</summary>
    private const int LengthLength = 2, SoupHeaderLength = 3;

    private const byte UnsequencedData = (byte)'U';

    /// <summary>Enter Order (OUCH 4.2), from the message's type on.</summary>
    private const byte EnterOrder = (byte)'O';
    private const int EnterLength = 49, EnterShares = 16, EnterStock = 20, EnterPrice = 28;

    /// <summary>Replace Order (OUCH 4.2).</summary>
    private const byte ReplaceOrder = (byte)'U';
    private const int ReplaceLength = 47, ReplaceShares = 29, ReplacePrice = 33;

    private static readonly PortId s_trader = new(0), s_exchange = new(1);

    private readonly ConstantTable<Symbol, Limits> _stocks = new(stock.Select(Parse).ToDictionary());
    private readonly ulong _mostValue = (ulong)mostValue * PriceUnit;

    /// <summary>Orders and replacements within their limits.</summary>
    public Counter Accepted { get; } = new();

    /// <summary>Orders and replacements that were made void.</summary>
    public Counter Voided { get; } = new();

    /// <summary>Segments dropped: a checksum is wrong, or they are not whole packets.</summary>
    public Counter Malformed { get; } = new();

    /// <inheritdoc/>
    public override void Process(ref Frame frame)
    {
        if (frame.Ingress != s_trader)
        {
            frame.ForwardTo(s_trader);
            return;
        }
        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType == EtherType.IPv4 && IPv4.TryParse(ethernet.Payload, out var ip)
            && ip.Protocol == IPProtocol.Tcp)
        {
            // Orders could be in fragments, too.
            if (ip.IsFragment || !Tcp.TryParse(ip.Payload, out var tcp)
                || (tcp.DestinationPort == port && !IsHandled(ip, tcp)))
            {
                Malformed.Increment();
                return;
            }
        }
        frame.ForwardTo(s_exchange);
    }

    /// <summary>Checks all orders of a segment.</summary>
    /// <returns>False if it cannot be told which they are.</returns>
    private bool IsHandled(IPv4 ip, Tcp tcp)
    {
        var stream = tcp.Payload;
        if (stream.Length == 0) return true;
        if (!tcp.HasValidChecksum(ip) || !HasWholePackets(stream)) return false;

        var voided = 0;
        var at = 0;
        while (at + SoupHeaderLength <= stream.Length)
        {
            var end = at + LengthLength + BinaryPrimitives.ReadUInt16BigEndian(stream[at..]);
            if (stream[at + LengthLength] == UnsequencedData)
            {
                var message = stream[(at + SoupHeaderLength)..end];
                if (message.Length == EnterLength && message[0] == EnterOrder)
                    voided += Check(message[EnterShares..], IsAllowed(message));
                else if (message.Length == ReplaceLength && message[0] == ReplaceOrder)
                    voided += Check(message[ReplaceShares..], IsReplacementAllowed(message));
            }
            at = end;
        }
        if (voided > 0) tcp.WriteChecksum(ip);
        return true;
    }

    private static bool HasWholePackets(ReadOnlySpan<byte> stream)
    {
        var at = 0;
        while (at < stream.Length)
        {
            if (at + SoupHeaderLength > stream.Length) return false;
            var length = BinaryPrimitives.ReadUInt16BigEndian(stream[at..]);
            if (length == 0) return false; // there is always a type
            at += LengthLength + length;
        }
        return at == stream.Length;
    }

    private int Check(Span<byte> shares, bool isAllowed)
    {
        if (isAllowed)
        {
            Accepted.Increment();
            return 0;
        }
        BinaryPrimitives.WriteUInt32BigEndian(shares, 0);
        Voided.Increment();
        return 1;
    }

    private bool IsAllowed(ReadOnlySpan<byte> order)
    {
        var shares = BinaryPrimitives.ReadUInt32BigEndian(order[EnterShares..]);
        var price = BinaryPrimitives.ReadUInt32BigEndian(order[EnterPrice..]);
        // A market order has a price beyond all, and is not allowed: nobody knows what it is worth.
        return _stocks.TryGet(new Symbol(BinaryPrimitives.ReadUInt64BigEndian(order[EnterStock..])), out var limits)
            && shares <= limits.MostShares && price >= limits.LeastPrice && price <= limits.MostPrice
            && (ulong)shares * price <= _mostValue;
    }

    private bool IsReplacementAllowed(ReadOnlySpan<byte> order)
    {
        var shares = BinaryPrimitives.ReadUInt32BigEndian(order[ReplaceShares..]);
        var price = BinaryPrimitives.ReadUInt32BigEndian(order[ReplacePrice..]);
        return shares <= mostShares && (ulong)shares * price <= _mostValue;
    }

    private static KeyValuePair<Symbol, Limits> Parse(string text)
    {
        if (text.Split('=') is not [{ Length: >= 1 and <= 8 } symbol, var shares, var least, var most])
            throw new FormatException($"'{text}' is not such as AAPL=5000=180.00=260.00");
        return new(
            new Symbol(BinaryPrimitives.ReadUInt64BigEndian(Encoding.ASCII.GetBytes(symbol.PadRight(8)))),
            new Limits(uint.Parse(shares, CultureInfo.InvariantCulture), Price(least), Price(most)));
    }

    private static uint Price(string text) => (uint)(decimal.Parse(text, CultureInfo.InvariantCulture) * PriceUnit);
}
