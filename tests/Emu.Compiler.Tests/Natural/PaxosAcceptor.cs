using System.Buffers.Binary;
using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// An acceptor of Paxos in the network (after NetPaxos): promises and votes for instances, at UDP port 8888.
/// </summary>
public sealed class PaxosAcceptor(ushort id) : Service
{
    private struct Instance
    {
        public ushort Round;
        public ushort VotedRound;
        public UInt128 Value;
    }

    private readonly Instance[] _instances = new Instance[4096];

    public Counter Promises { get; } = new();

    public Counter Votes { get; } = new();

    public Counter Stale { get; } = new();

    public override void Process(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType != EtherType.IPv4 || !IPv4.TryParse(ethernet.Payload, out var ip) || ip.IsFragment
            || ip.Protocol != IPProtocol.Udp || !Udp.TryParse(ip.Payload, out var udp) || udp.DestinationPort != 8888)
            return;
        var m = udp.Payload;
        if (m.Length < 28) return;
        var type = m[0];
        var number = BinaryPrimitives.ReadUInt32BigEndian(m[2..]);
        var round = BinaryPrimitives.ReadUInt16BigEndian(m[6..]);
        ref var instance = ref _instances[number & 0xFFF];
        if (round < instance.Round)
        {
            Stale.Increment();
            return;
        }
        switch (type)
        {
            case 1: // prepare
                instance.Round = round;
                m[0] = 2;
                BinaryPrimitives.WriteUInt16BigEndian(m[8..], instance.VotedRound);
                BinaryPrimitives.WriteUInt16BigEndian(m[10..], id);
                BinaryPrimitives.WriteUInt128BigEndian(m[12..], instance.Value);
                Promises.Increment();
                break;
            case 3: // accept
                instance.Round = round;
                instance.VotedRound = round;
                instance.Value = BinaryPrimitives.ReadUInt128BigEndian(m[12..]);
                m[0] = 4;
                BinaryPrimitives.WriteUInt16BigEndian(m[10..], id);
                Votes.Increment();
                break;
            default:
                return;
        }
        (ethernet.Source, ethernet.Destination) = (ethernet.Destination, ethernet.Source);
        (ip.Source, ip.Destination) = (ip.Destination, ip.Source);
        (udp.SourcePort, udp.DestinationPort) = (udp.DestinationPort, udp.SourcePort);
        udp.Checksum = 0;
        frame.Reply();
    }
}
