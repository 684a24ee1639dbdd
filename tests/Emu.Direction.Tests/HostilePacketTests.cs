using Emu.Direction.Directing;
using Emu.Direction.Packets;
using Emu.Protocols;
using Emu.Testing;

namespace Emu.Direction.Tests;

/// <summary>Packets of those who do not know the key, or have only heard packets of those who do.</summary>
public sealed class HostilePacketTests
{
    private const int Packets = 1_000_000;
    private const ulong Start = 1_700_000_000_000_000_000;
    private static readonly uint s_frames = DirectedVariable.HashOf("Frames[]");
    private static readonly uint s_mark = DirectedVariable.HashOf("Mark");

    private readonly DirectedCounter _service = new();
    private readonly ServiceRun _run;
    private readonly DirectorSession _director =
        new(DirectedCounter.Key, DirectedCounter.Address, new MacAddress(0x0200_0000_0001), 7);

    private ulong _time = Start;

    public HostilePacketTests() => _run = new ServiceRun(_service);

    [Fact]
    public void A_million_random_and_mutated_packets_change_nothing()
    {
        _director.Open(Ask(_director.Begin(Start)).Number);
        byte[][] heard =
        [
            _director.Write(s_mark, 0, 0x1234), _director.Write(s_frames, 2, 7), _director.Read(s_frames, 2),
            _director.Status(), _director.Describe(1, 0),
        ];
        foreach (var request in heard) Assert.Equal(DirectionStatus.Done, Ask(request).Status);
        var (done, refused) = (_service.Controller.Done.Value, _service.Controller.Refused.Value);
        var (random, replayed) = (new Random(1), 0ul);
        for (var i = 0; i < Packets; i++)
        {
            var heardOne = heard[random.Next(heard.Length)];
            var packet = random.Next(4) switch
            {
                0 => Random(random),
                1 => Mutated(random, heardOne),
                2 => heardOne[..(Ethernet.HeaderLength + random.Next(DirectionPacket.Length))],
                _ => [.. heardOne, .. new byte[random.Next(3)]], // as it was, perhaps with padding
            };
            var isReplay = packet.AsSpan().StartsWith(heardOne);
            if (isReplay) replayed++;
            var answers = _run.Receive(0, packet, _time += Controller.Spacing);
            Assert.Equal(isReplay ? 1 : 0, answers.Count);
        }
        // A replay is answered with its status, or with what the last answer was; it is done no second time.
        var again = _service.Controller.Done.Value - done;
        Assert.Equal(replayed, again + _service.Controller.Refused.Value - refused);
        Assert.Equal(Packets - replayed, _service.Controller.Unauthenticated.Value);
        Assert.Equal((UInt128)0x1234, Ask(_director.Read(s_mark, 0)).Value);
        Assert.Equal((UInt128)7, Ask(_director.Read(s_frames, 2)).Value);
        Assert.Equal((UInt128)0, Ask(_director.Read(s_frames, 0)).Value);
    }

    /// <summary>A packet of a form that the controller looks at, but for its tag.</summary>
    private static byte[] Random(Random random)
    {
        var packet = new byte[Ethernet.HeaderLength + random.Next(2 * DirectionPacket.Length)];
        random.NextBytes(packet);
        _ = new Ethernet(packet) { Destination = DirectedCounter.Address, EtherType = EtherType.LocalExperimental };
        if (random.Next(2) == 0 && DirectionPacket.TryParse(packet.AsSpan(Ethernet.HeaderLength), out var form))
        {
            (form.Version, form.Kind) = (DirectionPacket.CurrentVersion, (DirectionKind)random.Next(1, 6));
            (form.StatedLength, form.Session) = (DirectionPacket.Length, 7);
        }
        return packet;
    }

    /// <summary>A packet with some bits behind its Ethernet header flipped.</summary>
    private static byte[] Mutated(Random random, byte[] packet)
    {
        byte[] mutated = [.. packet];
        for (var flips = random.Next(1, 5); flips > 0 || mutated.AsSpan().SequenceEqual(packet); flips--)
            mutated[random.Next(Ethernet.HeaderLength, mutated.Length)] ^= (byte)(1 << random.Next(8));
        return mutated;
    }

    private DirectionReply Ask(byte[] request)
    {
        var sent = _run.Receive(0, request, _time += Controller.Spacing);
        return _director.Parse(Assert.Single(sent).Bytes) ?? throw new InvalidOperationException("no right reply");
    }
}
