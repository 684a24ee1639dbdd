namespace Emu.Hosting;

/// <summary>The impairments of frames on a bad link. Probabilities are for each frame by itself, from 0 to 1.</summary>
public sealed record Impairments
{
    /// <summary>The syntax of impairments.</summary>
    public const string Forms = "loss=0.01,duplicate=0.01,reorder=0.01,corrupt=0.01,delay=MS,jitter=MS,seed=N";

    /// <summary>The probability that a frame is lost.</summary>
    public double Loss { get; init; }

    /// <summary>The probability that a frame arrives twice.</summary>
    public double Duplicate { get; init; }

    /// <summary>The probability that a frame is overtaken by the one behind it.</summary>
    public double Reorder { get; init; }

    /// <summary>The probability that one bit of a frame is inverted, each bit being as likely.</summary>
    public double Corrupt { get; init; }

    /// <summary>Nanoseconds by which every frame is late.</summary>
    public ulong Delay { get; init; }

    /// <summary>
    /// The most nanoseconds that come on top of <see cref="Delay"/>, evenly spread.
    /// Frames may overtake each other by it.
    /// </summary>
    public ulong Jitter { get; init; }

    /// <summary>Names the sequence of random draws.</summary>
    public ulong Seed { get; init; }

    /// <summary>
    /// Reads a list such as <c>loss=0.01,delay=5</c>: probabilities from 0 to 1, times in milliseconds.
    /// </summary>
    /// <exception cref="CommandException">A name is unknown or a value is no number in its range.</exception>
    public static Impairments Parse(string text)
    {
        var impairments = text.Split(',').Aggregate(new Impairments(), (soFar, item) => soFar.With(item));
        impairments.Validate();
        return impairments;
    }

    private Impairments With(string item)
    {
        if (item.Split('=') is not [var name, var text] || !double.TryParse(text, out var value) || !(value >= 0))
            throw CommandException.Usage($"'{item}' is no impairment; write them as {Forms}");
        return name switch
        {
            "loss" => this with { Loss = value },
            "duplicate" => this with { Duplicate = value },
            "reorder" => this with { Reorder = value },
            "corrupt" => this with { Corrupt = value },
            "delay" => this with { Delay = Milliseconds(value) },
            "jitter" => this with { Jitter = Milliseconds(value) },
            "seed" => this with { Seed = (ulong)value },
            _ => throw CommandException.Usage($"'{name}' is no impairment; write them as {Forms}"),
        };
    }

    private static ulong Milliseconds(double value) => (ulong)(value * 1e6);

    /// <summary>Throws when a value is outside its range.</summary>
    /// <exception cref="CommandException">A probability is not from 0 to 1, or a time is a day or longer.</exception>
    internal void Validate()
    {
        const ulong Day = 86_400 * HostClock.NanosecondsPerSecond;
        ReadOnlySpan<(string Name, double Value)> probabilities =
        [
            ("loss", Loss), ("duplicate", Duplicate), ("reorder", Reorder), ("corrupt", Corrupt),
        ];
        foreach (var (name, value) in probabilities)
        {
            if (!(value is >= 0 and <= 1))
                throw CommandException.Usage($"{name}: {value} is no probability; take a number from 0 to 1");
        }
        if (Delay >= Day || Jitter >= Day) throw CommandException.Usage("delay and jitter must be shorter than a day");
    }
}
