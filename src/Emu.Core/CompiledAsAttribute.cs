namespace Emu;

/// <summary>
/// Marks a method that is written for speed on .NET in a way that does not compile, and names the one that the compiler
/// takes in its place: of the same class and parameters, in the compilable subset, and equal to it on all arguments.
/// </summary>
/// <param name="method">The other's name.</param>
[AttributeUsage(AttributeTargets.Method)]
public sealed class CompiledAsAttribute(string method) : Attribute
{
    /// <summary>The name of the method that the compiler takes.</summary>
    public string Method { get; } = method;
}
