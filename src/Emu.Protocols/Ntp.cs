namespace Emu.Protocols;

/// <summary>The header of a message of the Network Time Protocol (RFC 5905 §7.3), in UDP at port 123.</summary>
/// <example><code>
/// if (udp.DestinationPort == Ntp.Port &amp;&amp; Ntp.TryParse(udp.Payload, out var ntp)
///     &amp;&amp; ntp.Mode == NtpMode.Client) …
/// </code></example>
public readonly ref struct Ntp
{
    /// <summary>The bytes of the header, without extensions and authenticator: 48.</summary>
    public const int HeaderLength = 48;

    /// <summary>The UDP port of servers.</summary>
    public const ushort Port = 123;

    /// <summary>The seconds from 1900, the beginning of the first era, to 1970 (RFC 5905 §6).</summary>
    private const ulong SecondsTo1970 = 2_208_988_800;

    private const ulong NanosecondsPerSecond = 1_000_000_000;

    private const int FlagsOffset = 0;
    private const int StratumOffset = 1;
    private const int PollOffset = 2;
    private const int PrecisionOffset = 3;
    private const int RootDelayOffset = 4;
    private const int RootDispersionOffset = 8;
    private const int ReferenceIdOffset = 12;
    private const int ReferenceTimestampOffset = 16;
    private const int OriginTimestampOffset = 24;
    private const int ReceiveTimestampOffset = 32;
    private const int TransmitTimestampOffset = 40;

    private const int LeapShift = 6, VersionShift = 3;
    private const int LeapMask = 3 << LeapShift, VersionMask = 7 << VersionShift, ModeMask = 7;

    private readonly Span<byte> _bytes;

    private Ntp(Span<byte> bytes) => _bytes = bytes;

    /// <summary>The leap indicator, 0 to 3; higher bits are not written.</summary>
    public byte Leap
    {
        get => (byte)(_bytes[FlagsOffset] >> LeapShift);
        set => _bytes[FlagsOffset] = (byte)(_bytes[FlagsOffset] & ~LeapMask | value << LeapShift & LeapMask);
    }

    /// <summary>The version, 0 to 7; higher bits are not written.</summary>
    public byte Version
    {
        get => (byte)((_bytes[FlagsOffset] & VersionMask) >> VersionShift);
        set => _bytes[FlagsOffset] = (byte)(_bytes[FlagsOffset] & ~VersionMask | value << VersionShift & VersionMask);
    }

    /// <summary>The association that the sender is in; bits above the third are not written.</summary>
    public NtpMode Mode
    {
        get => (NtpMode)(_bytes[FlagsOffset] & ModeMask);
        set => _bytes[FlagsOffset] = (byte)(_bytes[FlagsOffset] & ~ModeMask | (byte)value & ModeMask);
    }

    /// <summary>The distance from a reference clock: 1 for a primary server, 0 if that is not said.</summary>
    public byte Stratum
    {
        get => _bytes[StratumOffset];
        set => _bytes[StratumOffset] = value;
    }

    /// <summary>The logarithm to base 2 of the seconds between messages.</summary>
    public sbyte Poll
    {
        get => (sbyte)_bytes[PollOffset];
        set => _bytes[PollOffset] = (byte)value;
    }

    /// <summary>The logarithm to base 2 of the clock's precision in seconds.</summary>
    public sbyte Precision
    {
        get => (sbyte)_bytes[PrecisionOffset];
        set => _bytes[PrecisionOffset] = (byte)value;
    }

    /// <summary>The round trip to the reference clock in units of 2⁻¹⁶ seconds.</summary>
    public uint RootDelay
    {
        get => _bytes.GetUInt32(RootDelayOffset);
        set => _bytes.SetUInt32(RootDelayOffset, value);
    }

    /// <summary>The dispersion to the reference clock in units of 2⁻¹⁶ seconds.</summary>
    public uint RootDispersion
    {
        get => _bytes.GetUInt32(RootDispersionOffset);
        set => _bytes.SetUInt32(RootDispersionOffset, value);
    }

    /// <summary>The server or the kind of reference clock; in a kiss-o'-death four letters (§7.4).</summary>
    public uint ReferenceId
    {
        get => _bytes.GetUInt32(ReferenceIdOffset);
        set => _bytes.SetUInt32(ReferenceIdOffset, value);
    }

    /// <summary>The timestamp of when the sender's clock was set last.</summary>
    public ulong ReferenceTimestamp
    {
        get => _bytes.GetUInt64(ReferenceTimestampOffset);
        set => _bytes.SetUInt64(ReferenceTimestampOffset, value);
    }

    /// <summary>The timestamp of when the request left the client.</summary>
    public ulong OriginTimestamp
    {
        get => _bytes.GetUInt64(OriginTimestampOffset);
        set => _bytes.SetUInt64(OriginTimestampOffset, value);
    }

    /// <summary>The timestamp of when the request arrived at the server.</summary>
    public ulong ReceiveTimestamp
    {
        get => _bytes.GetUInt64(ReceiveTimestampOffset);
        set => _bytes.SetUInt64(ReceiveTimestampOffset, value);
    }

    /// <summary>The timestamp of when the message left its sender.</summary>
    public ulong TransmitTimestamp
    {
        get => _bytes.GetUInt64(TransmitTimestampOffset);
        set => _bytes.SetUInt64(TransmitTimestampOffset, value);
    }

    /// <summary>Views the message at the start of <paramref name="bytes"/>.</summary>
    /// <returns>True if there are 48 bytes at least; if not, <paramref name="ntp"/> must not be used.</returns>
    public static bool TryParse(Span<byte> bytes, out Ntp ntp)
    {
        ntp = default;
        if (bytes.Length < HeaderLength) return false;
        ntp = new Ntp(bytes);
        return true;
    }

    /// <summary>
    /// The timestamp of a time: seconds of the era in 32 bits, and their fraction in as many (figure 3).
    /// </summary>
    /// <param name="time">Nanoseconds since 1970, as <see cref="Frame.Time"/> is.</param>
    public static ulong Timestamp(ulong time)
    {
        var (seconds, rest) = (time / NanosecondsPerSecond, time % NanosecondsPerSecond);
        return (seconds + SecondsTo1970) << 32 | (rest << 32) / NanosecondsPerSecond;
    }
}
