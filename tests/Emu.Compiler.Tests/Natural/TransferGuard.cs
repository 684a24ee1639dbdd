using System.Buffers.Binary;
using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// Lets TFTP (RFC 1350) read, not write, and only files below a folder, without a way up.
/// </summary>
public sealed class TransferGuard : Service
{
    private const ushort Port = 69;
    private const ushort Read = 1, Write = 2;

    public Counter Reads { get; } = new();

    public Counter Writes { get; } = new();

    public Counter BadNames { get; } = new();

    public Counter BadModes { get; } = new();

    public override void Process(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType == EtherType.IPv4 && IPv4.TryParse(ethernet.Payload, out var ip)
            && ip.Protocol == IPProtocol.Udp && Udp.TryParse(ip.Payload, out var udp) && udp.DestinationPort == Port
            && !MayPass(udp.Payload))
            return;
        frame.Flood();
    }

    private bool MayPass(ReadOnlySpan<byte> message)
    {
        if (message.Length < 4) return false;
        var opcode = BinaryPrimitives.ReadUInt16BigEndian(message);
        if (opcode == Write)
        {
            Writes.Increment();
            return false;
        }
        if (opcode != Read) return true;
        var name = message[2..];
        var end = name.IndexOf((byte)0);
        if (end <= 0 || !name.StartsWith("boot/"u8) || name[..end].IndexOf(".."u8) >= 0)
        {
            BadNames.Increment();
            return false;
        }
        var mode = name[(end + 1)..];
        if (!mode.StartsWith("octet\0"u8))
        {
            BadModes.Increment();
            return false;
        }
        Reads.Increment();
        return true;
    }
}
