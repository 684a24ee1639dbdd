using System.Buffers.Binary;
using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// Forwards along service function paths (NSH, RFC 8300): the path and the index say which function is next. Behind
/// the last the header goes, with its metadata, and the packet leaves as it is.
/// </summary>
public sealed class ServiceChain : Service
{
    private const EtherType Nsh = (EtherType)0x894F;
    private const int BaseLength = 8, Terminate = 0xFF;
    private const byte NextIPv4 = 1, NextIPv6 = 2;

    private readonly MacAddress _mac;
    private readonly byte[] _functions = new byte[256];
    private readonly MacAddress[] _neighbors;

    public ServiceChain(MacAddress mac, MacAddress[] neighbors, params string[] hops)
    {
        _mac = mac;
        _neighbors = neighbors;
        // path/index=port
        foreach (var hop in hops)
        {
            var (key, port) = (hop.Split('=')[0].Split('/'), int.Parse(hop.Split('=')[1]));
            _functions[int.Parse(key[0]) << 4 | int.Parse(key[1])] = (byte)(port + 1);
        }
    }

    public Counter Forwarded { get; } = new();

    public Counter Ended { get; } = new();

    public Counter Loops { get; } = new();

    public Counter NoPath { get; } = new();

    public Counter Malformed { get; } = new();

    public override void Process(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType != Nsh) return;
        var header = ethernet.Payload;
        if (header.Length < BaseLength)
        {
            Malformed.Increment();
            return;
        }
        var flags = BinaryPrimitives.ReadUInt16BigEndian(header);
        var length = (flags & 0x3F) * 4;
        var ttl = flags >> 6 & 0x3F;
        if (flags >> 14 != 0 || length < BaseLength || length > header.Length || (header[2] & 15) is not (1 or 2))
        {
            Malformed.Increment();
            return;
        }
        // A TTL of 0 is 64 (§2.2).
        if (ttl == 1)
        {
            Loops.Increment();
            return;
        }
        ttl = ttl - 1 & 0x3F;
        var path = BinaryPrimitives.ReadUInt32BigEndian(header[4..]) >> 8;
        var index = header[7];
        if (path > 15 || index is 0 or > 15)
        {
            NoPath.Increment();
            return;
        }
        var next = _functions[path << 4 | index];
        if (next == 0)
        {
            NoPath.Increment();
            return;
        }
        if (next == Terminate)
        {
            var type = header[3];
            if (type is not (NextIPv4 or NextIPv6))
            {
                Malformed.Increment();
                return;
            }
            frame.Remove(14, length);
            var inner = new Ethernet(frame);
            inner.EtherType = type == NextIPv4 ? EtherType.IPv4 : EtherType.IPv6;
            inner.Source = _mac;
            Ended.Increment();
            frame.ForwardTo(new PortId(3));
            return;
        }
        BinaryPrimitives.WriteUInt16BigEndian(header, (ushort)(flags & ~0xFC0 | ttl << 6));
        header[7] = (byte)(index - 1);
        ethernet.Source = _mac;
        ethernet.Destination = _neighbors[next - 1 & 3];
        Forwarded.Increment();
        frame.ForwardTo(new PortId(next - 1));
    }
}
