using Emu.Testing;
using static Emu.Compiler.Tests.Pieces;

namespace Emu.Compiler.Tests;

internal static class SocksTraffic
{
    public static (int, byte[]) Out(int client, byte[] data, byte flags = Packet.Ack | Packet.Psh) => (0,
        Link.IPv4(IP("10.0.0.1"), IP("10.0.0.2")).Tcp((ushort)(40000 + client), 1080, 1, 1, flags).Payload(data)
            .PaddedTo(60));

    public static (int, byte[]) In(int client, byte[] data, byte flags = Packet.Ack | Packet.Psh) => (1,
        Back.IPv4(IP("10.0.0.2"), IP("10.0.0.1")).Tcp(1080, (ushort)(40000 + client), 1, 1, flags).Payload(data)
            .PaddedTo(60));

    public static byte[] Request(byte command, byte[] address, int port) => [5, command, 0, .. address, .. U16(port)];

    public static byte[] Domain(string name) => [3, (byte)name.Length, .. Text(name)];

    public static IEnumerable<(int, byte[])> Frames()
    {
        for (var c = 0; c < 8; c++)
        {
            yield return Out(c, [], Packet.Syn);
            yield return In(c, [], Packet.Syn | Packet.Ack);
            yield return Out(c, [], Packet.Ack);
            yield return Out(c, c == 5 ? [4, 1, 0, 80, 1, 2, 3, 4, 0] : c % 2 == 0 ? [5, 1, 0] : [5, 2, 0, 2]);
            yield return In(c, [5, (byte)(c % 2 == 0 ? 0 : 2)]);
            if (c % 2 == 1)
            {
                yield return Out(c, [1, 4, .. Text("user"), 6, .. Text("secret")]);
                yield return In(c, [1, 0]);
            }
            yield return Out(c, Request((byte)(c == 6 ? 2 : 1), c % 3 == 0 ? Domain("www.example.org") : c % 3 == 1
                ? [1, 93, 184, 216, 34] : [4, .. Noise(16, c)], c == 4 ? 25 : 443));
            yield return In(c, [5, 0, 0, 1, 10, 0, 0, 2, 0xC0, (byte)c]);
            yield return Out(c, Noise(517, c));
            yield return In(c, Noise(1400, c));
            yield return In(c, Noise(1400, c + 10));
            yield return Out(c, Noise(80, c));
            if (c % 3 == 0) yield return Out(c, [], Packet.Ack | Packet.Fin);
            yield return (c % 2, Background(c));
        }
        yield return In(99, [5, 0]);
        yield return Out(2, [], Packet.Rst);
        yield return Out(2, Noise(30, 1));
    }
}
