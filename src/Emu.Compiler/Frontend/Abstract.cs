namespace Emu.Compiler;

/// <summary>What the front end knows of a value: structure, references and spans now, numbers as values of the IR.</summary>
internal abstract record Abstract;

/// <summary>A number: in a variable as wide as its type, on the evaluation stack 32, 64 or 128 bits.</summary>
internal sealed record Scalar(Value Value) : Abstract;

/// <summary>An object of the live graph, or null; with a selector, the candidate with that index.</summary>
internal sealed record Reference(IReadOnlyList<object?> Candidates, Value? Selector = null) : Abstract
{
    public Reference(object? target)
        : this([target])
    {
    }

    /// <summary>The one object that it is; <see cref="IsKnown"/>.</summary>
    public object? Target => Candidates[0];

    public bool IsKnown => Candidates.Count == 1;
}

/// <summary>A managed pointer.</summary>
internal sealed record Pointer(Place Place) : Abstract;

/// <summary>A span over bytes of the frame or elements of an array.</summary>
/// <param name="Array">The array; null for the frame, and for the default span.</param>
/// <param name="IsDefault">Whether it is the default span, of length 0, which lies over nothing.</param>
/// <param name="Start">Of width 32.</param>
/// <param name="Length">Of width 32.</param>
internal sealed record SpanValue(Reference? Array, bool IsDefault, Value Start, Value Length) : Abstract
{
    public bool LiesOverSame(SpanValue other) => Array is null ? other.Array is null : other.Array is not null && Array.Candidates.SequenceEqual(other.Array.Candidates) && Array.Selector == other.Array.Selector;
}

/// <summary>A struct, field by field in the order of its <see cref="StructShape"/>.</summary>
internal sealed record Struct(StructShape Shape, IReadOnlyList<Abstract> Fields) : Abstract;
