using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// Protects a node of the distributed hash table of BitTorrent: messages must be one dictionary in proper bencoding
/// (BEP 3 "bencoding"), not deeper than a limit, with keys that are strings; queries, responses and errors are counted
/// (BEP 5 "KRPC Protocol"). Queries from outside come at no more than a rate from each of a number of sources.
/// </summary>
/// <remarks>The node is at port 1; it listens at one UDP port.</remarks>
/// <param name="port">The node's UDP port.</param>
/// <param name="maxDepth">The most dictionaries and lists that are open at once, up to 32.</param>
/// <param name="queriesPerSecond">Of each source.</param>
public sealed class BencodeGuard(ushort port = 6881, int maxDepth = 8, int queriesPerSecond = 50) : Service
{
    private const int Sources = 256;

    private static readonly PortId s_outside = new(0);
    private static readonly PortId s_node = new(1);

    private readonly TokenBuckets _buckets = new(Sources, queriesPerSecond, burst: 20);
    private readonly H3Hash _hash = new(32, 8, seed: 77);

    /// <summary>Queries that went on.</summary>
    public Counter Queries { get; } = new();

    /// <summary>Responses and errors that went on.</summary>
    public Counter Answers { get; } = new();

    /// <summary>Messages dropped since their coding is wrong.</summary>
    public Counter Malformed { get; } = new();

    /// <summary>Queries dropped since their source sent too many.</summary>
    public Counter Limited { get; } = new();

    /// <inheritdoc/>
    public override void Process(ref Frame frame)
    {
        if (frame.Ingress == s_node)
        {
            frame.ForwardTo(s_outside);
            return;
        }
        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType != EtherType.IPv4 || !IPv4.TryParse(ethernet.Payload, out var ip)
            || ip.Protocol != IPProtocol.Udp || ip.IsFragment || !Udp.TryParse(ip.Payload, out var udp)
            || udp.DestinationPort != port)
        {
            frame.ForwardTo(s_node);
            return;
        }
        if (!IsDictionary(udp.Payload))
        {
            Malformed.Increment();
            return;
        }
        if (udp.Payload.IndexOf("1:y1:q"u8) >= 0)
        {
            if (!_buckets.TryTake(_hash.Index(ip.Source.KeyBits), 1, frame.Time))
            {
                Limited.Increment();
                return;
            }
            Queries.Increment();
        }
        else
        {
            Answers.Increment();
        }
        frame.ForwardTo(s_node);
    }

    /// <summary>Reads the whole of the message; only what is open is kept, a bit for each.</summary>
    private bool IsDictionary(ReadOnlySpan<byte> message)
    {
        if (message.IsEmpty || message[0] != 'd') return false;
        uint dictionaries = 1;
        var (depth, isKey, at) = (1, true, 1);
        while (at < message.Length)
        {
            var letter = message[at];
            if (letter is >= (byte)'0' and <= (byte)'9')
            {
                if (!TryReadString(message, ref at)) return false;
                isKey = (dictionaries & 1) != 0 && !isKey;
                continue;
            }
            at++;
            if (letter == 'e')
            {
                if ((dictionaries & 1) != 0 && !isKey) return false;
                dictionaries >>= 1;
                if (--depth == 0) return at == message.Length;
                isKey = (dictionaries & 1) != 0;
                continue;
            }
            if (isKey) return false;
            switch (letter)
            {
                case (byte)'d' or (byte)'l':
                    if (++depth > maxDepth) return false;
                    dictionaries = dictionaries << 1 | (letter == 'd' ? 1u : 0);
                    isKey = letter == 'd';
                    break;
                case (byte)'i':
                    if (!TrySkipInteger(message, ref at)) return false;
                    isKey = (dictionaries & 1) != 0;
                    break;
                default:
                    return false;
            }
        }
        return false;
    }

    private static bool TryReadString(ReadOnlySpan<byte> message, ref int at)
    {
        var length = 0;
        while (at < message.Length && message[at] != ':')
        {
            var digit = message[at] - '0';
            if (digit is < 0 or > 9) return false;
            length = length * 10 + digit;
            if (length > message.Length) return false;
            at++;
        }
        at += 1 + length;
        return at <= message.Length;
    }

    private static bool TrySkipInteger(ReadOnlySpan<byte> message, ref int at)
    {
        if (at < message.Length && message[at] == '-') at++;
        var first = at;
        while (at < message.Length && message[at] is >= (byte)'0' and <= (byte)'9') at++;
        if (at == first || at == message.Length || message[at] != 'e') return false;
        if (message[first] == '0' && at > first + 1) return false;
        at++;
        return true;
    }
}
