using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// Lets StatsD datagrams through to the collector only if each of their lines is a metric:
/// <c>name:value|type[|@rate][|#tags]</c> (Etsy's statsd, metric types).
/// </summary>
/// <remarks>All else passes. Empty lines are allowed.</remarks>
/// <example>--port 8125</example>
/// <param name="port">The UDP port of the collector.</param>
/// <param name="longestName">The most characters of a name.</param>
public sealed class StatsdGate(ushort port = 8125, int longestName = 64) : Service
{
    /// <summary>Datagrams whose lines are all metrics.</summary>
    public Counter Accepted { get; } = new();

    /// <summary>Metrics in them.</summary>
    public Counter Metrics { get; } = new();

    /// <summary>Datagrams dropped.</summary>
    public Counter Rejected { get; } = new();

    /// <inheritdoc/>
    public override void Process(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType == EtherType.IPv4 && IPv4.TryParse(ethernet.Payload, out var ip) && !ip.IsFragment
            && ip.Protocol == IPProtocol.Udp && Udp.TryParse(ip.Payload, out var udp) && udp.DestinationPort == port)
        {
            var metrics = CountMetrics(udp.Payload);
            if (metrics <= 0)
            {
                Rejected.Increment();
                return;
            }
            Accepted.Increment();
            Metrics.Add((ulong)metrics);
        }
        frame.Flood();
    }

    /// <summary>The lines of a datagram, or -1 if one of them is no metric.</summary>
    private int CountMetrics(ReadOnlySpan<byte> text)
    {
        var count = 0;
        while (!text.IsEmpty)
        {
            var end = text.IndexOf((byte)'\n');
            var line = end < 0 ? text : text[..end];
            text = end < 0 ? default : text[(end + 1)..];
            if (line.IsEmpty) continue;
            if (!IsMetric(line)) return -1;
            count++;
        }
        return count;
    }

    private bool IsMetric(ReadOnlySpan<byte> line)
    {
        var colon = line.IndexOf((byte)':');
        if (colon <= 0 || colon > longestName || !IsName(line[..colon])) return false;

        line = line[(colon + 1)..];
        var bar = line.IndexOf((byte)'|');
        if (bar <= 0 || !IsNumber(line[..bar])) return false;

        line = line[(bar + 1)..];
        bar = line.IndexOf((byte)'|');
        if (!IsType(bar < 0 ? line : line[..bar])) return false;

        while (bar >= 0)
        {
            line = line[(bar + 1)..];
            bar = line.IndexOf((byte)'|');
            if (!IsExtension(bar < 0 ? line : line[..bar])) return false;
        }
        return true;
    }

    private static bool IsName(ReadOnlySpan<byte> name)
    {
        foreach (var c in name)
        {
            if (!char.IsAsciiLetterOrDigit((char)c) && c is not ((byte)'.' or (byte)'_' or (byte)'-' or (byte)'/'))
                return false;
        }
        return true;
    }

    /// <summary>A sample rate, 0 to 1, or tags.</summary>
    private static bool IsExtension(ReadOnlySpan<byte> text) =>
        text.Length >= 2 && (text[0] == '@' ? text[1] is (byte)'0' or (byte)'1' && IsNumber(text[1..])
            : text[0] == '#');

    private static bool IsType(ReadOnlySpan<byte> type) => type.Length switch
    {
        1 => type[0] is (byte)'c' or (byte)'g' or (byte)'h' or (byte)'s',
        2 => type.SequenceEqual("ms"u8),
        _ => false,
    };

    private static bool IsNumber(ReadOnlySpan<byte> text)
    {
        var (digits, hasPoint) = (0, false);
        for (var i = 0; i < text.Length; i++)
        {
            if (char.IsAsciiDigit((char)text[i])) digits++;
            else if (text[i] == '.' && !hasPoint) hasPoint = true;
            else if (i != 0 || text[i] is not ((byte)'+' or (byte)'-')) return false;
        }
        return digits > 0;
    }
}
