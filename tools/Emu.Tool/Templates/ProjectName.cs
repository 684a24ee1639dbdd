using System.Text.RegularExpressions;
using Emu.Hosting;
using Emu.Protocols;
using Emu.Testing;

namespace Emu.Tool;

/// <summary>A name that a class, a file and a project of a user's can have.</summary>
internal static partial class ProjectName
{
    /// <summary>Names that the files of a template use for something else.</summary>
    private static readonly string[] s_taken =
        ["Assert", "Blocks", "Emu", "Program", "Services", "System", "Tests", "Xunit"];

    /// <summary>Checks a name.</summary>
    /// <returns>The name.</returns>
    /// <exception cref="CommandException">It cannot be the name of a class, or is one of Emu's own.</exception>
    public static string Check(string name)
    {
        // A capital letter keeps it from being a keyword of C#, all of which are small.
        if (!Allowed().IsMatch(name))
            throw CommandException.Usage(
                $"new: '{name}' cannot be the name of a class here: letters, digits and underscores, "
                + "the first a capital letter, at most 60");
        if (s_taken.Contains(name) || Own().Any(type => type.Name == name))
            throw CommandException.Usage($"new: '{name}' is a name of Emu's or of .NET's own: take another, My{name}");
        return name;
    }

    private static IEnumerable<Type> Own() =>
        new[] { typeof(Service), typeof(Ethernet), typeof(Port), typeof(Packet) }
            .SelectMany(type => type.Assembly.GetExportedTypes());

    [GeneratedRegex("^[A-Z][A-Za-z0-9_]{0,59}$")]
    private static partial Regex Allowed();
}
