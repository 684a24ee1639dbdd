using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// Products of which one has a product behind it, one a table's word before it, and one is all that is written.
/// </summary>
internal sealed class Multiplies : Service
{
    private readonly uint[] _seen = new uint[16];
    private readonly ulong[] _sums = new ulong[16];

    public override void Process(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        var (source, destination) = (ethernet.Source.Bits, ethernet.Destination.Bits);
        var at = (int)(destination & 15);
        var product = (source & 0xFFFF) * (destination >> 8 & 0xFFFF);
        _sums[at] += product;
        _seen[at] = (uint)(product * 41 >> 5);
        ethernet.Source = new MacAddress(product * (source >> 24 & 0x1FF) & 0xFFFF_FFFF_FFFF);
        frame.ForwardTo(PortSet.Of(new PortId((byte)(product & 3))));
    }
}
