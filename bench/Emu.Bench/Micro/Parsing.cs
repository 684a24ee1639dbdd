using System.Buffers.Binary;
using BenchmarkDotNet.Attributes;
using Emu.Protocols;
using Emu.Testing;

namespace Emu.Bench;

/// <summary>Header views and checksums on frames in the cache.</summary>
public class Parsing
{
    private readonly byte[] _frame =
        Packet.Ethernet(new MacAddress(1), new MacAddress(2))
            .IPv4(new IPv4Address(0x0A00_0001), new IPv4Address(0x0A00_0002)).Udp(1, 2).PaddedTo(60);
    private readonly byte[] _payload = new byte[1500];
    private readonly byte[] _copy = new byte[1500];

    [Benchmark(Baseline = true, Description = "copy of 1500 B")]
    public void Copy() => _payload.AsSpan().CopyTo(_copy);

    [Benchmark(Description = "Internet checksum of 1500 B")]
    public ushort Checksum() => InternetChecksum.Compute(_payload);

    [Benchmark(Description = "Ethernet fields")]
    public ulong EthernetFields()
    {
        var ethernet = new Ethernet(_frame);
        return ethernet.Destination.Bits + ethernet.Source.Bits + (ulong)ethernet.EtherType;
    }

    [Benchmark(Description = "Ethernet fields by hand")]
    public ulong EthernetFieldsByHand()
    {
        ReadOnlySpan<byte> frame = _frame;
        return (BinaryPrimitives.ReadUInt64BigEndian(frame) >> 16)
            + (BinaryPrimitives.ReadUInt64BigEndian(frame[4..]) & 0xFFFF_FFFF_FFFF)
            + BinaryPrimitives.ReadUInt16BigEndian(frame[12..]);
    }

    [Benchmark(Description = "IPv4 check, checksum and fields")]
    public uint IPv4Fields()
    {
        if (!IPv4.TryParse(new Ethernet(_frame).Payload, out var ip) || !ip.HasValidHeaderChecksum) return 0;
        return ip.Source.Bits + ip.Destination.Bits + ip.Ttl + (uint)ip.Protocol + (uint)ip.Payload.Length;
    }
}
