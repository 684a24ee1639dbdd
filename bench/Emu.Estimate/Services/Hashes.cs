using System.Numerics;
using Emu.Protocols;

namespace Emu.Estimate;

/// <summary>Spreads pairs of stations over the ports, by SplitMix64.</summary>
public sealed class MixedSpread : Service
{
    public override void Process(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        var mixed = SplitMix64.Draw(ethernet.Source.Bits ^ BitOperations.RotateLeft(ethernet.Destination.Bits, 16), 7);
        frame.ForwardTo(new PortSet(1UL << (int)(mixed & 3)));
    }
}

/// <summary>Puts a tag of SipHash-2-4 over the addresses where the source stood.</summary>
public sealed class SipTag : Service
{
    private const ulong Key0 = 0x0706_0504_0302_0100, Key1 = 0x0F0E_0D0C_0B0A_0908;

    public override void Process(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        var state = new Sip(Key0, Key1);
        state.Take(ethernet.Destination.Bits);
        state.Take(ethernet.Source.Bits | 14UL << 56);
        ethernet.Source = new MacAddress(state.Finish() & 0xFEFF_FFFF_FFFF);
        frame.Flood();
    }

    private struct Sip(ulong key0, ulong key1)
    {
        private ulong _a = key0 ^ 0x736F_6D65_7073_6575, _b = key1 ^ 0x646F_7261_6E64_6F6D;
        private ulong _c = key0 ^ 0x6C79_6765_6E65_7261, _d = key1 ^ 0x7465_6462_7974_6573;

        public void Take(ulong word)
        {
            _d ^= word;
            Round();
            Round();
            _a ^= word;
        }

        public ulong Finish()
        {
            _c ^= 0xFF;
            for (var round = 0; round < 4; round++) Round();
            return _a ^ _b ^ _c ^ _d;
        }

        private void Round()
        {
            _a += _b;
            _b = BitOperations.RotateLeft(_b, 13) ^ _a;
            _a = BitOperations.RotateLeft(_a, 32);
            _c += _d;
            _d = BitOperations.RotateLeft(_d, 16) ^ _c;
            _a += _d;
            _d = BitOperations.RotateLeft(_d, 21) ^ _a;
            _c += _b;
            _b = BitOperations.RotateLeft(_b, 17) ^ _c;
            _c = BitOperations.RotateLeft(_c, 32);
        }
    }
}

/// <summary>Spreads IPv4 flows over the ports by the Toeplitz hash of their addresses and ports.</summary>
public sealed class ToeplitzSpread : Service
{
    private static readonly byte[] s_key = [.. Enumerable.Range(0, 16).Select(i => (byte)(0x6D + 37 * i))];

    private readonly UInt128 _key = s_key.Aggregate(UInt128.Zero, (key, part) => key << 8 | part);

    public override void Process(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType != EtherType.IPv4 || !IPv4.TryParse(ethernet.Payload, out var ip)) return;
        if (!Udp.TryParse(ip.Payload, out var udp)) return;
        var input = (UInt128)ip.Source.Bits << 64 | (UInt128)ip.Destination.Bits << 32
            | (uint)(udp.SourcePort << 16 | udp.DestinationPort);
        uint hash = 0;
        for (var bit = 0; bit < 96; bit++)
            if ((input >> (95 - bit) & 1) != 0) hash ^= (uint)(_key >> (96 - bit));
        frame.ForwardTo(new PortSet(1UL << (int)(hash & 3)));
    }
}

/// <summary>Chooses one of as many next hops as a frame asks for, by the high half of a product.</summary>
public sealed class ScaledChoice : Service
{
    private const uint Golden = 0x9E37_79B1;

    public override void Process(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        var hash = (uint)ethernet.Source.Bits * Golden;
        var hops = (uint)ethernet.EtherType;
        frame.ForwardTo(new PortSet((ulong)hash * hops >> 32));
    }
}
