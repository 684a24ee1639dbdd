using System.Buffers.Binary;
using Emu.Protocols;

namespace Emu.Samples;

/// <summary>
/// Joins ports 0 and 1, and samples what passes, as sFlow (RFC 3176) and PSAMP (RFC 5476) do: of one frame in so many
/// the first 106 bytes go to a collector, behind an Ethernet header, a number, the port and the length of the frame.
/// </summary>
/// <example>--collector 02:00:00:00:00:0c --rate 1000</example>
/// <param name="collector">The MAC address of the collector, which is at port 2.</param>
/// <param name="rate">The frames of which one is sampled, from 1.</param>
public sealed class Sampler(MacAddress collector, uint rate = 1000) : Service
{
    private const int Headers = Ethernet.HeaderLength + 8;
    private const int SampleLength = 128;
    private const EtherType SampleType = (EtherType)0x88B5; // for local experiments (IEEE 802-2014 §9.2.3)

    private static readonly PortId s_left = new(0), s_right = new(1);
    private static readonly PortSet s_collector = PortSet.Of(new PortId(2));

    private readonly uint _rate = rate > 0
        ? rate
        : throw new ArgumentOutOfRangeException(nameof(rate), rate, "one frame of none cannot be sampled");

    private uint _passed;
    private uint _sampled;

    /// <inheritdoc/>
    public override void Process(ref Frame frame)
    {
        if (frame.Ingress != s_left && frame.Ingress != s_right) return;
        var (length, ingress) = (frame.Length, frame.Ingress);
        frame.ForwardTo(ingress == s_left ? s_right : s_left);
        if (++_passed < _rate) return;

        _passed = 0;
        frame.Send(frame.Egress);
        frame.Drop();
        frame.Insert(0, Headers);
        var ethernet = new Ethernet(frame);
        ethernet.Destination = collector;
        ethernet.EtherType = SampleType;
        var sample = ethernet.Payload;
        BinaryPrimitives.WriteUInt32BigEndian(sample, _sampled++);
        BinaryPrimitives.WriteUInt16BigEndian(sample[4..], ingress.Index);
        BinaryPrimitives.WriteUInt16BigEndian(sample[6..], (ushort)length);
        frame.Send(s_collector, Math.Min(frame.Length, SampleLength));
    }
}
