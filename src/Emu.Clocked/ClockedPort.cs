using System.Reflection;

namespace Emu.Clocked;

/// <summary>A port of a program: a static field with an attribute.</summary>
/// <param name="Name">The name in Verilog.</param>
/// <param name="Width">The number of bits.</param>
/// <param name="IsInput">True if the circuit reads it.</param>
/// <param name="Field">The field.</param>
public sealed record ClockedPort(string Name, int Width, bool IsInput, FieldInfo Field);
