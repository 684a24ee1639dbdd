using Emu.Compiler.Devices;
using Emu.Compiler.Layouts;

namespace Emu.Compiler.Tests;

/// <summary>Families of devices are data, and the budget of a cycle follows from them and the clock.</summary>
public sealed class DeviceTests
{
    public static TheoryData<string> Names => [.. Device.Names];

    [Fact]
    public void The_families_are_those_that_there_are_files_of() =>
        Assert.Equal(["7series", "ultrascaleplus"], Device.Names);

    [Fact]
    public void A_family_without_a_file_is_refused() => Assert.Throws<ArgumentException>(() => Device.Of("8series"));

    [Theory]
    [MemberData(nameof(Names))]
    public void A_family_has_the_name_of_its_file(string name)
    {
        var device = Device.Of(name);
        Assert.Equal(name, device.Name);
        Assert.True(device.Delays is { Lut: > 0, CarryCell: > 0, Carry: > 0, ClockToOutput: > 0, Routing: >= 0 });
        Assert.True(device.Delays.CarryCell < device.Level, "a carry passes no wiring");
    }

    [Theory]
    [MemberData(nameof(Names))]
    public void A_faster_clock_has_time_for_less(string name)
    {
        var device = Device.Of(name);
        int[] clocks = [50, 100, 200, 322, 450];
        foreach (var (slow, fast) in clocks.Zip(clocks[1..]))
        {
            Assert.True(device.LogicTime(fast) < device.LogicTime(slow));
            Assert.True(device.LevelsIn(fast) < device.LevelsIn(slow));
        }
    }

    [Theory]
    [MemberData(nameof(Names))]
    public void The_clock_that_is_left_to_a_path_has_time_for_it(string name)
    {
        var device = Device.Of(name);
        foreach (var picoseconds in new[] { 500.0, 3000, 12_345 })
        {
            var clock = device.ClockFor(picoseconds);
            Assert.True(device.LogicTime(clock) >= picoseconds);
            Assert.True(device.LogicTime(clock + 1) < picoseconds);
        }
    }

    [Fact]
    public void The_faster_family_has_its_factor_in_all_delays()
    {
        var (slow, fast) = (Device.Default, Device.Of("ultrascaleplus"));
        var factor = fast.Level / slow.Level;
        Assert.InRange(factor, 0.3, 0.9);
        foreach (var property in typeof(DeviceDelays).GetProperties().Where(p => p.PropertyType == typeof(double)))
        {
            var (before, after) = ((double)property.GetValue(slow.Delays)!, (double)property.GetValue(fast.Delays)!);
            Assert.Equal(factor * before, after, 6);
        }
        Assert.True(fast.LevelsIn(200) > slow.LevelsIn(200));
    }

    [Fact]
    public void The_default_has_time_for_eleven_levels() => Assert.Equal(11, new HardwareOptions().Levels);
}
