using System.Buffers.Binary;
using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// Copies what passes to a remote analyser over ERSPAN II: GRE with a sequence number, a session, the VLAN and the port
/// where the frame was.
/// </summary>
public sealed class RemoteMirror(
    IPv4Address own, MacAddress mac, IPv4Address analyser, MacAddress analyserMac, int session = 7) : Service
{
    private const EtherType Erspan = (EtherType)0x88BE;
    private const int MirrorLength = 8, Headers = 14 + 20 + 8 + MirrorLength;
    private const int LongestMirrored = 1500 + 14 - Headers;

    private uint _sequence;

    public Counter Mirrored { get; } = new();

    public Counter Truncated { get; } = new();

    public override void Process(ref Frame frame)
    {
        frame.Send(PortSet.Of(new PortId(frame.Ingress.Index ^ 1)));
        var port = frame.Ingress.Index;
        var vlan = 0;
        var at = new Ethernet(frame);
        if (at.EtherType == EtherType.CTag && at.Payload.Length >= 4)
            vlan = BinaryPrimitives.ReadUInt16BigEndian(at.Payload) & 0xFFF;
        var isTruncated = frame.Length > LongestMirrored;
        if (isTruncated)
        {
            frame.Resize(LongestMirrored);
            Truncated.Increment();
        }
        frame.Insert(0, Headers);
        var ethernet = new Ethernet(frame) { Destination = analyserMac, Source = mac, EtherType = EtherType.IPv4 };
        if (!IPv4.TryInitialize(ethernet.Payload, out var ip)) return;
        ip.Ttl = 64;
        ip.Protocol = IPProtocol.Gre;
        ip.Source = own;
        ip.Destination = analyser;
        ip.WriteHeaderChecksum();
        if (!Gre.TryInitialize(ip.Payload, hasChecksum: false, hasKey: false, hasSequenceNumber: true, out var gre))
            return;
        gre.EtherType = Erspan;
        gre.SequenceNumber = _sequence++;
        var mirror = gre.Payload;
        BinaryPrimitives.WriteUInt16BigEndian(mirror, (ushort)(0x1000 | vlan));
        BinaryPrimitives.WriteUInt16BigEndian(mirror[2..], (ushort)((isTruncated ? 0x400 : 0) | session));
        BinaryPrimitives.WriteUInt32BigEndian(mirror[4..], port);
        Mirrored.Increment();
        frame.ForwardTo(new PortId(3));
    }
}
