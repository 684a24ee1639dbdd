using Emu.Testing;
using static Emu.Compiler.Tests.Pieces;

namespace Emu.Compiler.Tests;

internal static class FcoeZoningTraffic
{
    private static readonly MacAddress s_forwarder = MacAddress.Parse("00:0d:ec:01:02:03");

    private static MacAddress Node(int address) => new(0x0EFC00UL << 24 | (uint)address);

    private static byte[] Fc(int source, int destination, byte[] data, byte rctl = 0x01, byte sof = 0x36,
        byte eof = 0x42,
        byte version = 0) =>
        [
            (byte)(version << 4), .. new byte[12], sof,
            rctl, .. U24(destination), 0, .. U24(source), 0x08, .. U24(0x290000), 1, 0, .. U16(0), .. U16(0x1234),
                .. U16(0xFFFF), .. U32(0),
            .. data, .. Noise(4, data.Length), eof, 0, 0, 0,
        ];

    private static byte[] Frame(MacAddress from, MacAddress to, byte[] fcoe, bool isTagged) => isTagged
        ? Packet.Ethernet(from, to).Vlan(1002, priority: 3, type: 0x8906).Payload(fcoe)
        : Packet.Ethernet(from, to, 0x8906).Payload(fcoe);

    public static IEnumerable<(int Port, byte[] Frame)> Frames()
    {
        // SCSI over Fibre Channel: commands of 32 bytes, data, transfer-ready of 12, responses of 24.
        int[] lengths = [32, 1024, 24, 32, 12, 1400, 1400, 24, 512, 32];
        for (var i = 0; i < 14; i++)
        {
            var node = 0x010001 + i % 3;
            yield return (0, Frame(Node(node), s_forwarder, Fc(node, 0x020001, Noise(lengths[i % 10], i),
                sof: i % 3 == 0 ? (byte)0x2E : (byte)0x36), i % 5 != 0));
            yield return (1, Frame(s_forwarder, Node(node), Fc(0x020001, node, Noise(lengths[(i + 3) % 10], i),
                eof: i % 2 == 0 ? (byte)0x41 : (byte)0x42), i % 5 != 0));
        }
        // to the name server
        yield return (0, Frame(Node(0x010001), s_forwarder, Fc(0x010001, 0xFFFFFC, Noise(140, 1), rctl: 0x22), true));
        yield return (1, Frame(s_forwarder, Node(0x010001), Fc(0xFFFFFC, 0x010001, Noise(16, 2), rctl: 0x23), true));
        // another's address
        yield return (0, Frame(Node(0x010002), s_forwarder, Fc(0x010001, 0x020001, Noise(32, 3)), true));
        yield return (0, Frame(Left, s_forwarder, Fc(0x010001, 0x020001, Noise(32, 3)), false));
        yield return (0, Frame(Node(0x010001), s_forwarder, Fc(0x010001, 0x020009, Noise(32, 4)), true)); // no zone
        yield return (1, Frame(s_forwarder, Node(0x010003), Fc(0x030003, 0x010003, Noise(32, 4)), true));
        // no whole words
        yield return (0, Frame(Node(0x010001), s_forwarder, Fc(0x010001, 0x020001, Noise(33, 5)), true));
        yield return (0, Frame(Node(0x010001), s_forwarder, Fc(0x010001, 0x020001, [], sof: 0x28), false)); // class F
        yield return (0, Frame(Node(0x010001), s_forwarder, Fc(0x010001, 0x020001, Noise(64, 6), version: 1), true));
        // aborted
        yield return (0, Frame(Node(0x010001), s_forwarder, Fc(0x010001, 0x020001, Noise(64, 7), eof: 0x50), true));
        yield return (0, Packet.Ethernet(Node(0x010001), s_forwarder, 0x8906).Payload(new byte[30])); // short
        yield return (0, Packet.Ethernet(Left, MacAddress.Parse("01:10:18:01:00:02"), 0x8914).Payload(Noise(46, 8)));
        for (var i = 0; i < 4; i++) yield return (i % 2, Background(i));
    }
}
