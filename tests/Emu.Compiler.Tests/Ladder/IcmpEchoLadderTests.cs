using Emu.Services;
using Emu.Testing;
using static Emu.Compiler.Tests.LadderFrames;

namespace Emu.Compiler.Tests;

/// <summary><see cref="IcmpEcho"/> does the same on every rung of the ladder.</summary>
public sealed class IcmpEchoLadderTests
{
    private static readonly Subject s_service = new(() => new IcmpEcho(IP, Mac, IP6));

    [Fact]
    public void On_requests_of_every_kind_changed_at_random()
    {
        var samples = Requests().Concat(WithOptions()).Concat(ToEveryAddress()).ToList();
        var result = Check(
            s_service, FrameSequence.Like(samples, 1500),
            Options with { Outside = TierOptions.Large, OutsideFrames = 60 });
        Assert.InRange(result.Sent, 300, 1500);
        Assert.DoesNotContain(result.Skipped, s => s.StartsWith("the pipeline", StringComparison.Ordinal));
    }

    [Fact]
    public void On_every_option_and_every_address()
    {
        List<byte[]> frames = [.. WithOptions(), .. ToEveryAddress()];
        var result = Check(
            s_service, FrameSequence.Of(frames),
            Options with { Outside = TierOptions.Small, OutsideFrames = frames.Count });
        Assert.Equal(WithOptions().Length - 3 + ToEveryAddress().Length - 3, result.Sent);
    }

    [Fact]
    public void On_frames_of_every_kind()
    {
        var result = Check(
            s_service, FrameSequence.Random(1000), Options with { Outside = OutsideSimulators.None });
        Assert.InRange(result.Sent, 50, 1000);
    }
}
