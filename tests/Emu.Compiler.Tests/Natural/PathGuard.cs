using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// Drops requests of HTTP whose target leaves the directory of the server, however its characters are escaped
/// (RFC 3986 §2.1): two dots between slashes, a zero, or what is no escape.
/// </summary>
public sealed class PathGuard(ushort port = 80) : Service
{
    private const int LongestTarget = 1024;

    public Counter Requests { get; } = new();

    public Counter Traversals { get; } = new();

    public Counter BadEscapes { get; } = new();

    public Counter Overlong { get; } = new();

    private enum Verdict
    {
        Fine,
        Traversal,
        BadEscape,
        Overlong,
    }

    public override void Process(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType == EtherType.IPv4 && IPv4.TryParse(ethernet.Payload, out var ip) && !ip.IsFragment
            && ip.Protocol == IPProtocol.Tcp && Tcp.TryParse(ip.Payload, out var tcp) && tcp.DestinationPort == port
            && (tcp.Payload.StartsWith("GET "u8) || tcp.Payload.StartsWith("POST "u8)))
        {
            Requests.Increment();
            switch (Check(tcp.Payload[4..]))
            {
                case Verdict.Traversal:
                    Traversals.Increment();
                    return;
                case Verdict.BadEscape:
                    BadEscapes.Increment();
                    return;
                case Verdict.Overlong:
                    Overlong.Increment();
                    return;
            }
        }
        frame.Flood();
    }

    private static Verdict Check(ReadOnlySpan<byte> text)
    {
        var start = text.IndexOf((byte)'/');
        if (start < 0) return Verdict.Fine;
        var dots = 0;
        var isOnlyDots = false;
        var at = start;
        while (at < text.Length && text[at] != ' ' && text[at] != '?')
        {
            if (at - start > LongestTarget) return Verdict.Overlong;
            var c = text[at];
            if (c == '%')
            {
                if (at + 2 >= text.Length || !TryHex(text[at + 1], out var high) || !TryHex(text[at + 2], out var low))
                    return Verdict.BadEscape;
                c = (byte)(high << 4 | low);
                if (c == 0) return Verdict.BadEscape;
                at += 3;
            }
            else at++;
            if (c is (byte)'/' or (byte)'\\')
            {
                if (isOnlyDots && dots == 2) return Verdict.Traversal;
                isOnlyDots = true;
                dots = 0;
            }
            else if (c == '.') dots++;
            else isOnlyDots = false;
        }
        return isOnlyDots && dots == 2 ? Verdict.Traversal : Verdict.Fine;
    }

    private static bool TryHex(byte c, out int digit)
    {
        digit = c switch
        {
            >= (byte)'0' and <= (byte)'9' => c - '0',
            >= (byte)'a' and <= (byte)'f' => c - 'a' + 10,
            >= (byte)'A' and <= (byte)'F' => c - 'A' + 10,
            _ => -1,
        };
        return digit >= 0;
    }
}
