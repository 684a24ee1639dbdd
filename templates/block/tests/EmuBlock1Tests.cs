using Emu;
using Emu.Protocols;
using Emu.Testing;
using Xunit;

namespace Blocks.Tests;

public sealed class EmuBlock1Tests
{
    private const int Slots = 16;

    [Fact]
    public void It_does_what_a_plainer_one_does()
    {
        var (block, plain, random) = (new EmuBlock1(Slots), new Dictionary<uint, uint>(), new Random(1));
        for (var i = 0; i < 10_000; i++)
        {
            var key = (uint)random.Next(1, 64);
            var wasSeen = plain.TryGetValue(key % Slots, out var last) && last == key;
            plain[key % Slots] = key;
            Assert.Equal(wasSeen, block.Touch(key));
        }
    }

    [Fact]
    public void A_service_with_it_does_the_same_on_every_target() =>
        Ladder.Check(() => new RepeatedSources(), FrameSequence.Random(count: 300, seed: 1));
}

/// <summary>Sends on what comes from a station that has sent lately.</summary>
public sealed class RepeatedSources : Service
{
    private readonly EmuBlock1 _seen = new(16);

    /// <inheritdoc/>
    public override void Process(ref Frame frame)
    {
        if (_seen.Touch((uint)new Ethernet(frame).Source.Bits)) frame.Flood();
    }
}
