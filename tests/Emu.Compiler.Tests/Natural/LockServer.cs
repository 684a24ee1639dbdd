using System.Buffers.Binary;
using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// A lock server over UDP (after NetLock, SIGCOMM 2020): clients acquire locks, shared or exclusive, and wait in line
/// for those that others hold. A release grants the lock to the next in line, or to all next ones that share it. Locks
/// that are not released or renewed in time are taken back.
/// </summary>
/// <remarks>A message is an operation (1), a mode (1), the lock's number (2) and the transaction's (4).</remarks>
/// <param name="address">The server's address.</param>
/// <param name="port">Its UDP port.</param>
/// <param name="locks">The number of locks.</param>
/// <param name="leaseMilliseconds">How long a lock may be held.</param>
public sealed class LockServer(
    IPv4Address address, ushort port = 4100, int locks = 64, int leaseMilliseconds = 500) : Service
{
    private const int MessageLength = 8, MostWaiting = 8;
    private const ulong NanosecondsPerMillisecond = 1_000_000;

    private enum Operation : byte
    {
        Acquire = 1,
        Release = 2,
        Renew = 3,
        Granted = 0x81,
        Queued = 0x82,
        Released = 0x83,
        Expired = 0x84,
        Refused = 0xFF,
    }

    private enum Mode : byte
    {
        Shared = 0,
        Exclusive = 1,
    }

    /// <summary>A request, and where its answer goes.</summary>
    private record struct Request(
        MacAddress Mac, IPv4Address Address, ushort Port, PortId Ingress, ushort Lock, Mode Mode, uint Transaction);

    private struct LockState
    {
        public int Holders;
        public Mode Mode;
        public ulong Expiry;

        public readonly bool Admits(Mode mode) => Holders == 0 || (Mode == Mode.Shared && mode == Mode.Shared);
    }

    private readonly MacAddress _mac = MacAddress.Of(address);
    private readonly ArpResponder _arp = new(address, MacAddress.Of(address));
    private readonly LockState[] _locks = new LockState[locks];
    private readonly Fifo<Request>[] _waiting =
        [.. Enumerable.Range(0, locks).Select(_ => new Fifo<Request>(MostWaiting))];
    private readonly Request[] _next = new Request[locks];
    private readonly bool[] _hasNext = new bool[locks];
    private readonly ulong _lease = (ulong)leaseMilliseconds * NanosecondsPerMillisecond;

    public override ulong TickInterval => 10 * NanosecondsPerMillisecond;

    public Counter Grants { get; } = new();

    public Counter Waits { get; } = new();

    public Counter Refusals { get; } = new();

    public Counter Expiries { get; } = new();

    public override void Process(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType == EtherType.Arp && Arp.TryParse(ethernet.Payload, out var arp)
            && ArpResponder.IsValid(arp) && _arp.IsForUs(arp))
        {
            _arp.Answer(ref frame, arp);
            return;
        }
        if (ethernet.EtherType != EtherType.IPv4 || !IPv4.TryParse(ethernet.Payload, out var ip)
            || !ip.HasValidHeaderChecksum || ip.Destination != address || ip.IsFragment
            || ip.Protocol != IPProtocol.Udp || !Udp.TryParse(ip.Payload, out var udp) || udp.DestinationPort != port
            || !udp.HasValidChecksum(ip) || udp.Payload.Length < MessageLength)
            return;

        var message = udp.Payload;
        var operation = (Operation)message[0];
        var request = new Request(
            ethernet.Source, ip.Source, udp.SourcePort, frame.Ingress,
            BinaryPrimitives.ReadUInt16BigEndian(message[2..]), (Mode)(message[1] & 1),
            BinaryPrimitives.ReadUInt32BigEndian(message[4..]));
        if (request.Lock >= locks)
        {
            Refuse(ref frame, request);
            return;
        }

        switch (operation)
        {
            case Operation.Acquire:
                Acquire(ref frame, request);
                break;
            case Operation.Release when _locks[request.Lock].Holders > 0:
                Send(ref frame, request, Operation.Released);
                _locks[request.Lock].Holders--;
                GrantNext(ref frame, request.Lock);
                break;
            case Operation.Renew when _locks[request.Lock].Holders > 0:
                _locks[request.Lock].Expiry = frame.Time + _lease;
                Send(ref frame, request, Operation.Granted);
                break;
            default:
                Refuse(ref frame, request);
                break;
        }
    }

    public override void Tick(ref Frame frame)
    {
        for (var number = 0; number < locks; number++)
        {
            ref var state = ref _locks[number];
            if (state.Holders == 0 || frame.Time < state.Expiry) continue;
            state.Holders = 0;
            Expiries.Increment();
            GrantNext(ref frame, number);
        }
    }

    private void Acquire(ref Frame frame, Request request)
    {
        ref var state = ref _locks[request.Lock];
        // Who could share the lock waits behind those that wait already, so that nobody waits forever.
        if (state.Admits(request.Mode) && !_hasNext[request.Lock])
        {
            Grant(ref frame, request);
            return;
        }
        if (!_hasNext[request.Lock])
        {
            _next[request.Lock] = request;
            _hasNext[request.Lock] = true;
        }
        else if (!_waiting[request.Lock].TryEnqueue(request))
        {
            Refuse(ref frame, request);
            return;
        }
        Waits.Increment();
        Send(ref frame, request, Operation.Queued);
    }

    private void GrantNext(ref Frame frame, int number)
    {
        while (_hasNext[number] && _locks[number].Admits(_next[number].Mode))
        {
            Grant(ref frame, _next[number]);
            _hasNext[number] = _waiting[number].TryDequeue(out _next[number]);
        }
    }

    private void Grant(ref Frame frame, Request request)
    {
        ref var state = ref _locks[request.Lock];
        state.Holders++;
        state.Mode = request.Mode;
        state.Expiry = frame.Time + _lease;
        Grants.Increment();
        Send(ref frame, request, Operation.Granted);
    }

    private void Refuse(ref Frame frame, Request request)
    {
        Refusals.Increment();
        Send(ref frame, request, Operation.Refused);
    }

    /// <summary>Sends an answer to a request that may have come long ago.</summary>
    private void Send(ref Frame frame, Request request, Operation operation)
    {
        frame.Resize(Ethernet.HeaderLength + IPv4.MinHeaderLength + Udp.HeaderLength + MessageLength);
        var ethernet = new Ethernet(frame)
        {
            Destination = request.Mac,
            Source = _mac,
            EtherType = EtherType.IPv4,
        };
        if (!IPv4.TryInitialize(ethernet.Payload, out var ip)) return;
        ip.Ttl = IPv4.DefaultTtl;
        ip.Protocol = IPProtocol.Udp;
        ip.Source = address;
        ip.Destination = request.Address;
        ip.WriteHeaderChecksum();
        if (!Udp.TryInitialize(ip.Payload, out var udp)) return;
        udp.SourcePort = port;
        udp.DestinationPort = request.Port;
        udp.Payload[0] = (byte)operation;
        udp.Payload[1] = (byte)request.Mode;
        BinaryPrimitives.WriteUInt16BigEndian(udp.Payload[2..], request.Lock);
        BinaryPrimitives.WriteUInt32BigEndian(udp.Payload[4..], request.Transaction);
        udp.WriteChecksum(ip);
        frame.Send(PortSet.Of(request.Ingress));
    }
}
