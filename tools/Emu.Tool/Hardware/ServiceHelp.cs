using Emu.Hosting;

namespace Emu.Tool;

/// <summary>
/// The help of the verbs that take a service: with a service's name on the command line, the service's arguments too.
/// </summary>
internal static class ServiceHelp
{
    /// <summary>The description of a verb.</summary>
    /// <param name="verb">Its name.</param>
    /// <param name="what">The purpose of the verb, with an example.</param>
    /// <param name="own">The command line before <c>--</c>.</param>
    public static string Description(string verb, string what, string[] own) =>
        own is [var first, var name, ..] && first == verb
        && !name.StartsWith('-') && own.Intersect(["--help", "-h", "-?"]).Any()
            ? $"{what}\n\n{RunCommand.Description(ServiceCatalog.Find(name))}"
            : what;
}
