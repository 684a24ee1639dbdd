using Emu.Testing;
using static Emu.Compiler.Tests.Pieces;

namespace Emu.Compiler.Tests;

internal static class GradientAggregatorTraffic
{
    private static readonly IPv4Address s_address = IP("10.0.0.100");

    private static byte[] Message(int worker, int version, int slot, uint chunk, int numbers, int? count = null) =>
        [
            (byte)worker, (byte)version, .. U16(slot), .. U32(chunk), .. U16(count ?? numbers), 0, 0,
            .. Enumerable.Range(0, numbers).SelectMany(i => U32((uint)(worker * 1000 + i - 500))),
        ];

    private static byte[] From(int worker, byte[] message, ushort? checksum = null) =>
        Packet.Ethernet(new MacAddress(0x02_00_00_00_00_10UL + (uint)worker), MacAddress.Of(s_address))
            .IPv4(IP($"10.0.0.{10 + worker}"), s_address).Udp(48879, 48879, checksum: checksum).Payload(message)
                .PaddedTo(60);

    public static IEnumerable<(int Port, byte[] Frame)> Frames()
    {
        // Four workers, four slots, both pools of each: the second time round is the next part of the model.
        for (var version = 0; version < 2; version++)
        {
            for (var slot = 0; slot < 4; slot++)
            {
                // The last chunk of the model is shorter.
                var numbers = slot == 3 ? 7 : 32;
                for (var worker = 0; worker < 4; worker++)
                {
                    var message = Message((worker + slot) % 4, version, slot, (uint)(version * 128 + slot * 32),
                        numbers);
                    yield return ((worker + slot) % 4, From((worker + slot) % 4, message));
                    if (slot == 1 && worker == 2) yield return (3, From(3, message)); // sent again too early
                }
                // missed the sum
                if (slot == 2) yield return (1, From(1, Message(1, version, slot, (uint)(version * 128 + slot * 32),
                    numbers)));
            }
        }
        yield return (0, From(0, Message(2, 0, 5, 0, 32))); // another's number
        yield return (0, From(0, Message(0, 0, 500, 0, 32))); // no such slot
        yield return (0, From(0, Message(0, 0, 5, 0, 8, count: 32))); // cut off
        yield return (0, From(0, Message(0, 0, 5, 0, 0)));
        yield return (0, From(0, Message(0, 1, 5, 0, 32), checksum: 0x9999));
        yield return (0, From(0, [0, 0, 0]));
        yield return (2, Packet.Ethernet(Left, MacAddress.Broadcast).ArpRequest(Left, IP("10.0.0.12"), s_address)
            .PaddedTo(60));
        for (var i = 0; i < 4; i++) yield return (i, Background(i));
    }
}
