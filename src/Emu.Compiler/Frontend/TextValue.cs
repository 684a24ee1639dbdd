using Emu.Compiler.IR;

namespace Emu.Compiler.Frontend;

/// <summary>Text that the clock level makes of numbers, to print it.</summary>
/// <param name="Parts">The parts, in order, each with its number; null for one that is always the same.</param>
internal sealed record TextValue(IReadOnlyList<(TextPart Part, Value? Number)> Parts) : AbstractValue;

/// <summary>An array of objects that exists at compile time only: the arguments of a format.</summary>
/// <param name="Items">The elements.</param>
internal sealed record ArgumentList(AbstractValue[] Items) : AbstractValue;
