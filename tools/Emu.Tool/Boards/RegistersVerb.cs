using System.CommandLine;
using System.Text.Json;
using Emu.Hosting;

namespace Emu.Tool;

/// <summary><c>emu registers</c></summary>
internal static class RegistersVerb
{
    private const string Ways = "sim, uio:DEVICE, pcie:ADDRESS";

    /// <summary>Makes the verb.</summary>
    public static Command Create()
    {
        var folder = new Argument<string>("dir")
        {
            Description = "A project that ./emu board has written",
            HelpName = "DIR",
        };
        var names = new Argument<string[]>("names")
        {
            Description = "Registers, a table's with an entry: Name[3]; all but tables' when none is named",
            HelpName = "NAME",
            Arity = ArgumentArity.ZeroOrMore,
        };
        var via = new Option<string>("--via")
        {
            Description = $"The way to the registers: {Ways}",
            HelpName = "WAY",
            Required = true,
        };
        var json = new Option<bool>("--json") { Description = "Print a JSON object" };
        var verb = new Command(
            "registers",
            "Read counters and tables of a service on a card by name. "
            + "Example: ./emu registers build/card frames_in --via pcie:0000:01:00.0")
        {
            folder, names, via, json,
        };
        verb.SetAction(parsed =>
        {
            var manifest = BoardManifest.Read(parsed.GetValue(folder)!);
            var queries = RegisterQuery.Of(manifest, parsed.GetValue(names) ?? []);
            List<RegisterAccess> accesses = [.. queries.SelectMany(query => query.Accesses(manifest))];
            var words = Read(parsed.GetValue(folder)!, manifest, parsed.GetValue(via)!, accesses);
            Print(queries, words, parsed.GetValue(json));
        });
        return verb;
    }

    private static IReadOnlyList<uint> Read(
        string folder, BoardManifest manifest, string via, IReadOnlyList<RegisterAccess> accesses)
    {
        if (via == "sim") return BoardSimulation.Read(folder, manifest, accesses);
        var (kind, device) = via.IndexOf(':') is > 0 and var colon ? (via[..colon], via[(colon + 1)..]) : (via, "");
        if (device == "" || kind is not ("uio" or "pcie"))
            throw CommandException.Usage($"--via: '{via}' is none of {Ways}");
        if (kind == "uio")
        {
            using var mapped = new MappedRegisters(device, 0);
            return mapped.Do(accesses);
        }
        var board = BoardCatalog.Find(manifest.Board);
        if (board.RegisterBar is not { } bar || board.RegisterOffset is not { } offset)
            throw CommandException.Failure(
                $"--via pcie: the place of the registers of {board.Name} behind its BARs is not known here; "
                + "its driver maps them, or a UIO driver: --via uio:DEVICE");
        using var window = new MappedRegisters($"/sys/bus/pci/devices/{device}/resource{bar}", offset);
        return window.Do(accesses);
    }

    private static void Print(IReadOnlyList<RegisterQuery> queries, IReadOnlyList<uint> words, bool asJson)
    {
        var values = new Dictionary<string, string>();
        var at = 0;
        foreach (var query in queries)
        {
            values[query.Name] = RegisterQuery.ValueOf(words.Skip(at).Take(query.Words.Count)).ToString();
            at += query.Words.Count;
        }
        if (asJson)
        {
            // Numbers of 64 bits and more are not safe in JSON: all are text.
            Console.Out.WriteLine(JsonSerializer.Serialize(values));
            return;
        }
        foreach (var (name, value) in values) Console.Out.WriteLine($"{name,-32} {value}");
    }
}
