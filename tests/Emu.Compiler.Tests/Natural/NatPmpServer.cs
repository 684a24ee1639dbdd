using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// The server of the NAT port mapping protocol (RFC 6886): tells clients the public address, and gives them ports on it
/// for a time.
/// </summary>
/// <remarks>Mappings last an hour, or until the client deletes them, whatever lifetime is asked for.</remarks>
/// <example>--gateway 10.0.0.1 --external 203.0.113.5</example>
/// <param name="gateway">The address of the gateway, to which requests go.</param>
/// <param name="external">The public address.</param>
/// <param name="ports">The public ports that there are, from 16384 on: a power of two.</param>
public sealed class NatPmpServer(IPv4Address gateway, IPv4Address external, int ports = 1024) : Service
{
    private const ushort ServerPort = 5351;
    private const int FirstPort = 16_384;
    private const uint Lifetime = 3600;
    private const int Attempts = 4;

    private const ushort Success = 0, UnsupportedVersion = 1, OutOfResources = 4, UnsupportedOpcode = 5;

    /// <summary>The host that has a port, and how long it has it.</summary>
    private struct Lease
    {
        public IPv4Address Client;
        public ushort Port;
        public byte Protocol;
        public ulong Expiry;
    }

    private readonly record struct Inside(IPv4Address Client, ushort Port, byte Protocol) : ITableKey<Inside>
    {
        public static int Width => 56;

        public UInt128 KeyBits => (UInt128)Client.Bits << 24 | (uint)Port << 8 | Protocol;
    }

    private readonly Lease[] _leases = new Lease[ports];
    private readonly AgeingTable<Inside, ushort> _mappings = new(ports, (int)Lifetime, hashSeed: 11);
    private ulong _started;

    /// <summary>Requests for the public address.</summary>
    public Counter AddressRequests { get; } = new();

    /// <summary>Mappings made or renewed.</summary>
    public Counter Mapped { get; } = new();

    /// <summary>Mappings deleted.</summary>
    public Counter Deleted { get; } = new();

    /// <summary>Requests answered with an error.</summary>
    public Counter Failed { get; } = new();

    /// <summary>Frames dropped.</summary>
    public Counter Dropped { get; } = new();

    /// <inheritdoc/>
    public override void Process(ref Frame frame)
    {
        if (_started == 0) _started = frame.Seconds;
        if (!UdpDatagram.TryParse(frame, out var datagram) || datagram.IsIPv6 || datagram.DestinationPort != ServerPort
            || datagram.DestinationBits(frame) != gateway.Bits || datagram.Length < 2)
        {
            Dropped.Increment();
            return;
        }
        var epoch = (uint)(frame.Seconds - _started);
        var client = new IPv4Address((uint)datagram.SourceBits(frame));
        var message = frame.Bytes.Slice(datagram.Offset, datagram.Length);
        var opcode = message[1];
        if ((opcode & 0x80) != 0)
        {
            Dropped.Increment(); // a response
        }
        else if (message[0] != 0)
        {
            Fail(ref frame, datagram, UnsupportedVersion, epoch);
        }
        else if (opcode == 0)
        {
            AddressRequests.Increment();
            Begin(ref frame, datagram, 12, Success, epoch).SetIPv4Address(8, external);
            datagram.Reply(ref frame, 12);
        }
        else if (opcode > 2 || datagram.Length < 12)
        {
            Fail(ref frame, datagram, UnsupportedOpcode, epoch);
        }
        else
        {
            var inside = new Inside(client, message.GetUInt16(4), opcode);
            var (suggested, lifetime) = (message.GetUInt16(6), message.GetUInt32(8));
            if (lifetime == 0) Delete(ref frame, datagram, inside, epoch);
            else Map(ref frame, datagram, inside, suggested, epoch);
        }
    }

    private void Map(ref Frame frame, UdpDatagram datagram, Inside inside, ushort suggested, uint epoch)
    {
        var now = frame.Seconds;
        if (!_mappings.TryGet(inside, now, out var port) && !TryFindFree(inside, suggested, now, out port))
        {
            Fail(ref frame, datagram, OutOfResources, epoch);
            return;
        }
        _mappings.Set(inside, port, now);
        _leases[port & (ports - 1)] = new Lease
        {
            Client = inside.Client,
            Port = inside.Port,
            Protocol = inside.Protocol,
            Expiry = now + Lifetime,
        };
        Mapped.Increment();
        Answer(ref frame, datagram, port, Lifetime, epoch);
    }

    private void Delete(ref Frame frame, UdpDatagram datagram, Inside inside, uint epoch)
    {
        if (_mappings.TryGet(inside, frame.Seconds, out var port))
        {
            _mappings.Remove(inside, frame.Seconds);
            _leases[port & (ports - 1)].Expiry = 0;
            Deleted.Increment();
        }
        Answer(ref frame, datagram, 0, 0, epoch);
    }

    /// <summary>The port that a client asks for, if it is free, or one of those behind it.</summary>
    private bool TryFindFree(Inside inside, ushort suggested, ulong now, out ushort port)
    {
        var first = suggested >= FirstPort && suggested < FirstPort + ports ? suggested : FirstPort + inside.Port;
        for (var i = 0; i < Attempts; i++)
        {
            var index = (first + i) & (ports - 1);
            if (_leases[index].Expiry > now) continue;
            port = (ushort)(FirstPort + index);
            return true;
        }
        port = 0;
        return false;
    }

    private static void Answer(ref Frame frame, UdpDatagram datagram, ushort port, uint lifetime, uint epoch)
    {
        var answer = Begin(ref frame, datagram, 16, Success, epoch);
        answer.SetUInt16(10, port);
        answer.SetUInt32(12, lifetime);
        datagram.Reply(ref frame, 16);
    }

    private void Fail(ref Frame frame, UdpDatagram datagram, ushort result, uint epoch)
    {
        Failed.Increment();
        Begin(ref frame, datagram, 8, result, epoch);
        datagram.Reply(ref frame, 8);
    }

    /// <summary>Writes what all answers begin with.</summary>
    private static Span<byte> Begin(ref Frame frame, UdpDatagram datagram, int length, ushort result, uint epoch)
    {
        var end = datagram.Offset + length;
        if (frame.Length < end) frame.Resize(end);
        var answer = frame.Bytes[datagram.Offset..end];
        var internalPort = answer.GetUInt16(4);
        answer[0] = 0;
        answer[1] |= 0x80;
        answer.SetUInt16(2, result);
        answer.SetUInt32(4, epoch);
        if (length == 16) answer.SetUInt16(8, internalPort);
        return answer;
    }
}
