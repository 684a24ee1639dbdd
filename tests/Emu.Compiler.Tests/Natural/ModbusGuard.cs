using System.Buffers.Binary;
using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// Guards controllers that speak Modbus: everybody may read, the engineering station alone may write, and only
/// registers of a range; a segment may have several requests.
/// </summary>
public sealed class ModbusGuard(IPv4Address engineering, ushort first = 100, ushort last = 199) : Service
{
    private const ushort Port = 502;
    private const int Header = 7;
    private const byte WriteCoil = 5, WriteRegister = 6, WriteCoils = 15, WriteRegisters = 16;

    public Counter Reads { get; } = new();

    public Counter Writes { get; } = new();

    public Counter Forbidden { get; } = new();

    public Counter Malformed { get; } = new();

    public override void Process(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType == EtherType.IPv4 && IPv4.TryParse(ethernet.Payload, out var ip)
            && ip.Protocol == IPProtocol.Tcp && Tcp.TryParse(ip.Payload, out var tcp) && tcp.DestinationPort == Port
            && !MayPass(ip.Source, tcp.Payload))
            return;
        frame.Flood();
    }

    private bool MayPass(IPv4Address source, ReadOnlySpan<byte> requests)
    {
        while (requests.Length > 0)
        {
            if (requests.Length < Header + 1 || BinaryPrimitives.ReadUInt16BigEndian(requests[2..]) != 0)
            {
                Malformed.Increment();
                return false;
            }
            int length = BinaryPrimitives.ReadUInt16BigEndian(requests[4..]);
            if (length < 2 || requests.Length < 6 + length)
            {
                Malformed.Increment();
                return false;
            }
            switch (requests[Header])
            {
                case WriteCoil or WriteRegister or WriteCoils or WriteRegisters:
                    if (length < 6 || source != engineering || !IsInRange(requests[Header..]))
                    {
                        Forbidden.Increment();
                        return false;
                    }
                    Writes.Increment();
                    break;
                default:
                    Reads.Increment();
                    break;
            }
            requests = requests[(6 + length)..];
        }
        return true;
    }

    private bool IsInRange(ReadOnlySpan<byte> request)
    {
        int address = BinaryPrimitives.ReadUInt16BigEndian(request[1..]);
        var count = request[0] is WriteCoils or WriteRegisters ? BinaryPrimitives.ReadUInt16BigEndian(request[3..]) : 1;
        return address >= first && address + count - 1 <= last;
    }
}
