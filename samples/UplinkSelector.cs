using Emu.Protocols;

namespace Emu.Samples;

/// <summary>
/// Spreads stations over the uplinks that are up: each goes by the one that the hash of its address chooses.
/// </summary>
/// <remarks>
/// A frame of the EtherType for local experiments says in its first byte how many uplinks are up: ports 1, 2 and 3.
/// </remarks>
/// <example>--uplinks 2</example>
/// <param name="uplinks">The uplinks that are up at the beginning: 1 to 3.</param>
public sealed class UplinkSelector(byte uplinks = 1) : Service
{
    private const byte MostUplinks = 3;

    private byte _uplinks = uplinks is > 0 and <= MostUplinks
        ? uplinks
        : throw new ArgumentException($"{uplinks} uplinks; give 1 to {MostUplinks}", nameof(uplinks));

    /// <summary>Frames that said how many uplinks are up.</summary>
    public Counter Changes { get; } = new();

    /// <inheritdoc/>
    public override void Process(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType == EtherType.LocalExperimental)
        {
            if (ethernet.Payload[0] is 0 or > MostUplinks) return;
            _uplinks = ethernet.Payload[0];
            Changes.Increment();
            return;
        }
        var address = ethernet.Source.Bits;
        var hash = (uint)(address ^ address >> 24);
        frame.ForwardTo(new PortId((byte)(1 + SerialDivision.Remainder(hash, _uplinks))));
    }
}
