using Emu.Testing;
using static Emu.Compiler.Tests.Pieces;

namespace Emu.Compiler.Tests;

/// <summary>
/// A camera and a radar are received by two ways, in the two halves of the list, so that each is silent for long enough
/// to begin anew when the list does; a brake controller sends.
/// </summary>
internal static class FrameEliminationTraffic
{
    private static readonly MacAddress s_camera = MacAddress.Parse("01:00:5e:00:00:10");
    private static readonly MacAddress s_radar = MacAddress.Parse("01:00:5e:00:00:11");
    private static readonly MacAddress s_brake = MacAddress.Parse("01:00:5e:00:00:12");

    public static IEnumerable<(int Port, byte[] Frame)> Frames()
    {
        for (var i = 0; i < 6; i++) // the camera: both ways, the second a little behind
        {
            yield return (0, Received(s_camera, 65533 + i, 1200 - i * 100));
            if (i > 0) yield return (1, Received(s_camera, 65533 + i - 1, 1200 - (i - 1) * 100));
            if (i % 2 == 0) yield return (2, Sent(s_brake, 46 + i * 7));
        }
        yield return (0, Received(s_camera, 65533 + 9, 200));                              // three were lost
        yield return (1, Received(s_camera, 65533 + 7, 200));                              // one of them was only late
        yield return (1, Received(s_camera, 30000, 200));                                  // rogue
        yield return (0, Packet.Ethernet(Left, s_camera).Vlan(100, 5, type: 0x22F0).Payload(Noise(60, 1)));
        yield return (0, Packet.Ethernet(Left, s_camera).Vlan(100, 5, type: 0xF1C1).Payload([0, 0, 1]));
        for (var i = 0; i < 7; i++) // the radar: way 0 is cut in between
        {
            if (i is not 2 and not 3) yield return (0, Received(s_radar, 100 + i, 80 + i * 30));
            yield return (1, Received(s_radar, 100 + i, 80 + i * 30));
            if (i % 2 == 0) yield return (2, Sent(s_brake, 60 + i * 11));
        }
        for (var i = 0; i < 4; i++) yield return (i % 2 == 0 ? 0 : 2, Background(i));
    }

    private static byte[] Received(MacAddress stream, int sequence, int length) =>
        Packet.Ethernet(Left, stream).Vlan(100, 5, type: 0xF1C1)
            .Payload([0, 0, .. U16(sequence), 0x22, 0xF0, .. Noise(length, sequence & 0xFFFF)]);

    private static byte[] Sent(MacAddress stream, int length) =>
        Packet.Ethernet(Right, stream).Vlan(100, 6, type: 0x22F0).Payload(Noise(length, length));
}
