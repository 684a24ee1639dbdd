namespace Emu.Tool;

/// <summary>The C# that a report quotes, from where the assembly was built, if it is still there.</summary>
internal static class SourceText
{
    /// <summary>The lines of a file; none when it cannot be read.</summary>
    public static IReadOnlyList<string> Read(string file)
    {
        try
        {
            return File.Exists(file) ? File.ReadAllLines(file) : [];
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            return [];
        }
    }
}
