using System.CommandLine;
using System.Text.Json;
using Emu.Hosting;

namespace Emu.Tool;

/// <summary><c>emu list</c></summary>
internal static class ListVerb
{
    public static Command Create()
    {
        var json = new Option<bool>("--json") { Description = "Print a JSON array of name, summary and arguments" };
        var verb = new Command("list", "List the services, with one line each. Example: ./emu list") { json };
        verb.SetAction(parsed => List(parsed.GetValue(json)));
        return verb;
    }

    private static void List(bool asJson)
    {
        var services = ServiceCatalog.All().Select(type => (type.Name, Arguments: new ServiceArguments(type))).ToList();
        if (asJson)
        {
            var rows = services.Select(s => new
            {
                name = s.Name,
                summary = s.Arguments.Summary,
                arguments = s.Arguments.Parameters.Select(p => p.Option),
            });
            Console.WriteLine(JsonSerializer.Serialize(rows));
            return;
        }
        foreach (var (name, arguments) in services) Console.WriteLine($"{name,-16} {arguments.Summary}");
    }
}
