namespace Emu;

/// <summary>
/// Marks a property that may be read from outside while a service runs: a value, or a block that is an
/// <see cref="IControlTable"/>. A read is an event between two frames, never during one.
/// </summary>
[AttributeUsage(AttributeTargets.Property)]
public sealed class ControlAttribute : Attribute;
