using System.CommandLine;
using System.Text.Json;
using Emu.Hosting;

namespace Emu.Tool;

/// <summary><c>emu doctor</c></summary>
internal static class DoctorVerb
{
    /// <summary>Makes the verb.</summary>
    public static Command Create()
    {
        var verbs = new Argument<string[]>("verb")
        {
            Description = "Look only at what these verbs need; exit code 1 when something is missing for them",
            HelpName = "VERB",
            Arity = ArgumentArity.ZeroOrMore,
        };
        var json = new Option<bool>("--json")
        {
            Description = "Print a JSON array of name, verbs, what for, whether it is there, why not, and the remedy",
        };
        var doctor = new Command(
            "doctor",
            "Say what is here, what is missing for which verb, and how to get it. Nothing is installed. "
            + "Example: ./emu doctor simulate")
        {
            verbs, json,
        };
        doctor.SetAction(parsed => Look(parsed.GetValue(verbs) ?? [], parsed.GetValue(json)));
        return doctor;
    }

    private static int Look(string[] verbs, bool asJson)
    {
        if (verbs.FirstOrDefault(verb => !Requirements.Verbs.Contains(verb)) is { } unknown)
            throw CommandException.Usage(
                $"doctor: '{unknown}' is no verb that needs something: "
                + $"those are {string.Join(", ", Requirements.Verbs)}");
        var asked = Requirements.Look().Where(one => verbs.Length == 0 || one.Verbs.Intersect(verbs).Any()).ToList();
        if (asJson) Console.Out.WriteLine(JsonSerializer.Serialize(asked.Select(Row)));
        else Print(asked);
        return verbs.Length > 0 && asked.Any(one => one.Missing is not null) ? 1 : 0;
    }

    private static object Row(Requirement one) => new
    {
        name = one.Name,
        verbs = one.Verbs,
        @for = one.For,
        there = one.Missing is null,
        missing = one.Missing,
        remedy = one.Missing is null ? null : one.Remedy,
    };

    private static void Print(List<Requirement> asked)
    {
        foreach (var one in asked.Where(one => one.Missing is null)) Console.Out.WriteLine($"here     {one.Name}");
        foreach (var one in asked.Where(one => one.Missing is not null))
        {
            Console.Out.WriteLine($"missing  {one.Name}: {one.Missing}");
            Console.Out.WriteLine($"         for {string.Join(", ", one.Verbs)}: {one.For}");
            Console.Out.WriteLine($"         {one.Remedy}");
        }
        var missing = asked.Count(one => one.Missing is not null);
        Console.Out.WriteLine(
            missing == 0 ? "All that is needed is here." : $"{missing} of {asked.Count} are missing; the rest works.");
    }
}
