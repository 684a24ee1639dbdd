using System.CommandLine;
using Emu.Direction.Weaving;

namespace Emu.Tool;

/// <summary>The options that bound what is woven: conditions, frames that wait, and how long a stop lasts.</summary>
internal sealed class DirectionLimits
{
    private readonly Option<int> _comparisons = Number(
        "--direct-terms", "Comparisons that a condition may have", "N", 0, WeaveOptions.MostComparisons,
        WeaveOptions.UsualComparisons);

    private readonly Option<int> _hold = Number(
        "--direct-hold", "Frames that wait while the service is stopped", "N", 1, WeaveOptions.MostHold,
        WeaveOptions.UsualHold);

    private readonly Option<int> _lease = Number(
        "--direct-lease", "Seconds after which a stop ends without a packet of its session", "S", 1,
        WeaveOptions.MostLeaseSeconds, WeaveOptions.UsualLeaseSeconds);

    /// <summary>Adds the options to a command.</summary>
    public void AddTo(Command command)
    {
        foreach (var option in new[] { _comparisons, _hold, _lease }) command.Options.Add(option);
    }

    /// <summary>True if a command line has one of them.</summary>
    public bool AreGiven(ParseResult parsed) =>
        new[] { _comparisons, _hold, _lease }.Any(option => parsed.GetResult(option) is { Implicit: false });

    /// <summary>The options with the limits of a command line.</summary>
    public WeaveOptions In(ParseResult parsed, WeaveOptions options) => options with
    {
        Comparisons = parsed.GetValue(_comparisons),
        Hold = parsed.GetValue(_hold),
        LeaseSeconds = parsed.GetValue(_lease),
    };

    private static Option<int> Number(string name, string description, string unit, int least, int most, int usual)
    {
        var option = new Option<int>(name)
        {
            Description = $"{description}, {least} to {most}",
            HelpName = unit,
            DefaultValueFactory = _ => usual,
        };
        option.Validators.Add(result =>
        {
            // What is no number at all, the parser says.
            if (result.Tokens is [var token] && int.TryParse(token.Value, out var number)
                && (number < least || number > most))
                result.AddError($"{name}: from {least} to {most}");
        });
        return option;
    }
}
