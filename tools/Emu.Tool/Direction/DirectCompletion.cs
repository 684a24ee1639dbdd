using Emu.Direction.Language;
using RadLine;

namespace Emu.Tool;

/// <summary>Completes a line of the prompt: a command of direction, or the word that ends it.</summary>
/// <param name="names">The names that a director gives, when they are asked for first.</param>
internal sealed class DirectCompletion(Func<IReadOnlyList<string>> names) : ITextCompletion
{
    /// <summary>Ends the prompt.</summary>
    public const string Quit = "quit";

    private readonly CommandCompletion _commands = new(names);

    /// <inheritdoc/>
    public IEnumerable<string> GetCompletions(string prefix, string word, string suffix) =>
        _commands.After(prefix, word)
            .Concat(prefix.Trim().Length == 0 && Quit.StartsWith(word, StringComparison.Ordinal) ? [Quit] : []);
}
