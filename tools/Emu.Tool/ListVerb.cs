using System.CommandLine;
using System.Text.Json;
using Emu.Hosting;

namespace Emu.Tool;

/// <summary><c>emu list</c></summary>
internal static class ListVerb
{
    public static Command Create()
    {
        var json = new Option<bool>("--json")
        {
            Description = "Print a JSON array of name, summary, arguments, and whether it is a sample",
        };
        const string Description = "List the services and samples, with one line each. Example: ./emu list";
        var verb = new Command("list", Description) { json };
        verb.SetAction(parsed => List(parsed.GetValue(json)));
        return verb;
    }

    private static void List(bool asJson)
    {
        if (asJson)
        {
            Console.WriteLine(JsonSerializer.Serialize(
                Rows(ServiceCatalog.All(), isSample: false).Concat(Rows(ServiceCatalog.Samples(), isSample: true))));
            return;
        }
        Print(ServiceCatalog.All());
        Console.WriteLine("\nsamples, a page each:");
        Print(ServiceCatalog.Samples());
    }

    private static IEnumerable<object> Rows(IEnumerable<Type> services, bool isSample) =>
        from service in services
        let arguments = new ServiceArguments(service)
        select new
        {
            name = service.Name,
            summary = arguments.Summary,
            arguments = arguments.Parameters.Select(p => p.Option),
            sample = isSample,
        };

    private static void Print(IEnumerable<Type> services)
    {
        foreach (var service in services)
            Console.WriteLine($"{service.Name,-16} {new ServiceArguments(service).Summary}");
    }
}
