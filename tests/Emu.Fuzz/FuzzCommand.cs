using System.CommandLine;

namespace Emu.Fuzz;

/// <summary>The program that <c>emu fuzz</c> runs.</summary>
internal static class FuzzCommand
{
    /// <summary>Runs random programs on every rung, until the time is over or there have been so many.</summary>
    /// <returns>0 when no program failed, 1 when one did, 2 when this was used wrongly.</returns>
    public static int Main(string[] args)
    {
        var minutes = new Option<double?>("--minutes");
        var programs = new Option<int?>("--programs");
        var frames = new Option<int>("--frames") { DefaultValueFactory = _ => 200 };
        var seed = new Option<ulong>("--seed") { DefaultValueFactory = _ => 1 };
        var outside = new Option<string?>("--outside");
        outside.AcceptOnlyFromAmong([.. OutsideSimulator.All.Keys]);
        var folder = new Option<string>("--folder") { DefaultValueFactory = _ => "fuzz" };
        var print = new Option<bool>("--print");
        var parsed = new RootCommand("Random programs on every rung.")
        {
                minutes, programs, frames, seed, outside, folder, print,
        }
            .Parse(args);
        if (parsed.Errors.Count > 0) return Refuse(parsed.Errors[0].Message);
        if (parsed.GetValue(print))
        {
            Console.Write(ProgramGenerator.Generate(parsed.GetValue(seed)));
            return 0;
        }

        var simulator = parsed.GetValue(outside) is { } name ? OutsideSimulator.All[name] : null;
        if (simulator?.WhyNot is { } whyNot) return Refuse(whyNot);
        var count = parsed.GetValue(programs);
        var time = parsed.GetValue(minutes) is { } limit ? TimeSpan.FromMinutes(limit)
            : count is null ? TimeSpan.FromMinutes(1)
            : TimeSpan.MaxValue;
        return new Campaign(parsed.GetValue(seed), parsed.GetValue(frames), simulator, parsed.GetValue(folder)!)
            .Run(time, count ?? int.MaxValue) == 0 ? 0 : 1;
    }

    private static int Refuse(string why)
    {
        Console.Error.WriteLine($"fuzz: {why}");
        return 2;
    }
}
