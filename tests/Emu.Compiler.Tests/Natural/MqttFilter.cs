using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// Lets devices publish (MQTT 3.1.1) below one prefix of topics alone; what a controller sends passes, and so does all
/// but PUBLISH.
/// </summary>
public sealed class MqttFilter(IPv4Address controller, string prefix = "plant/sensors/") : Service
{
    private const ushort Port = 1883;
    private const int Publish = 3;

    private readonly byte[] _prefix = System.Text.Encoding.UTF8.GetBytes(prefix);

    public Counter Published { get; } = new();

    public Counter Forbidden { get; } = new();

    public Counter Malformed { get; } = new();

    public override void Process(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType == EtherType.IPv4 && IPv4.TryParse(ethernet.Payload, out var ip)
            && ip.Protocol == IPProtocol.Tcp && Tcp.TryParse(ip.Payload, out var tcp) && tcp.DestinationPort == Port
            && ip.Source != controller && tcp.Payload.Length > 1 && tcp.Payload[0] >> 4 == Publish
            && !MayPublish(tcp.Payload))
            return;
        frame.Flood();
    }

    private bool MayPublish(ReadOnlySpan<byte> packet)
    {
        // The length of what follows: seven bits a byte, up to four bytes.
        var at = 1;
        var remaining = 0;
        var shift = 0;
        while (true)
        {
            if (at >= packet.Length || shift > 21)
            {
                Malformed.Increment();
                return false;
            }
            var digit = packet[at++];
            remaining |= (digit & 127) << shift;
            shift += 7;
            if ((digit & 128) == 0) break;
        }
        if (remaining < 2 || at + 2 > packet.Length)
        {
            Malformed.Increment();
            return false;
        }
        var length = packet[at] << 8 | packet[at + 1];
        at += 2;
        if (length > remaining - 2 || at + length > packet.Length)
        {
            Malformed.Increment();
            return false;
        }
        if (!packet.Slice(at, length).StartsWith(_prefix))
        {
            Forbidden.Increment();
            return false;
        }
        Published.Increment();
        return true;
    }
}
