namespace Emu;

/// <summary>
/// Marks what may be called or read from outside while a service runs: a method, or a property (a value, or a table as a sequence of
/// entries). A call is an event between two frames, never during one.
/// </summary>
[AttributeUsage(AttributeTargets.Method | AttributeTargets.Property)]
public sealed class ControlAttribute : Attribute;
