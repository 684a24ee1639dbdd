using System.Buffers.Binary;
using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// The data path of a PPPoE access concentrator (RFC 2516): sessions of subscribers on port 0, their IP packets on
/// port 1. Sessions are learned from confirmations that the control plane sends through port 2.
/// </summary>
public sealed class PppoeConcentrator(MacAddress mac, MacAddress gateway) : Service
{
    private const EtherType Discovery = (EtherType)0x8863, Session = (EtherType)0x8864;
    private const ushort PppIPv4 = 0x0021;
    private const byte Confirmation = 0x65, Termination = 0xA7;

    private struct Subscriber
    {
        public MacAddress Mac;
        public IPv4Address Address;
        public bool IsUp;
    }

    private readonly Subscriber[] _sessions = new Subscriber[4096];
    private readonly AgeingTable<IPv4Address, ushort> _byAddress = new(4096, 86_400, 17);

    public Counter Up { get; } = new();

    public Counter Down { get; } = new();

    public Counter Unknown { get; } = new();

    public Counter Control { get; } = new();

    public override void Process(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        switch (frame.Ingress.Index)
        {
            case 0:
                if (ethernet.EtherType == Session) FromSubscriber(ref frame);
                else if (ethernet.EtherType == Discovery) ToControl(ref frame);
                break;
            case 1:
                if (ethernet.EtherType == EtherType.IPv4) ToSubscriber(ref frame);
                break;
            case 2:
                FromControl(ref frame);
                break;
        }
    }

    private void ToControl(ref Frame frame)
    {
        Control.Increment();
        frame.ForwardTo(new PortId(2));
    }

    private void FromSubscriber(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        var pppoe = ethernet.Payload;
        if (pppoe.Length < 8 || pppoe[0] != 0x11 || pppoe[1] != 0) return;
        if (BinaryPrimitives.ReadUInt16BigEndian(pppoe[6..]) != PppIPv4)
        {
            ToControl(ref frame);
            return;
        }
        var id = BinaryPrimitives.ReadUInt16BigEndian(pppoe[2..]);
        var length = BinaryPrimitives.ReadUInt16BigEndian(pppoe[4..]);
        if (id >= _sessions.Length || length < 2 || pppoe.Length < 6 + length
            || !IPv4.TryParse(pppoe[8..], out var ip))
            return;
        var session = _sessions[id];
        if (!session.IsUp || session.Mac != ethernet.Source || session.Address != ip.Source)
        {
            Unknown.Increment();
            return;
        }
        frame.Remove(14, 8);
        frame.Resize(14 + length - 2);
        var leaving = new Ethernet(frame);
        leaving.EtherType = EtherType.IPv4;
        leaving.Source = mac;
        leaving.Destination = gateway;
        Up.Increment();
        frame.ForwardTo(new PortId(1));
    }

    private void ToSubscriber(ref Frame frame)
    {
        if (!IPv4.TryParse(new Ethernet(frame).Payload, out var ip)
            || !_byAddress.TryGet(ip.Destination, frame.Seconds, out var id))
        {
            Unknown.Increment();
            return;
        }
        var length = ip.TotalLength;
        frame.Resize(14 + length);
        frame.Insert(14, 8);
        var leaving = new Ethernet(frame);
        leaving.EtherType = Session;
        leaving.Source = mac;
        leaving.Destination = _sessions[id & 4095].Mac;
        var pppoe = leaving.Payload;
        pppoe[0] = 0x11;
        pppoe[1] = 0;
        BinaryPrimitives.WriteUInt16BigEndian(pppoe[2..], id);
        BinaryPrimitives.WriteUInt16BigEndian(pppoe[4..], (ushort)(length + 2));
        BinaryPrimitives.WriteUInt16BigEndian(pppoe[6..], PppIPv4);
        Down.Increment();
        frame.ForwardTo(new PortId(0));
    }

    /// <summary>A confirmation has the session's address behind its header.</summary>
    private void FromControl(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        var pppoe = ethernet.Payload;
        if (ethernet.EtherType != Discovery || pppoe.Length < 10) return;
        var id = BinaryPrimitives.ReadUInt16BigEndian(pppoe[2..]);
        if (id >= _sessions.Length) return;
        var address = new IPv4Address(BinaryPrimitives.ReadUInt32BigEndian(pppoe[6..]));
        if (pppoe[1] == Confirmation)
        {
            _sessions[id] = new Subscriber { Mac = ethernet.Destination, Address = address, IsUp = true };
            _byAddress.Set(address, id, frame.Seconds);
        }
        else if (pppoe[1] == Termination)
        {
            _sessions[id].IsUp = false;
            _byAddress.Remove(address, frame.Seconds);
        }
        frame.ForwardTo(new PortId(0));
    }
}
