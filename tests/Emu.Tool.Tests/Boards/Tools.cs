namespace Emu.Tool.Tests.Boards;

/// <summary>Programs that a test needs.</summary>
internal static class Tools
{
    /// <summary>Skips the test where one is missing; CI has them all.</summary>
    public static void Need(params string[] programs)
    {
        var path = (Environment.GetEnvironmentVariable("PATH") ?? "").Split(':');
        var missing = programs.Where(p => !path.Any(f => File.Exists(Path.Combine(f, p)))).ToList();
        if (missing.Count > 0) Assert.Skip($"needs {string.Join(" and ", missing)}");
    }
}
