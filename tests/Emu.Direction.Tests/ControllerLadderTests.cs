using Emu.Direction.Directing;
using Emu.Direction.Packets;
using Emu.Testing;

namespace Emu.Direction.Tests;

/// <summary>A service with a controller does the same on every target, whatever direction packets come.</summary>
public sealed class ControllerLadderTests
{
    private const ulong Start = 1_700_000_000_000_000_000;

    [Fact]
    public void A_service_with_a_controller_holds_to_the_ladder() =>
        Ladder.Check(() => new DirectedCounter(), [.. Frames(300)], new LadderOptions { OutsideFrames = 100 });

    /// <summary>Sessions of any requests, some again or changed, between frames of the service.</summary>
    private static IEnumerable<IncomingFrame> Frames(int count)
    {
        var random = new Random(5);
        var (director, last, time) = (Director(0), new byte[60], Start);
        for (var i = 0; i < count; i++)
        {
            time += random.Next(4) == 0 ? 1000 : Controller.Spacing;
            var frame = i % 40 == 0 ? Begin(director = Director((uint)i), time) : random.Next(3) switch
            {
                0 => last = Request(director, random),
                1 => last,
                _ => new byte[60],
            };
            yield return new IncomingFrame(random.Next(4), random.Next(5) == 0 ? Changed(frame, random) : frame, time);
        }
    }

    private static byte[] Begin(DirectorSession director, ulong time)
    {
        var request = director.Begin(time);
        Assert.True(DirectionPacket.TryParse(request.AsSpan(14), out var packet));
        director.Open(packet.FreshBy(DirectedCounter.Key, DirectedCounter.BootCount, time));
        return request;
    }

    private static byte[] Request(DirectorSession director, Random random)
    {
        string[] names = ["Frames[]", "Mark", "A.name.of.more.than.one.part", "none"];
        var (name, index) = (DirectedVariable.HashOf(names[random.Next(4)]), (uint)random.Next(10));
        return random.Next(5) switch
        {
            0 => director.Status(),
            1 => director.Describe(index / 2, (uint)random.Next(4)),
            2 => director.Read(name, index),
            _ => director.Write(name, index, (UInt128)random.NextInt64() >> random.Next(64)),
        };
    }

    private static byte[] Changed(byte[] frame, Random random)
    {
        byte[] changed = [.. frame];
        changed[random.Next(changed.Length)] ^= (byte)random.Next(256);
        return random.Next(2) == 0 ? changed : changed[..random.Next(14, changed.Length)];
    }

    private static DirectorSession Director(uint number) =>
        new(DirectedCounter.Key, DirectedCounter.Address, new MacAddress(0x0200_0000_0001), number);
}
