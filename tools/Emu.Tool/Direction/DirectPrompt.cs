using RadLine;

namespace Emu.Tool;

/// <summary>
/// The prompt of <c>emu direct</c>: lines that are typed, with Tab for what may come next, and the lines before by the
/// arrow keys.
/// </summary>
internal static class DirectPrompt
{
    /// <summary>The lines, until one says <c>quit</c> or the input ends.</summary>
    /// <param name="prompt">The text before each line.</param>
    /// <param name="names">The names that a director gives, when they are asked for first.</param>
    public static IEnumerable<string> Lines(string prompt, Func<IReadOnlyList<string>> names)
    {
        if (Console.IsInputRedirected || Console.IsOutputRedirected)
        {
            while (Console.In.ReadLine() is { } line && !IsQuit(line)) yield return line;
            yield break;
        }
        var editor = new LineEditor
        {
            Prompt = new LineEditorPrompt(prompt),
            Completion = new DirectCompletion(names),
        };
        editor.KeyBindings.Add<PreviousHistoryCommand>(ConsoleKey.UpArrow);
        editor.KeyBindings.Add<NextHistoryCommand>(ConsoleKey.DownArrow);
        while (editor.ReadLine(CancellationToken.None).GetAwaiter().GetResult() is { } line && !IsQuit(line))
        {
            if (line.Trim().Length > 0) editor.History.Add(line);
            yield return line;
        }
    }
    private static bool IsQuit(string line) => line.Trim() == DirectCompletion.Quit;
}
