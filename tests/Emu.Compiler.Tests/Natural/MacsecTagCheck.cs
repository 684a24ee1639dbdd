using System.Buffers.Binary;
using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// Checks the security tags of MACsec frames between two stations that protect their link (IEEE 802.1AE-2018 §9):
/// malformed tags, unknown secure channels, packet numbers that were used before, and frames without protection are
/// dropped. The cryptography itself is done by the stations.
/// </summary>
/// <param name="station">The stations that may have secure channels, each at its port identifier 1.</param>
/// <param name="confidential">True if frames that are only authenticated are refused, too.</param>
public sealed class MacsecTagCheck(MacAddress[] station, bool confidential = true) : Service
{
    private const EtherType Macsec = (EtherType)0x88E5, Eapol = (EtherType)0x888E;
    private const int ShortTagLength = 6, SciLength = 8, IcvLength = 16, ShortestLong = 48, Associations = 4;
    private const uint RekeyAt = 0xC000_0000;

    /// <summary>The tag control information: version, end station, SCI, broadcast, encryption, changed text.</summary>
    [Flags]
    private enum Tci : byte
    {
        Changed = 0x04,
        Encrypted = 0x08,
        SingleCopyBroadcast = 0x10,
        HasSci = 0x20,
        EndStation = 0x40,
        Version = 0x80,
    }

    private readonly ulong[] _channels = [.. station.Select(mac => mac.Bits << 16 | 1)];
    private readonly uint[] _nextPacketNumber = new uint[station.Length * Associations];

    public Counter Passed { get; } = new();

    public Counter Unprotected { get; } = new();

    public Counter BadTag { get; } = new();

    public Counter UnknownChannel { get; } = new();

    public Counter Late { get; } = new();

    public Counter RekeyDue { get; } = new();

    public override void Process(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType == Eapol)
        {
            frame.Flood();
            return;
        }
        if (ethernet.EtherType != Macsec)
        {
            Unprotected.Increment();
            return;
        }
        if (!IsValid(ethernet.Payload, out var tci, out var headerLength))
        {
            BadTag.Increment();
            return;
        }

        var tag = ethernet.Payload[..headerLength];
        var sci = tci.HasFlag(Tci.HasSci)
            ? BinaryPrimitives.ReadUInt64BigEndian(tag[ShortTagLength..])
            : ethernet.Source.Bits << 16 | 1;
        var channel = Array.IndexOf(_channels, sci);
        if (channel < 0)
        {
            UnknownChannel.Increment();
            return;
        }

        var packetNumber = BinaryPrimitives.ReadUInt32BigEndian(tag[2..]);
        ref var next = ref _nextPacketNumber[channel * Associations + (tag[0] & 3)];
        if (packetNumber < next)
        {
            Late.Increment();
            return;
        }
        next = packetNumber + 1;
        if (packetNumber >= RekeyAt) RekeyDue.Increment();
        Passed.Increment();
        frame.Flood();
    }

    /// <summary>IEEE 802.1AE-2018 §9.12, validation of SecTAGs.</summary>
    private bool IsValid(ReadOnlySpan<byte> payload, out Tci tci, out int headerLength)
    {
        tci = default;
        headerLength = 0;
        if (payload.Length < ShortTagLength + IcvLength) return false;

        tci = (Tci)(payload[0] & 0xFC);
        headerLength = tci.HasFlag(Tci.HasSci) ? ShortTagLength + SciLength : ShortTagLength;
        var shortLength = payload[1];
        var packetNumber = BinaryPrimitives.ReadUInt32BigEndian(payload[2..]);
        if (tci.HasFlag(Tci.Version) || shortLength >= ShortestLong || packetNumber == 0) return false;
        if (tci.HasFlag(Tci.HasSci) && (tci & (Tci.EndStation | Tci.SingleCopyBroadcast)) != 0) return false;

        var isEncrypted = (tci & Tci.Encrypted) != 0;
        if (isEncrypted != ((tci & Tci.Changed) != 0) || (confidential && !isEncrypted)) return false;

        var secured = payload.Length - headerLength - IcvLength;
        return shortLength == 0 ? secured >= ShortestLong : secured >= shortLength;
    }
}
