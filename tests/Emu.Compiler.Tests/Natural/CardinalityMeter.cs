using System.Buffers.Binary;
using System.Numerics;
using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// Estimates how many sources there are by HyperLogLog (Flajolet and others 2007): a register for each of 64 groups
/// of hashes keeps the longest run of zeros. Once a second the registers are sent to a collector.
/// </summary>
public sealed class CardinalityMeter(
    IPv4Address own, MacAddress mac, IPv4Address collector, MacAddress gateway) : Service
{
    private const int Registers = 64;
    private const ushort Port = 4000;

    private readonly byte[] _longest = new byte[Registers];
    private uint _sequence;

    public override ulong TickInterval => 1_000_000_000;

    public Counter Seen { get; } = new();

    public override void Process(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        frame.ForwardTo(new PortId(frame.Ingress.Index ^ 1));
        if (ethernet.EtherType != EtherType.IPv4 || !IPv4.TryParse(ethernet.Payload, out var ip)) return;
        Seen.Increment();
        var hash = Mix(ip.Source.Bits);
        var group = (int)(hash & (Registers - 1));
        var rank = (byte)(BitOperations.LeadingZeroCount(hash) + 1);
        if (rank > _longest[group]) _longest[group] = rank;
    }

    public override void Tick(ref Frame frame)
    {
        frame.Resize(14 + 20 + 8 + 4 + Registers);
        var ethernet = new Ethernet(frame);
        ethernet.Source = mac;
        ethernet.Destination = gateway;
        ethernet.EtherType = EtherType.IPv4;
        var payload = ethernet.Payload;
        payload[0] = 0x45;
        BinaryPrimitives.WriteUInt16BigEndian(payload[2..], 20 + 8 + 4 + Registers);
        payload[8] = 64;
        payload[9] = (byte)IPProtocol.Udp;
        BinaryPrimitives.WriteUInt32BigEndian(payload[12..], own.Bits);
        BinaryPrimitives.WriteUInt32BigEndian(payload[16..], collector.Bits);
        BinaryPrimitives.WriteUInt16BigEndian(payload[10..], InternetChecksum.Compute(payload[..20]));
        BinaryPrimitives.WriteUInt16BigEndian(payload[20..], Port);
        BinaryPrimitives.WriteUInt16BigEndian(payload[22..], Port);
        BinaryPrimitives.WriteUInt16BigEndian(payload[24..], 8 + 4 + Registers);
        BinaryPrimitives.WriteUInt32BigEndian(payload[28..], _sequence++);
        for (var i = 0; i < Registers; i++)
        {
            payload[32 + i] = _longest[i];
            _longest[i] = 0;
        }
        frame.ForwardTo(new PortId(0));
    }

    /// <summary>The last steps of MurmurHash3.</summary>
    private static uint Mix(uint h)
    {
        h ^= h >> 16;
        h *= 0x85EBCA6B;
        h ^= h >> 13;
        h *= 0xC2B2AE35;
        return h ^ h >> 16;
    }
}
