using Emu.Protocols;

namespace Emu.Samples;

/// <summary>
/// Lets syslog messages pass that are severe enough, and counts them by severity (RFC 5424 §6.2.1, over UDP by RFC
/// 5426).
/// </summary>
/// <remarks>
/// Messages that do not begin with a priority of one to three digits are dropped, and so are those with the word
/// <c>[test]</c> anywhere in them. All other frames pass unseen.
/// </remarks>
/// <example>--least-severe 4</example>
/// <param name="leastSevere">The severity of the last message to pass, 0 (emergency) to 7 (debug).</param>
public sealed class SyslogFilter(int leastSevere = 4) : Service
{
    private const ushort Port = 514;
    private const int Severities = 8, MostPriority = 191;

    private readonly uint[] _bySeverity = new uint[Severities];

    /// <summary>Messages that passed.</summary>
    public Counter Passed { get; } = new();

    /// <summary>Messages dropped: they are not severe, or tests.</summary>
    public Counter Suppressed { get; } = new();

    /// <summary>Messages dropped: they have no priority.</summary>
    public Counter Malformed { get; } = new();

    /// <inheritdoc/>
    public override void Process(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType == EtherType.IPv4 && IPv4.TryParse(ethernet.Payload, out var ip)
            && ip.Protocol == IPProtocol.Udp && Udp.TryParse(ip.Payload, out var udp) && udp.DestinationPort == Port)
        {
            if (!TryParsePriority(udp.Payload, out var priority))
            {
                Malformed.Increment();
                return;
            }
            var severity = priority % Severities;
            _bySeverity[severity]++;
            if (severity > leastSevere || udp.Payload.IndexOf("[test]"u8) >= 0)
            {
                Suppressed.Increment();
                return;
            }
            Passed.Increment();
        }
        frame.Flood();
    }

    /// <summary>Reads the number between angle brackets with which a message begins.</summary>
    private static bool TryParsePriority(ReadOnlySpan<byte> message, out int priority)
    {
        priority = 0;
        if (message.IsEmpty || message[0] != '<') return false;
        var end = message.IndexOf((byte)'>');
        if (end is < 2 or > 4) return false;
        foreach (var digit in message[1..end])
        {
            if (!char.IsAsciiDigit((char)digit)) return false;
            priority = priority * 10 + (digit - '0');
        }
        return priority <= MostPriority;
    }
}
