using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// Makes routes worse on the way: adds to the metrics of those routes in RIP responses (RFC 2453) that lie in a prefix,
/// as a router's offset list does, without being a router. 16 stays infinity.
/// </summary>
/// <remarks>
/// Responses with an authentication by digest (RFC 4822) cannot be changed and pass as they are. Responses that RFC
/// 2453 §3.9.2 tells to ignore are dropped.
/// </remarks>
/// <example>--prefix 10.0.0.0 --length 8 --offset 3</example>
/// <param name="prefix">The prefix.</param>
/// <param name="length">Its length, 0 to 32.</param>
/// <param name="offset">What is added, 1 to 15.</param>
public sealed class RipOffsetList(IPv4Address prefix, int length, uint offset = 1) : Service
{
    private const ushort Port = 520;
    private const byte Response = 2;
    private const int HeaderLength = 4, EntryLength = 20, MostEntries = 25;
    private const uint Infinity = 16;
    private const ushort AddressFamily = 2, Authentication = 0xFFFF, Digest = 3;

    private readonly uint _mask = length == 0 ? 0 : uint.MaxValue << (32 - length);

    /// <summary>Routes made worse.</summary>
    public Counter Raised { get; } = new();

    /// <summary>Responses that were looked at.</summary>
    public Counter Responses { get; } = new();

    /// <summary>Responses dropped.</summary>
    public Counter Ignored { get; } = new();

    /// <inheritdoc/>
    public override void Process(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType == EtherType.IPv4 && IPv4.TryParse(ethernet.Payload, out var ip) && !ip.IsFragment
            && ip.Protocol == IPProtocol.Udp && Udp.TryParse(ip.Payload, out var udp)
            && udp.DestinationPort == Port && udp.Payload.Length >= HeaderLength && udp.Payload[0] == Response)
        {
            var entries = udp.Payload[HeaderLength..];
            if (udp.SourcePort != Port || udp.Payload[1] == 0 || entries.Length % EntryLength != 0
                || entries.Length > MostEntries * EntryLength || !AreValid(entries))
            {
                Ignored.Increment();
                return;
            }
            Responses.Increment();
            var change = Raise(entries);
            if (change != 0 && udp.Checksum != 0) udp.UpdateChecksum(change);
        }
        frame.Flood();
    }

    private static bool AreValid(Span<byte> entries)
    {
        for (var i = 0; i < entries.Length; i += EntryLength)
        {
            if (entries.GetUInt16(i) != AddressFamily) continue;
            var (address, metric) = (entries.GetIPv4Address(i + 4), entries.GetUInt32(i + 16));
            if (metric is 0 or > Infinity || address.IsMulticast || address.IsLoopback) return false;
        }
        return true;
    }

    /// <summary>Adds to the metrics.</summary>
    /// <returns>By what the sum of the entries has changed.</returns>
    private ulong Raise(Span<byte> entries)
    {
        ulong change = 0;
        if (entries.Length >= EntryLength && entries.GetUInt16(0) == Authentication && entries.GetUInt16(2) == Digest)
            return change;
        for (var i = 0; i < entries.Length; i += EntryLength)
        {
            if (entries.GetUInt16(i) != AddressFamily || (entries.GetUInt32(i + 4) & _mask) != prefix.Bits) continue;
            var before = entries.GetUInt32(i + 16);
            var after = Math.Min(before + offset, Infinity);
            if (before == after) continue;
            entries.SetUInt32(i + 16, after);
            change += InternetChecksum.Change(before, after);
            Raised.Increment();
        }
        return change;
    }
}
