using System.ComponentModel.DataAnnotations;

namespace Emu.Hosting.Tests;

/// <summary>Settings of a service as options of the command line, and the values that they take.</summary>
public sealed class ServiceSettingsTests
{
    public sealed class Sizes
    {
        [PowerOfTwo(4, 64, OrZero = true)]
        public int Entries { get; init; } = 16;

        public string[] Name { get; init; } = ["none"];

        // No option: it is not to be set.
        public int Words => Entries * 2;
    }

    public sealed class Sized([Range(1, 32)] int prefix = 24, Sizes? sizes = null) : Service
    {
        public int Prefix => prefix;

        public Sizes Sizes => sizes!;

        public override void Process(ref Frame frame) => frame.Drop();
    }

    private static readonly ServiceArguments s_arguments = new(typeof(Sized));

    [Fact]
    public void Each_setting_is_an_option_with_its_default_and_its_range() =>
        Assert.Equal(
            [
                "--prefix N: (1 to 32) [default: 24]",
                "--entries N: (a power of two, 4 to 64, or 0) [default: 16]",
                "--name TEXT: (may be repeated)",
            ],
            s_arguments.Parameters.Select(p => $"{p.Form}: {p.Text}"));

    [Fact]
    public void They_reach_the_constructor()
    {
        var service =
            (Sized)s_arguments.Construct(["--entries", "0x20", "--prefix", "8", "--name", "a", "--name", "b"]);
        Assert.Equal((8, 32), (service.Prefix, service.Sizes.Entries));
        Assert.Equal(["a", "b"], service.Sizes.Name);
        var plain = (Sized)s_arguments.Construct([]);
        Assert.Equal((24, 16), (plain.Prefix, plain.Sizes.Entries));
        Assert.Equal(["none"], plain.Sizes.Name);
        Assert.Equal(0, ((Sized)s_arguments.Construct(["--entries", "0"])).Sizes.Entries);
    }

    [Theory]
    [InlineData("--prefix", "33", "1 to 32")]
    [InlineData("--prefix", "0", "1 to 32")]
    [InlineData("--entries", "24", "a power of two, 4 to 64, or 0")]
    [InlineData("--entries", "128", "a power of two, 4 to 64, or 0")]
    [InlineData("--entries", "-4", "a power of two, 4 to 64, or 0")]
    public void What_is_out_of_range_is_refused_with_the_range(string option, string value, string range)
    {
        var refused = Assert.Throws<CommandException>(() => s_arguments.Construct([option, value]));
        Assert.Equal($"{option}: '{value}' is out of range: {range}", refused.Message);
    }
}
