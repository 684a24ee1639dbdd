namespace Emu.Services;

/// <summary>Reads the rules that the command line gives.</summary>
internal static class GivenRules
{
    /// <summary>The rules of a file, changed by commands.</summary>
    /// <param name="family">The packets that they are for.</param>
    /// <param name="file">A file as iptables-save writes it; null for none.</param>
    /// <param name="commands">Commands as of iptables, done behind it in their order.</param>
    /// <param name="option">The option of the commands, for errors.</param>
    /// <exception cref="RuleException">The file cannot be read, or a rule is none.</exception>
    public static RuleSet Read(IPFamily family, string? file, string[] commands, string option)
    {
        var rules = new RuleSet(family);
        if (file is not null) rules.Restore(ReadFile(file), file);
        for (var i = 0; i < commands.Length; i++)
        {
            try
            {
                Console.Out.Write(rules.Execute(commands[i]));
            }
            catch (RuleException refused)
            {
                throw new RuleException($"{option} {i + 1}, '{commands[i]}'", refused);
            }
        }
        return rules;
    }

    /// <summary>A file; one that has no folder and is not in that of the user, beside the program.</summary>
    private static string ReadFile(string file)
    {
        var beside = Path.Combine(
            Path.GetDirectoryName(typeof(Filter).Assembly.Location) ?? "", Path.GetFileName(file));
        try
        {
            return File.ReadAllText(
                !File.Exists(file) && Path.GetFileName(file) == file && File.Exists(beside) ? beside : file);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new RuleException($"{file}: {e.Message}");
        }
    }
}
