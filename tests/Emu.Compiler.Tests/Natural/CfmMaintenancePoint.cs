using System.Text;
using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// A maintenance end point of Ethernet (IEEE 802.1Q-2018 clause 20, CFM): sends continuity checks, watches those of
/// others, and answers loopback messages.
/// </summary>
/// <remarks>
/// It stands in a line of two ports. Messages of its level end here, those of lower levels are dropped, all else
/// passes. A peer is lost when nothing was heard from it for three and a half intervals.
/// </remarks>
/// <example>--mac 02:00:00:00:00:77 --mep-id 3</example>
/// <param name="mac">The address of this end point.</param>
/// <param name="mepId">Its number, 1 to 31.</param>
/// <param name="level">The level of its domain, 0 to 7.</param>
/// <param name="association">The name of its association, up to 45 characters.</param>
public sealed class CfmMaintenancePoint(MacAddress mac, ushort mepId = 1, byte level = 4, string association = "core")
    : Service
{
    private const EtherType Cfm = (EtherType)0x8902;
    private const byte ContinuityCheck = 1, LoopbackReply = 2, LoopbackMessage = 3;
    private const int MaidOffset = 10, MaidLength = 48;
    private const int CheckLength = Ethernet.HeaderLength + 75;
    private const byte RemoteDefect = 0x80;
    private const byte Interval100Milliseconds = 3;
    private const ulong Interval = 100_000_000;
    private const int Peers = 32;

    private struct Peer
    {
        public ulong Heard;
        public bool IsKnown, HasDefect;
    }

    private readonly Peer[] _peers = new Peer[Peers];
    private readonly byte[] _maid = Maid(association);
    private uint _sequence;
    private bool _anyLost;

    /// <inheritdoc/>
    public override ulong TickInterval => Interval;

    /// <summary>Loopback messages answered.</summary>
    public Counter Loopbacks { get; } = new();

    /// <summary>Continuity checks of peers.</summary>
    public Counter Heard { get; } = new();

    /// <summary>Checks of another association, another interval, or our own number.</summary>
    public Counter Misconfigured { get; } = new();

    /// <summary>Peers that were lost.</summary>
    public Counter Lost { get; } = new();

    /// <summary>Messages dropped: a lower level, a broken or unknown one.</summary>
    public Counter Dropped { get; } = new();

    /// <inheritdoc/>
    public override void Process(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        var message = ethernet.Payload;
        if (ethernet.EtherType != Cfm || message.Length < 4 || message[0] >> 5 > level)
        {
            frame.ForwardTo(new PortId(frame.Ingress.Index ^ 1));
            return;
        }
        if (message[0] >> 5 < level)
        {
            Dropped.Increment();
            return;
        }
        switch (message[1])
        {
            case LoopbackMessage when ethernet.Destination == mac && ethernet.Source.IsIndividual:
                message[1] = LoopbackReply;
                (ethernet.Destination, ethernet.Source) = (ethernet.Source, mac);
                Loopbacks.Increment();
                frame.Reply();
                break;
            case ContinuityCheck when message.Length >= MaidOffset + MaidLength && message[3] >= 70:
                Check(message, frame.Time);
                break;
            default:
                Dropped.Increment();
                break;
        }
    }

    private void Check(Span<byte> message, ulong now)
    {
        var peer = message.GetUInt16(8);
        if (!message.Slice(MaidOffset, MaidLength).SequenceEqual(_maid) || (message[2] & 7) != Interval100Milliseconds
            || peer == mepId || peer >= Peers)
        {
            Misconfigured.Increment();
            return;
        }
        Heard.Increment();
        _peers[peer].Heard = now;
        _peers[peer].IsKnown = true;
        _peers[peer].HasDefect = (message[2] & RemoteDefect) != 0;
    }

    /// <inheritdoc/>
    public override void Tick(ref Frame frame)
    {
        _anyLost = false;
        for (var i = 0; i < Peers; i++)
        {
            if (!_peers[i].IsKnown) continue;
            if (frame.Time - _peers[i].Heard <= Interval * 7 / 2) continue;
            _peers[i].IsKnown = false;
            _anyLost = true;
            Lost.Increment();
        }

        frame.Resize(CheckLength);
        var ethernet = new Ethernet(frame);
        ethernet.Destination = new MacAddress(0x0180_C200_0030 | (ulong)level);
        ethernet.Source = mac;
        ethernet.EtherType = Cfm;
        var message = ethernet.Payload;
        message[0] = (byte)(level << 5);
        message[1] = ContinuityCheck;
        message[2] = (byte)((_anyLost ? RemoteDefect : 0) | Interval100Milliseconds);
        message[3] = 70;
        message.SetUInt32(4, _sequence++);
        message.SetUInt16(8, mepId);
        _maid.CopyTo(message[MaidOffset..]);
        frame.ForwardTo(PortSet.First(2));
    }

    /// <summary>No name of the domain, and a short name of the association as text (table 21-19).</summary>
    private static byte[] Maid(string association)
    {
        var maid = new byte[MaidLength];
        maid[0] = 1;
        maid[1] = 2;
        maid[2] = (byte)association.Length;
        Encoding.ASCII.GetBytes(association).CopyTo(maid, 3);
        return maid;
    }
}
