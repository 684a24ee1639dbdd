using System.Buffers.Binary;

namespace Emu.Protocols;

/// <summary>
/// The IPv4 options of an echo request, made those of its reply (RFC 1122 §3.2.2.6; their layout: RFC 791 §3.1).
/// </summary>
/// <remarks>
/// A pointer counts the bytes of its option from 1, the type's; an option is full when it points behind the last.
/// </remarks>
/// <param name="address">The host that replies.</param>
/// <param name="counters">Count what is not answered.</param>
internal sealed class EchoOptions(IPv4Address address, HostCounters counters)
{
    private const int PointerOffset = 2;

    /// <summary>Offset of a route, behind type, length and pointer.</summary>
    private const int RouteOffset = 3;

    /// <summary>
    /// In a Timestamp option, before the first: the overflow count in the upper half, the flag in the lower.
    /// </summary>
    private const int OverflowAndFlagOffset = 3;
    private const int TimestampsOffset = 4;
    private const int Overflow = 0x10;
    private const int MaxOverflow = 0xF0;

    /// <summary>An entry of an option, by the number of the Timestamp option's flag (RFC 791 §3.1).</summary>
    private enum Entry
    {
        Time = 0,
        AddressAndTime = 1,

        /// <summary>The time behind an address that the sender has named, by the host that has it.</summary>
        TimeOfNamed = 3,

        /// <summary>The bit of a Record Route option: no flag has four bits and this value.</summary>
        Address = 16,
    }

    /// <summary>
    /// Records this host and the time. Options of other types stay as they are. The header's checksum is left as it is.
    /// </summary>
    /// <param name="ip">The request.</param>
    /// <param name="time">When it arrived, in nanoseconds since 1970 or any other midnight UT.</param>
    /// <returns>
    /// False when the packet is to be dropped, and has been counted: an option is malformed or has room for a part of
    /// an entry only, or there is a source route (RFC 7126 §4.3, §4.4).
    /// </returns>
    public bool TryUpdate(IPv4 ip, ulong time)
    {
        var milliseconds = TimeOfDay.Milliseconds(time);
        var options = ip.Options;
        while (options.MoveNext())
        {
            if (options.Type is IPv4OptionType.LooseSourceRoute or IPv4OptionType.StrictSourceRoute)
                return Refuse(counters.SourceRoutes);
            var isTimestamp = options.Type == IPv4OptionType.Timestamp;
            if (!isTimestamp && options.Type != IPv4OptionType.RecordRoute) continue;
            if (!TryRecord(options.Bytes, isTimestamp, milliseconds)) return Refuse(counters.Malformed);
        }
        return !options.IsMalformed || Refuse(counters.Malformed);
    }

    private static bool Refuse(Counter why)
    {
        why.Increment();
        return false;
    }

    private bool TryRecord(Span<byte> option, bool isTimestamp, uint milliseconds)
    {
        var first = isTimestamp ? TimestampsOffset : RouteOffset;
        if (option.Length < first || option[PointerOffset] <= first) return false;
        var next = option[PointerOffset] - 1;
        if (next >= option.Length) return !isTimestamp || TryCountOverflow(option);

        var entry = isTimestamp ? (Entry)(option[OverflowAndFlagOffset] % Overflow) : Entry.Address;
        if (entry is not (Entry.Time or Entry.AddressAndTime or Entry.TimeOfNamed or Entry.Address)) return true;
        var isPair = entry is Entry.AddressAndTime or Entry.TimeOfNamed;
        var length = isPair ? IPv4Address.Length + sizeof(uint) : sizeof(uint);
        if (next + length > option.Length) return false;

        var place = option.Slice(next, length);
        if (entry == Entry.TimeOfNamed && Read(place) != address.Bits) return true;
        if (entry != Entry.Time) Write(place, address.Bits);
        if (entry != Entry.Address) Write(place[^sizeof(uint)..], milliseconds);
        option[PointerOffset] += (byte)length;
        return true;
    }

    private static bool TryCountOverflow(Span<byte> option)
    {
        if (option[OverflowAndFlagOffset] >= MaxOverflow) return false;
        option[OverflowAndFlagOffset] += Overflow;
        return true;
    }

    private static uint Read(Span<byte> bytes) => BinaryPrimitives.ReadUInt32BigEndian(bytes);

    private static void Write(Span<byte> bytes, uint value) => BinaryPrimitives.WriteUInt32BigEndian(bytes, value);
}
