using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// Looks at the names that clients ask for, and blocks the queries of a client that asks too often for names which look
/// like data: tunnels through DNS have long names, of long labels, with many digits and long runs without a vowel.
/// </summary>
/// <param name="limit">The suspicious names that a client may ask for before it is blocked.</param>
/// <param name="suspectLength">The bytes of labels from which a name is suspicious by itself.</param>
/// <param name="seconds">The time for which a client is remembered behind its last suspicious name.</param>
/// <param name="hashSeed">Of the table of clients.</param>
public sealed class DnsTunnelDetector(int limit = 3, int suspectLength = 100, int seconds = 60, ulong hashSeed = 1)
    : Service
{
    private const int LongLabel = 24;
    private const int ManyDigits = 8;
    private const int LongRun = 7;
    private const int MaxLabel = 63;
    private const int MaxName = 253;

    private readonly AgeingTable<IPv4Address, int> _clients = new(256, seconds, hashSeed);

    /// <summary>Queries that are not suspicious.</summary>
    public Counter Ordinary { get; } = new();

    /// <summary>Queries for a name that looks like data.</summary>
    public Counter Suspicious { get; } = new();

    /// <summary>Queries dropped: their client had asked for too many such names.</summary>
    public Counter Blocked { get; } = new();

    /// <summary>Queries dropped whose name is none.</summary>
    public Counter Malformed { get; } = new();

    /// <summary>The length of the longest name so far.</summary>
    public int LongestName { get; private set; }

    /// <inheritdoc/>
    public override void Process(ref Frame frame)
    {
        frame.Flood();
        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType != EtherType.IPv4 || !IPv4.TryParse(ethernet.Payload, out var ip) || ip.IsFragment
            || ip.Protocol != IPProtocol.Udp || !Udp.TryParse(ip.Payload, out var udp)
            || udp.DestinationPort != Dns.Port || !Dns.TryParse(udp.Payload, out var dns) || dns.IsResponse)
            return;

        if (dns.QuestionCount != 1 || !TryJudge(dns.Payload, out var isSuspicious))
        {
            Malformed.Increment();
            frame.Drop();
            return;
        }

        var isKnown = _clients.TryGet(ip.Source, frame.Seconds, out var count);
        if (isSuspicious)
        {
            Suspicious.Increment();
            count = isKnown ? count + 1 : 1;
            _clients.Set(ip.Source, count, frame.Seconds);
        }
        else
        {
            Ordinary.Increment();
        }
        if (isKnown && count > limit)
        {
            Blocked.Increment();
            frame.Drop();
        }
    }

    private static bool IsVowel(int letter) => letter is 'a' or 'e' or 'i' or 'o' or 'u' or 'y';

    private bool TryJudge(ReadOnlySpan<byte> question, out bool isSuspicious)
    {
        isSuspicious = false;
        int left = 0, longest = 0, length = 0, digits = 0, run = 0, longestRun = 0;
        var isComplete = false;
        foreach (var value in question)
        {
            if (left == 0)
            {
                if (value == 0)
                {
                    isComplete = true;
                    break;
                }
                if (value > MaxLabel) return false;
                left = value;
                longest = Math.Max(longest, left);
                run = 0;
                continue;
            }

            left--;
            length++;
            var letter = value | 0x20;
            if (value is >= (byte)'0' and <= (byte)'9') digits++;
            if (IsVowel(letter))
            {
                run = 0;
            }
            else
            {
                run++;
                longestRun = Math.Max(longestRun, run);
            }
        }
        if (!isComplete || length > MaxName) return false;
        LongestName = Math.Max(LongestName, length);
        isSuspicious = length >= suspectLength
            || (longest >= LongLabel && (digits >= ManyDigits || longestRun >= LongRun));
        return true;
    }
}
