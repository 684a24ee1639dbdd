namespace Emu;

/// <summary>
/// Marks a method whose work is one operation of the compiler, for which hardware has a unit of its own: a sum over the
/// whole frame while it comes in, say. .NET runs the method's body, which may be written for speed in ways that do not
/// compile; the compiler takes the operation, so the body must do the same on all arguments.
/// </summary>
/// <param name="operation">The operation, which says what the method takes and gives.</param>
[AttributeUsage(AttributeTargets.Method)]
public sealed class IntrinsicAttribute(IntrinsicOperation operation) : Attribute
{
    /// <summary>The operation that the compiler takes instead of the method's body.</summary>
    public IntrinsicOperation Operation { get; } = operation;
}
