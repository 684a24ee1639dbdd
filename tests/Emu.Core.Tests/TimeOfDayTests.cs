namespace Emu.Core.Tests;

public sealed class TimeOfDayTests
{
    private const ulong Millisecond = 1_000_000, Day = 86_400_000 * Millisecond;

    [Theory]
    [InlineData(0UL, 0u)]
    [InlineData(Millisecond - 1, 0u)]
    [InlineData(Millisecond, 1u)]
    [InlineData(Day - 1, 86_399_999u)]
    [InlineData(Day, 0u)]
    [InlineData(1_700_000_000_123_456_789UL, 80_000_123u)] // 2023-11-14 22:13:20.123
    [InlineData(ulong.MaxValue, 84_873_709u)] // 2554-07-21 23:34:33.709
    public void Milliseconds_count_from_midnight(ulong time, uint milliseconds) =>
        Assert.Equal(milliseconds, TimeOfDay.Milliseconds(time));

    [Fact]
    public void Long_division_is_division()
    {
        var random = new SplitMix64(1);
        for (var i = 0; i < 10_000; i++)
        {
            var time = random.Next() >> i % 64;
            foreach (var near in new[]
            {
                time, time / Millisecond * Millisecond, time / Day * Day, time / Day * Day - 1,
            })
                Assert.Equal((uint)(near % Day / Millisecond), TimeOfDay.Milliseconds(near));
        }
    }
}
