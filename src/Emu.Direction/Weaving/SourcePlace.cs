namespace Emu.Direction.Weaving;

/// <summary>A place in the source of a service.</summary>
/// <param name="Method">The name of the method.</param>
/// <param name="File">The path of the file where the assembly was built.</param>
/// <param name="Line">The line, from 1.</param>
/// <param name="Locals">The parameters and locals in scope, each behind the name of its method.</param>
public sealed record SourcePlace(string Method, string File, int Line, IReadOnlyList<string> Locals)
{
    /// <summary>The line as commands name it: <c>LearningSwitch.cs:51</c>.</summary>
    public string Name => $"{Path.GetFileName(File)}:{Line}";
}
