namespace Emu;

/// <summary>
/// Marks a method that few frames get to, such as one that answers a neighbour solicitation. A circuit leaves a frame
/// to its slow path when such a method first writes something, which keeps its pipeline shorter and smaller for all
/// others; what is computed is the same.
/// </summary>
[AttributeUsage(AttributeTargets.Method | AttributeTargets.Constructor)]
public sealed class ColdAttribute : Attribute;
