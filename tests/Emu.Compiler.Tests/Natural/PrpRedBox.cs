using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// Joins a network to two that are redundant, by the parallel redundancy protocol (IEC 62439-3:2021 clause 4): each
/// frame goes into both with a trailer, and of two that come the first is taken.
/// </summary>
/// <remarks>
/// Port 0 is the single network, port 1 LAN A, port 2 LAN B. Frames without a trailer come from stations that are in
/// one LAN alone, and pass. Not done: supervision frames, the proxy node table.
/// </remarks>
/// <param name="forgetMilliseconds">How long the numbers of frames are remembered.</param>
public sealed class PrpRedBox(int forgetMilliseconds = 400) : Service
{
    private const ushort Suffix = 0x88FB;
    private const int TrailerLength = 6;
    private const byte LanA = 0xA, LanB = 0xB;
    private const ulong NanosecondsPerMillisecond = 1_000_000;

    /// <summary>A frame of a sender.</summary>
    private readonly record struct Number(MacAddress Source, ushort Sequence) : ITableKey<Number>
    {
        public static int Width => 64;

        public UInt128 KeyBits => Source.Bits << 16 | Sequence;
    }

    private static readonly PortId s_single = new(0), s_lanA = new(1), s_lanB = new(2);

    private readonly AgeingTable<Number, byte> _seen = new(1024, forgetMilliseconds, 9, 1000);
    private ushort _sequence;

    /// <summary>Frames sent into both LANs.</summary>
    public Counter Doubled { get; } = new();

    /// <summary>Frames taken.</summary>
    public Counter Taken { get; } = new();

    /// <summary>Second frames, dropped.</summary>
    public Counter Duplicates { get; } = new();

    /// <summary>Frames in the LAN that they are not meant for.</summary>
    public Counter WrongLan { get; } = new();

    /// <summary>Frames without a trailer.</summary>
    public Counter Untagged { get; } = new();

    /// <inheritdoc/>
    public override void Process(ref Frame frame)
    {
        if (frame.Ingress == s_single) Double(ref frame);
        else if (frame.Ingress == s_lanA) Take(ref frame, LanA);
        else if (frame.Ingress == s_lanB) Take(ref frame, LanB);
    }

    private void Double(ref Frame frame)
    {
        if (new Ethernet(frame).Destination.IsReservedForBridges || frame.Length > 1508) return;
        var end = Math.Max(frame.Length, Ethernet.MinFrameLength);
        frame.Resize(end + TrailerLength);
        var trailer = frame.Bytes[end..];
        var size = (ushort)(frame.Length - HeaderLength(frame));
        trailer.SetUInt16(0, _sequence++);
        trailer.SetUInt16(4, Suffix);

        trailer.SetUInt16(2, (ushort)(LanA << 12 | size));
        frame.Send(PortSet.Of(s_lanA));
        trailer.SetUInt16(2, (ushort)(LanB << 12 | size));
        frame.ForwardTo(s_lanB);
        Doubled.Increment();
    }

    private void Take(ref Frame frame, byte lan)
    {
        var end = frame.Length - TrailerLength;
        var trailer = frame.Bytes[end..];
        var size = trailer.GetUInt16(2) & 0xFFF;
        if (trailer.GetUInt16(4) != Suffix || size != frame.Length - HeaderLength(frame))
        {
            Untagged.Increment();
            frame.ForwardTo(s_single);
            return;
        }
        if (trailer[2] >> 4 != lan)
        {
            WrongLan.Increment();
            return;
        }

        var number = new Number(new Ethernet(frame).Source, trailer.GetUInt16(0));
        var now = frame.Time / NanosecondsPerMillisecond;
        if (_seen.TryGet(number, now, out _))
        {
            Duplicates.Increment();
            return;
        }
        _seen.Set(number, lan, now);
        frame.Resize(end);
        Taken.Increment();
        frame.ForwardTo(s_single);
    }

    /// <summary>The bytes in front of what the trailer's size counts: a tag of a VLAN is not counted.</summary>
    private static int HeaderLength(in Frame frame) =>
        new Ethernet(frame).EtherType == EtherType.CTag ? Ethernet.HeaderLength + Vlan.HeaderLength
            : Ethernet.HeaderLength;
}
