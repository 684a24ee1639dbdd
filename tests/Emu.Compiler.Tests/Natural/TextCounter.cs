using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>Counts what bytes payloads are made of, and drops those in which too many are not text.</summary>
public sealed class TextCounter(ushort port = 514, int percent = 10) : Service
{
    public Counter Letters { get; } = new();

    public Counter Digits { get; } = new();

    public Counter Lines { get; } = new();

    public Counter Binary { get; } = new();

    public Counter Dropped { get; } = new();

    public override void Process(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType == EtherType.IPv4 && IPv4.TryParse(ethernet.Payload, out var ip)
            && ip.Protocol == IPProtocol.Udp && Udp.TryParse(ip.Payload, out var udp) && udp.DestinationPort == port)
        {
            var text = udp.Payload;
            var strange = 0;
            foreach (var octet in text)
            {
                if (octet is >= (byte)'a' and <= (byte)'z' or >= (byte)'A' and <= (byte)'Z') Letters.Increment();
                else if (octet is >= (byte)'0' and <= (byte)'9') Digits.Increment();
                else if (octet == '\n') Lines.Increment();
                if (octet >= 0x7F || octet < 0x20 && octet != '\n')
                {
                    Binary.Increment();
                    strange++;
                }
            }
            if (strange * 100 > text.Length * percent)
            {
                Dropped.Increment();
                return;
            }
        }
        frame.Flood();
    }
}
