using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// A hub whose links are watched by UniDirectional Link Detection (RFC 5171): each port sends probes that echo the
/// neighbour heard there, and a port whose neighbour hears others but not us is shut until that neighbour is forgotten.
/// </summary>
/// <param name="mac">The source of the probes.</param>
/// <param name="device">The identifier of this device, eleven characters as a rule.</param>
/// <param name="messageSeconds">The time between two probes of a port, 1 to 90.</param>
/// <param name="tickMilliseconds">The time between probes of two ports.</param>
public sealed class UdldMonitor(
    MacAddress mac, string device = "EMU00000001", int messageSeconds = 7, int tickMilliseconds = 1000) : Service
{
    private const int Ports = 4;
    private const int MaxIdentifier = 32;
    private const int PduOffset = Ethernet.HeaderLength + 8;
    private const int PduHeader = 4;
    private const int TlvHeader = 4;
    private const byte VersionMask = 0xE0, Version = 1 << 5, Probe = 1, Flush = 3;
    private const ushort DeviceId = 1, PortName = 2, Echo = 3, MessageInterval = 4, Sequence = 7;
    private const ulong LlcSnap = 0xAAAA_0300_000C_0111;

    private static readonly MacAddress s_group = new(0x0100_0CCC_CCCC);

    private struct Neighbor
    {
        public bool IsThere;
        public bool IsOneWay;
        public ulong Expiry;
        public int DeviceLength;
        public int PortLength;
    }

    private readonly byte[] _device = System.Text.Encoding.ASCII.GetBytes(device);
    private readonly Neighbor[] _neighbors = new Neighbor[Ports];
    private readonly byte[] _deviceIds = new byte[Ports * MaxIdentifier];
    private readonly byte[] _portIds = new byte[Ports * MaxIdentifier];
    private int _port;
    private uint _sequence;

    /// <inheritdoc/>
    public override ulong TickInterval => (ulong)tickMilliseconds * 1_000_000;

    /// <summary>Messages of neighbours.</summary>
    public Counter Messages { get; } = new();

    /// <summary>Messages that cannot be read.</summary>
    public Counter Malformed { get; } = new();

    /// <summary>Links found to work in one direction only.</summary>
    public Counter OneWayLinks { get; } = new();

    /// <summary>Neighbours not heard of for too long.</summary>
    public Counter Expired { get; } = new();

    /// <summary>Probes sent.</summary>
    public Counter Probes { get; } = new();

    /// <summary>Frames dropped at a shut port.</summary>
    public Counter Shut { get; } = new();

    /// <inheritdoc/>
    public override void Process(ref Frame frame)
    {
        var port = frame.Ingress.Index;
        if (port >= Ports) return;
        var ethernet = new Ethernet(frame);
        if (ethernet.Destination == s_group && ethernet.IsLength && ethernet.Payload.Length >= 8
            && ethernet.Payload.GetUInt64(0) == LlcSnap)
        {
            if (ethernet.Length >= 8 + PduHeader && ethernet.Length <= ethernet.Payload.Length
                && TryHear(port, ethernet.Payload[8..ethernet.Length], frame.Seconds))
                Messages.Increment();
            else
                Malformed.Increment();
            return;
        }

        if (_neighbors[port].IsOneWay)
        {
            Shut.Increment();
            return;
        }
        var open = frame.Ports;
        for (var i = 0; i < Ports; i++)
            if (_neighbors[i].IsOneWay) open -= PortSet.Of(new PortId(i));
        frame.ForwardTo(open);
    }

    /// <inheritdoc/>
    public override void Tick(ref Frame frame)
    {
        var port = _port;
        _port = (_port + 1) % Ports;
        ref var neighbor = ref _neighbors[port];
        if (neighbor.IsThere && frame.Seconds >= neighbor.Expiry)
        {
            Expired.Increment();
            neighbor = default;
        }
        WriteProbe(ref frame, port);
        frame.Send(PortSet.Of(new PortId(port)));
        Probes.Increment();
    }

    private bool TryHear(int port, Span<byte> pdu, ulong now)
    {
        if ((pdu[0] & VersionMask) != Version || !InternetChecksum.IsValid(InternetChecksum.Sum(pdu))) return false;
        var heard = new Neighbor { IsThere = true };
        var interval = messageSeconds;
        var (hasEcho, isEchoed) = (false, false);
        var rest = pdu[PduHeader..];
        while (rest.Length >= TlvHeader)
        {
            var type = rest.GetUInt16(0);
            var length = rest.GetUInt16(2);
            if (length < TlvHeader || length > rest.Length) return false;
            var value = rest[TlvHeader..length];
            switch (type)
            {
                case DeviceId when value.Length <= MaxIdentifier:
                    value.CopyTo(_deviceIds.AsSpan(port * MaxIdentifier, MaxIdentifier));
                    heard.DeviceLength = value.Length;
                    break;
                case PortName when value.Length <= MaxIdentifier:
                    value.CopyTo(_portIds.AsSpan(port * MaxIdentifier, MaxIdentifier));
                    heard.PortLength = value.Length;
                    break;
                case Echo when value.Length >= 4:
                    hasEcho = value.GetUInt32(0) > 0;
                    isEchoed = value.IndexOf(_device) >= 0;
                    break;
                case MessageInterval when value.Length == 1:
                    interval = value[0];
                    break;
            }
            rest = rest[length..];
        }
        if ((pdu[0] & ~VersionMask) == Flush)
        {
            _neighbors[port] = default;
            return true;
        }

        heard.Expiry = now + 3 * (ulong)interval;
        heard.IsOneWay = hasEcho && !isEchoed;
        if (heard.IsOneWay && !_neighbors[port].IsOneWay) OneWayLinks.Increment();
        _neighbors[port] = heard;
        return true;
    }

    private void WriteProbe(ref Frame frame, int port)
    {
        ref readonly var neighbor = ref _neighbors[port];
        frame.Resize(256);
        var pdu = frame.Bytes[PduOffset..];
        pdu[0] = Version | Probe;
        var at = PduHeader;
        at = WriteTlv(pdu, at, DeviceId, _device);
        pdu[at + TlvHeader] = (byte)('0' + port);
        at = WriteHeader(pdu, at, PortName, 1);

        var (deviceLength, portLength) = (neighbor.DeviceLength, neighbor.PortLength);
        var value = at + TlvHeader;
        pdu.SetUInt32(value, neighbor.IsThere ? 1u : 0);
        value += 4;
        if (neighbor.IsThere)
        {
            pdu.SetUInt16(value, (ushort)deviceLength);
            _deviceIds.AsSpan(port * MaxIdentifier, deviceLength).CopyTo(pdu[(value + 2)..]);
            value += 2 + deviceLength;
            pdu.SetUInt16(value, (ushort)portLength);
            _portIds.AsSpan(port * MaxIdentifier, portLength).CopyTo(pdu[(value + 2)..]);
            value += 2 + portLength;
        }
        at = WriteHeader(pdu, at, Echo, value - at - TlvHeader);

        pdu[at + TlvHeader] = (byte)messageSeconds;
        at = WriteHeader(pdu, at, MessageInterval, 1);
        pdu.SetUInt32(at + TlvHeader, ++_sequence);
        at = WriteHeader(pdu, at, Sequence, 4);
        pdu.SetUInt16(2, InternetChecksum.Compute(pdu[..at]));

        frame.Resize(PduOffset + at);
        var ethernet = new Ethernet(frame);
        ethernet.Destination = s_group;
        ethernet.Source = mac;
        frame.Bytes.SetUInt16(12, (ushort)(8 + at));
        frame.Bytes.SetUInt64(14, LlcSnap);
    }

    private static int WriteTlv(Span<byte> pdu, int at, ushort type, byte[] value)
    {
        value.CopyTo(pdu[(at + TlvHeader)..]);
        return WriteHeader(pdu, at, type, value.Length);
    }

    private static int WriteHeader(Span<byte> pdu, int at, ushort type, int length)
    {
        pdu.SetUInt16(at, type);
        pdu.SetUInt16(at + 2, (ushort)(TlvHeader + length));
        return at + TlvHeader + length;
    }
}
