using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// Lets messages of FIX (4.2 and 4.4) through whose body length and checksum are right, and counts orders and cancels
/// of each session.
/// </summary>
public sealed class FixGuard(ushort port = 9876) : Service
{
    private const byte Separator = 1;

    public Counter Orders { get; } = new();

    public Counter Cancels { get; } = new();

    public Counter Others { get; } = new();

    public Counter BadLength { get; } = new();

    public Counter BadChecksum { get; } = new();

    public Counter Malformed { get; } = new();

    public override void Process(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType == EtherType.IPv4 && IPv4.TryParse(ethernet.Payload, out var ip)
            && ip.Protocol == IPProtocol.Tcp && Tcp.TryParse(ip.Payload, out var tcp) && tcp.DestinationPort == port
            && tcp.Payload.Length > 0 && !IsValid(tcp.Payload))
            return;
        frame.ForwardTo(new PortId(frame.Ingress.Index ^ 1));
    }

    private bool IsValid(ReadOnlySpan<byte> message)
    {
        // 8=FIX.4.2|9=123|35=D| ... |10=098|
        if (message.Length < 20 || !message.StartsWith("8=FIX.4."u8) || message[9] != Separator
            || message[10] != '9' || message[11] != '=')
        {
            Malformed.Increment();
            return false;
        }
        var at = 12;
        var length = 0;
        while (at < message.Length && message[at] != Separator)
        {
            var digit = message[at] - '0';
            if (digit is < 0 or > 9 || length > 999)
            {
                Malformed.Increment();
                return false;
            }
            length = length * 10 + digit;
            at++;
        }
        at++;
        // The body ends where the checksum's field begins: 10=NNN and a separator.
        if (at + length + 7 != message.Length)
        {
            BadLength.Increment();
            return false;
        }
        var type = message[at..];
        if (!type.StartsWith("35="u8))
        {
            Malformed.Increment();
            return false;
        }
        byte sum = 0;
        for (var i = 0; i < message.Length - 7; i++) sum += message[i];
        var trailer = message[^7..];
        if (!trailer.StartsWith("10="u8) || trailer[6] != Separator
            || trailer[3] != '0' + sum / 100 || trailer[4] != '0' + sum / 10 % 10 || trailer[5] != '0' + sum % 10)
        {
            BadChecksum.Increment();
            return false;
        }
        switch (type[3])
        {
            case (byte)'D':
                Orders.Increment();
                break;
            case (byte)'F':
                Cancels.Increment();
                break;
            default:
                Others.Increment();
                break;
        }
        return true;
    }
}
