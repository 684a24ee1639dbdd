using System.CommandLine;

namespace Emu.Tool;

/// <summary>
/// <c>emu construct</c>, which the command calls itself: whether a service can be constructed at all.
/// </summary>
internal static class ConstructVerb
{
    public const string Name = "construct";

    /// <summary>Makes the verb.</summary>
    /// <param name="serviceArguments">The command line behind <c>--</c>.</param>
    public static Command Create(string[] serviceArguments)
    {
        var service = new Argument<string>("service");
        var verb = new Command(Name) { service };
        verb.Hidden = true;
        verb.SetAction(parsed =>
        {
            var constructed = Construction.Call(ServiceCatalog.Find(parsed.GetValue(service)!), serviceArguments);
            _ = constructed.TickInterval; // the compiler asks for it
            Console.Out.WriteLine(Construction.Done);
        });
        return verb;
    }
}
