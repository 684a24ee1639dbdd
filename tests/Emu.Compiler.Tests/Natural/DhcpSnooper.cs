using System.Buffers.Binary;
using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// DHCP snooping with source guard: leases that the server behind the trusted port acknowledges are learned, servers
/// elsewhere are silenced, and a host may send IPv4 only from the address that it was given.
/// </summary>
public sealed class DhcpSnooper(int trusted = 3) : Service
{
    private const ushort ServerPort = 67, ClientPort = 68;
    private const int OptionsStart = 240, YourAddress = 16, ClientMac = 28;
    private const uint Cookie = 0x63825363;
    private const byte Pad = 0, MessageType = 53, End = 255;
    private const byte Acknowledge = 5;

    private readonly AgeingTable<MacAddress, IPv4Address> _leases = new(1024, 3600, 11);

    public Counter Learned { get; } = new();

    public Counter Rogues { get; } = new();

    public Counter Spoofed { get; } = new();

    public override void Process(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType == EtherType.IPv4 && IPv4.TryParse(ethernet.Payload, out var ip))
        {
            var isTrusted = frame.Ingress.Index == trusted;
            if (ip.Protocol == IPProtocol.Udp && !ip.IsFragment && Udp.TryParse(ip.Payload, out var udp)
                && udp.DestinationPort is ServerPort or ClientPort)
            {
                if (udp.DestinationPort == ClientPort)
                {
                    if (!isTrusted)
                    {
                        Rogues.Increment();
                        return;
                    }
                    Learn(udp.Payload, frame.Seconds);
                }
            }
            else if (!isTrusted && !(_leases.TryGet(ethernet.Source, frame.Seconds, out var own) && own == ip.Source))
            {
                Spoofed.Increment();
                return;
            }
        }
        frame.Flood();
    }

    private void Learn(ReadOnlySpan<byte> message, ulong now)
    {
        if (message.Length < OptionsStart
            || BinaryPrimitives.ReadUInt32BigEndian(message[(OptionsStart - 4)..]) != Cookie)
            return;
        var options = message[OptionsStart..];
        byte type = 0;
        var at = 0;
        while (at < options.Length && options[at] != End)
        {
            if (options[at] == Pad)
            {
                at++;
                continue;
            }
            if (at + 2 > options.Length) return;
            var length = options[at + 1];
            if (at + 2 + length > options.Length) return;
            if (options[at] == MessageType && length == 1) type = options[at + 2];
            at += 2 + length;
        }
        if (type != Acknowledge) return;
        var mac = new MacAddress((ulong)BinaryPrimitives.ReadUInt16BigEndian(message[ClientMac..]) << 32
            | BinaryPrimitives.ReadUInt32BigEndian(message[(ClientMac + 2)..]));
        _leases.Set(mac, new IPv4Address(BinaryPrimitives.ReadUInt32BigEndian(message[YourAddress..])), now);
        Learned.Increment();
    }
}
