using Emu.Testing;
using static Emu.Compiler.Tests.Pieces;

namespace Emu.Compiler.Tests;

/// <summary>An operator's panel and a historian read tags, an engineer programs, and somebody tries to.</summary>
internal static class EtherNetIpGateTraffic
{
    private const string Panel = "10.10.0.20", Historian = "10.10.0.21", Engineer = "10.10.0.5",
        Stranger = "10.10.0.66", Controller = "10.20.0.2";

    public static IEnumerable<(int Port, byte[] Frame)> Frames()
    {
        yield return (0, Send(Panel, Encapsulated(0x65, [1, 0, 0, 0])));
        yield return (0, Send(Panel, Unconnected(Cip(0x54, Class(6, 1), Noise(34, 1)))));
        for (var i = 0; i < 8; i++)
        {
            yield return (0, Send(Panel, Connected(i, Cip(0x4C, Symbol("Tank" + i + (i % 2 == 0 ? "_Level"
                : "_Temperature")), [1, 0]))));
            yield return (0, Send(Historian, Unconnected(Wrapped(Cip(0x52, Symbol("Batch_Report" + i),
                [20, 0, .. new byte[4]])))));
            yield return (0, Send(Historian, Unconnected(Cip(0x03, Class(1, 1),
                [(byte)(1 + i % 3), 0, .. Enumerable.Range(1, 1 + i % 3)
                .SelectMany(a => new byte[] { (byte)a, 0 })]))));
            if (i % 2 == 0) yield return (1, Packet.Ethernet(Right, Left).IPv4(IP(Controller), IP(Panel))
                .Tcp(44818, 50000, 1, 1, Packet.Ack | Packet.Psh).Payload(Connected(i, Noise(20 + i * 55, i))));
            if (i % 3 == 0) yield return (0, Send(Engineer, Connected(i,
                Cip(0x4D, Symbol("Setpoint"), [0xCA, 0, 1, 0, .. Noise(4 + i * 90, i)]))));
        }
        // Writes and resets of others: of a tag, of an identity, wrapped, of several at once.
        yield return (0, Send(Stranger, Connected(1, Cip(0x4D, Symbol("Setpoint"),
            [0xCA, 0, 1, 0, 0, 0, 0x80, 0x3F]))));
        yield return (0, Send(Stranger, Unconnected(Cip(0x05, Class(1, 1), [1]))));
        yield return (0, Send(Stranger, Unconnected(Wrapped(Cip(0x10, Class(0xF5, 1), [10, 0, 0, 2])))));
        yield return (0, Send(Stranger, Unconnected(Wrapped(Wrapped(Cip(0x0E, Class(1, 1), []))))));
        yield return (0, Send(Panel, Unconnected(Cip(0x0A, Class(2, 1), [2, 0, .. Noise(24, 3)]))));
        // A wrong length, an unknown command, too many items, an item and a path beyond the end.
        yield return (0, Send(Panel, [.. Encapsulated(0x6F, [0, 0, 0, 0, 0, 0, 2, 0]), 1, 2]));
        yield return (0, Send(Panel, Encapsulated(0x99, [])));
        yield return (0, Send(Panel, Encapsulated(0x6F, [0, 0, 0, 0, 0, 0, 0xFF, 0xFF, .. new byte[64]])));
        yield return (0, Send(Panel, Encapsulated(0x6F, [0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0xB2, 0, 0xF0, 0, 0x0E,
            2])));
        yield return (0, Send(Panel, Unconnected([0x0E, 200, 0x20, 1])));
        yield return (0, Send(Panel, [0x6F, 0, 4]));
        yield return (0, Send(Panel, []));
        for (var i = 0; i < 3; i++) yield return (i % 2, Background(i));
    }

    private static byte[] Low(int value) => [(byte)value, (byte)(value >> 8)];

    private static byte[] Encapsulated(int command, byte[] data) =>
        [.. Low(command), .. Low(data.Length), 0x12, 0x34, 0x56, 0x78, .. new byte[4], .. Text("emu-cell"),
            .. new byte[4], .. data];

    private static byte[] Unconnected(byte[] request) =>
        Encapsulated(0x6F, [0, 0, 0, 0, 10, 0, 2, 0, 0, 0, 0, 0, 0xB2, 0, .. Low(request.Length), .. request]);

    private static byte[] Connected(int count, byte[] request) =>
        Encapsulated(0x70, [0, 0, 0, 0, 0, 0, 2, 0, 0xA1, 0, 4, 0, 1, 0, 0xFE, 0x80, 0xB1, 0,
            .. Low(request.Length + 2), .. Low(count), .. request]);

    private static byte[] Cip(byte service, byte[] path, byte[] data) =>
        [service, (byte)(path.Length / 2), .. path, .. data];

    private static byte[] Class(byte number, byte instance) => [0x20, number, 0x24, instance];

    private static byte[] Symbol(string name) =>
        [0x91, (byte)name.Length, .. Text(name), .. new byte[name.Length & 1]];

    /// <summary>An Unconnected Send to the controller in slot 0 of the backplane.</summary>
    private static byte[] Wrapped(byte[] request) =>
        Cip(0x52, Class(6, 1), [7, 0xE9, .. Low(request.Length), .. request, .. new byte[request.Length & 1], 1, 0, 1,
            0]);

    private static byte[] Send(string source, byte[] content) =>
        Link.IPv4(IP(source), IP(Controller)).Tcp(50000, 44818, 1, 1, Packet.Ack | Packet.Psh).Payload(content)
            .PaddedTo(60);
}
