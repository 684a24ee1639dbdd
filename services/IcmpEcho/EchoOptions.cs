using System.Buffers.Binary;
using Emu.Protocols;

namespace Emu.Services;

/// <summary>
/// The IPv4 options of an echo request, made those of its reply (RFC 1122 §3.2.2.6; their layout: RFC 791 §3.1).
/// </summary>
/// <remarks>
/// A pointer counts the bytes of its option from 1, the type's; an option is full when it points behind the last.
/// </remarks>
/// <param name="address">The host that replies.</param>
internal sealed class EchoOptions(IPv4Address address)
{
    private const int LengthOffset = 1;
    private const int PointerOffset = 2;

    /// <summary>Where a route begins, behind type, length and pointer.</summary>
    private const int RouteOffset = 3;

    /// <summary>In a Timestamp option, before the first: the overflow count in the upper half, the flag in the lower.</summary>
    private const int OverflowAndFlagOffset = 3;
    private const int TimestampsOffset = 4;
    private const int Overflow = 0x10;
    private const int MaxOverflow = 0xF0;

    private const uint NoOperations = 0x0101_0101;

    /// <summary>What is written into an option, in the numbers of the Timestamp option's flag (RFC 791 §3.1).</summary>
    private enum Entry
    {
        Time = 0,
        AddressAndTime = 1,

        /// <summary>The time behind an address that the sender has named, by the host that has it.</summary>
        TimeOfNamed = 3,

        /// <summary>That of a Record Route option: no flag has four bits and this value.</summary>
        Address = 16,
    }

    /// <summary>
    /// Records this host and the time, and reverses a source route: then the source becomes the last hop, to which a reply
    /// goes first. Options of other types stay as they are. The header's checksum is left as it is.
    /// </summary>
    /// <param name="ip">The request.</param>
    /// <param name="time">When it arrived, in nanoseconds since 1970 or any other midnight UT.</param>
    /// <returns>
    /// False when an option is malformed or has room for a part of an entry only, or there is no way back; the packet is to
    /// be dropped.
    /// </returns>
    public bool TryUpdate(IPv4 ip, ulong time)
    {
        var milliseconds = TimeOfDay.Milliseconds(time);
        var options = ip.Options;
        var hasRoute = false;
        while (options.MoveNext())
        {
            var isSourceRoute = options.Type is IPv4OptionType.LooseSourceRoute or IPv4OptionType.StrictSourceRoute;
            // More than one must not be sent (RFC 1122 §3.2.1.8 (c)).
            if (isSourceRoute && (hasRoute || !TryReverse(ip, options.Bytes))) return false;
            hasRoute |= isSourceRoute;
            var isTimestamp = options.Type == IPv4OptionType.Timestamp;
            if (!isTimestamp && options.Type != IPv4OptionType.RecordRoute) continue;
            if (!TryRecord(options.Bytes, isTimestamp, milliseconds)) return false;
        }
        return !options.IsMalformed;
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

        var place = option[next..];
        if (entry == Entry.TimeOfNamed && Read(place) != address.Bits) return true;
        Write(place, entry == Entry.Time ? milliseconds : address.Bits);
        if (isPair) Write(place[IPv4Address.Length..], milliseconds);
        option[PointerOffset] += (byte)length;
        return true;
    }

    private static bool TryCountOverflow(Span<byte> option)
    {
        if (option[OverflowAndFlagOffset] >= MaxOverflow) return false;
        option[OverflowAndFlagOffset] += Overflow;
        return true;
    }

    /// <summary>
    /// The hops A, B, C become B, A and the sender, and C is whom the reply is sent to. A sender that its route begins with is
    /// not taken twice (RFC 1122 §3.2.1.8 (c)). A route that has not reached its end makes this host no destination but a hop,
    /// which it is not.
    /// </summary>
    private bool TryReverse(IPv4 ip, Span<byte> option)
    {
        if ((byte)option.Length % IPv4Address.Length != RouteOffset || option[PointerOffset] <= option.Length) return false;
        if (option.Length == RouteOffset) return true;
        var (sender, last) = (ip.Source.Bits, new IPv4Address(Read(option[^IPv4Address.Length..])));
        if (!last.CanBeSource || last == address) return false;

        var beginsWithSender = Read(option[RouteOffset..]) == sender;
        Reverse(option);
        Write(option[^IPv4Address.Length..], beginsWithSender ? NoOperations : sender);
        if (beginsWithSender) option[LengthOffset] -= IPv4Address.Length;
        option[PointerOffset] = RouteOffset + 1;
        ip.Source = last;
        return true;
    }

    /// <summary>Reverses all addresses of a route but the last.</summary>
    private static void Reverse(Span<byte> option)
    {
        byte left = RouteOffset;
        var end = (byte)(option.Length - IPv4Address.Length);
        while (left + IPv4Address.Length < end)
        {
            end -= IPv4Address.Length;
            var (first, second) = (Read(option[left..]), Read(option[end..]));
            Write(option[left..], second);
            Write(option[end..], first);
            left += IPv4Address.Length;
        }
    }

    private static uint Read(Span<byte> bytes) => BinaryPrimitives.ReadUInt32BigEndian(bytes);

    private static void Write(Span<byte> bytes, uint value) => BinaryPrimitives.WriteUInt32BigEndian(bytes, value);
}
