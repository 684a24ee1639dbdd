namespace Emu.Services;

/// <summary>A command of the text protocol.</summary>
/// <param name="Operation">The operation.</param>
/// <param name="MinWords">The least number of words in its line.</param>
/// <param name="MaxWords">The greatest.</param>
/// <param name="FirstNumber">The first word that is a number.</param>
/// <param name="LastNumber">The last.</param>
/// <param name="ShowsUnique">True if it answers with the item's unique number.</param>
internal readonly record struct TextCommand(
    Operation Operation, ushort MinWords, ushort MaxWords, byte FirstNumber = 1, byte LastNumber = 0,
    bool ShowsUnique = false)
{
    /// <summary>True if <c>noreply</c> may end its line.</summary>
    public bool CanBeQuiet => MaxWords != TextCommands.Any;
}

/// <summary>The commands of the text protocol by their names.</summary>
internal sealed class TextCommands
{
    internal const ushort Any = ushort.MaxValue;

    private static readonly (string Name, TextCommand Command)[] s_commands =
    [
        ("get", new(Operation.Get, 2, Any)),
        ("gets", new(Operation.Get, 2, Any, ShowsUnique: true)),
        ("set", new(Operation.Set, 5, 6, 2, 4)),
        ("add", new(Operation.Add, 5, 6, 2, 4)),
        ("replace", new(Operation.Replace, 5, 6, 2, 4)),
        ("append", new(Operation.Append, 5, 6, 2, 4)),
        ("prepend", new(Operation.Prepend, 5, 6, 2, 4)),
        ("cas", new(Operation.Cas, 6, 7, 2, 5)),
        ("delete", new(Operation.Delete, 2, 4)),
        ("incr", new(Operation.Increment, 3, 4, 2, 2)),
        ("decr", new(Operation.Decrement, 3, 4, 2, 2)),
        ("touch", new(Operation.Touch, 3, 4, 2, 2)),
        ("gat", new(Operation.GetAndTouch, 2, Any, 1, 1)),
        ("gats", new(Operation.GetAndTouch, 2, Any, 1, 1, ShowsUnique: true)),
        ("flush_all", new(Operation.Flush, 1, 3, 1, 1)),
        ("version", new(Operation.Version, 1, Any)),
        ("verbosity", new(Operation.Verbosity, 2, 3, 1, 1)),
        ("stats", new(Operation.Statistics, 1, 1)),
        ("quit", new(Operation.Quit, 1, Any)),
    ];

    private readonly Texts _names = new([.. s_commands.Select(c => c.Name)]);
    private readonly TextCommand[] _commands = [.. s_commands.Select(c => c.Command)];

    /// <summary>The command of a name; of an unknown one, that of no operation.</summary>
    public TextCommand Find(ReadOnlySpan<byte> name)
    {
        for (var i = 0; i < _commands.Length; i++)
            if (name.SequenceEqual(_names[i])) return _commands[i];
        return default;
    }
}
