using Emu.Protocols;

namespace Emu.Services;

/// <summary>The segment that answers another where there is no connection (RFC 9293 §3.10.7, SEGMENT ARRIVES).</summary>
internal readonly struct TcpAnswer
{
    private readonly ushort _sourcePort;
    private readonly ushort _destinationPort;
    private readonly uint _sequenceNumber;
    private readonly uint _acknowledgmentNumber;

    private TcpAnswer(Tcp to, uint sequenceNumber, uint acknowledgmentNumber, TcpFlags flags)
    {
        (_sourcePort, _destinationPort) = (to.DestinationPort, to.SourcePort);
        (_sequenceNumber, _acknowledgmentNumber) = (sequenceNumber, acknowledgmentNumber);
        Flags = flags;
    }

    /// <summary>No flag if there is no answer.</summary>
    public TcpFlags Flags { get; }

    /// <summary>The sum of its fields, for the checksum.</summary>
    public ulong Sum =>
        _sourcePort + (ulong)_destinationPort + (ulong)Flags + InternetChecksum.Sum(_sequenceNumber) + InternetChecksum.Sum(_acknowledgmentNumber);

    /// <summary>§3.10.7.1, CLOSED.</summary>
    public static TcpAnswer InClosed(Tcp segment)
    {
        if (segment.IsRst) return default;
        if (segment.IsAck) return new TcpAnswer(segment, segment.AcknowledgmentNumber, 0, TcpFlags.Rst);
        return new TcpAnswer(segment, 0, segment.SequenceNumber + (uint)segment.SegmentLength, TcpFlags.Rst | TcpFlags.Ack);
    }

    /// <summary>§3.10.7.2, LISTEN. Of a SYN with data or FIN only the SYN is acknowledged.</summary>
    /// <param name="segment">The segment that has arrived.</param>
    /// <param name="initialSequenceNumber">Of the connection that it may open.</param>
    public static TcpAnswer InListen(Tcp segment, uint initialSequenceNumber)
    {
        if (segment.IsRst) return default;
        if (segment.IsAck) return new TcpAnswer(segment, segment.AcknowledgmentNumber, 0, TcpFlags.Rst);
        if (segment.IsSyn) return new TcpAnswer(segment, initialSequenceNumber, segment.SequenceNumber + 1, TcpFlags.Syn | TcpFlags.Ack);
        return default;
    }

    /// <summary>Writes its fields; the checksum is the caller's.</summary>
    public void WriteTo(Tcp segment)
    {
        segment.SourcePort = _sourcePort;
        segment.DestinationPort = _destinationPort;
        segment.SequenceNumber = _sequenceNumber;
        segment.AcknowledgmentNumber = _acknowledgmentNumber;
        segment.Flags = Flags;
    }
}
