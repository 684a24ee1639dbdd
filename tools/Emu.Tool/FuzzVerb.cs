using System.CommandLine;

namespace Emu.Tool;

/// <summary><c>emu fuzz</c></summary>
internal static class FuzzVerb
{
    public static Command Create()
    {
        var minutes = new Option<double?>("--minutes")
        {
            Description = "For how long; 1 when neither this nor --programs is given",
            HelpName = "N",
        };
        var programs = new Option<int?>("--programs") { Description = "How many programs", HelpName = "N" };
        var frames =
            new Option<int?>("--frames") { Description = "How many frames a program gets (200)", HelpName = "N" };
        var seed = new Option<ulong?>("--seed") { Description = "The first seed (1)", HelpName = "S" };
        var outside = new Option<string?>("--outside")
        {
            Description = "In icarus or verilator, cycle by cycle beside the managed simulator",
            HelpName = "SIMULATOR",
        };
        outside.AcceptOnlyFromAmong("icarus", "verilator");
        var print = new Option<bool>("--print") { Description = "Print the program of the seed, and run nothing" };
        var verb = new Command(
            "fuzz", "Random programs on .NET, as IR and as circuits. Example: ./emu fuzz --minutes 5")
        {
            minutes, programs, frames, seed, outside, print,
        };
        verb.SetAction(parsed =>
        {
            List<string> arguments = ["--folder", Path.Combine(Repository.Root, "build", "fuzz")];
            if (parsed.GetValue(minutes) is { } time) arguments.AddRange(["--minutes", $"{time}"]);
            if (parsed.GetValue(programs) is { } count) arguments.AddRange(["--programs", $"{count}"]);
            if (parsed.GetValue(frames) is { } each) arguments.AddRange(["--frames", $"{each}"]);
            if (parsed.GetValue(seed) is { } first) arguments.AddRange(["--seed", $"{first}"]);
            if (parsed.GetValue(outside) is { } simulator) arguments.AddRange(["--outside", simulator]);
            if (parsed.GetValue(print)) arguments.Add("--print");
            return Fuzz(arguments, parsed.GetValue(outside));
        });
        return verb;
    }

    private static int Fuzz(IReadOnlyList<string> arguments, string? outside)
    {
        if (outside is not null)
            Prerequisites.Install(outside == "icarus" ? Prerequisites.Icarus : Prerequisites.Verilator);
        return new RepositoryProgram("the fuzzer", "tests/Emu.Fuzz").Run(arguments);
    }
}
