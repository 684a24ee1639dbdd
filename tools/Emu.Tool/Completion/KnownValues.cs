using System.CommandLine;
using System.CommandLine.Completions;
using Emu.Compiler.Devices;

namespace Emu.Tool;

/// <summary>Values that a shell completes, by the name that help gives to the value of an argument or option.</summary>
internal static class KnownValues
{
    private static readonly Dictionary<string, Func<IEnumerable<string>>> s_values = new()
    {
        ["SERVICE"] = () => ServiceCatalog.All().Concat(ServiceCatalog.Samples()).Select(type => type.Name),
        ["BOARD"] = () => BoardCatalog.All.Select(board => board.Name),
        ["DEVICE"] = () => Device.Names,
        ["TEMPLATE"] = () => ProjectTemplate.Names,
        ["SIMULATOR"] = () => Simulators.Names,
        ["VERB"] = () => Requirements.Verbs,
        ["SHELL"] = () => ["bash", "zsh", "fish"],
    };

    /// <summary>Adds them to a command and to all below it.</summary>
    public static void AddTo(Command command)
    {
        foreach (var argument in command.Arguments) Add(argument.HelpName, argument.CompletionSources);
        foreach (var option in command.Options) Add(option.HelpName, option.CompletionSources);
        foreach (var below in command.Subcommands) AddTo(below);
    }

    private static void Add(string? name, List<Func<CompletionContext, IEnumerable<CompletionItem>>> sources)
    {
        if (name is null || !s_values.TryGetValue(name, out var values)) return;
        sources.Add(context => values()
            .Where(value => value.StartsWith(context.WordToComplete, StringComparison.OrdinalIgnoreCase))
            .Select(value => new CompletionItem(value)));
    }
}
