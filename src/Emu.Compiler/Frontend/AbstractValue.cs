using System.Reflection;
using Emu.Compiler.IR;
using Emu.Compiler.Metadata;

namespace Emu.Compiler.Frontend;

/// <summary>
/// The abstract interpretation of a value: structure, references and spans are known while CIL is read, numbers are
/// values of the IR (Cousot and Cousot 1977).
/// </summary>
internal abstract record AbstractValue;

/// <summary>A number: in a variable as wide as its type, on the evaluation stack 32, 64 or 128 bits.</summary>
internal sealed record Scalar(Value Value) : AbstractValue;

/// <summary>An object of the live graph, or null; with a selector, the candidate with that index.</summary>
internal sealed record Reference(IReadOnlyList<object?> Candidates, Value? Selector = null) : AbstractValue
{
    public Reference(object? target)
        : this([target])
    {
    }

    /// <summary>The one object that it is; <see cref="IsKnown"/>.</summary>
    public object? Target => Candidates[0];

    public bool IsKnown => Candidates.Count == 1;

    /// <summary>The reference with other candidates under the same selector; known if they are all one.</summary>
    public Reference With(IReadOnlyList<object?> candidates) =>
        candidates.All(candidate => ReferenceEquals(candidate, candidates[0]))
            ? new Reference(candidates[0])
            : new Reference(candidates, Selector);
}

/// <summary>
/// A managed pointer; also an object that holds what a lambda captures, which exists at compile time only.
/// </summary>
internal sealed record Pointer(StorageLocation Target) : AbstractValue;

/// <summary>A span over bytes of the frame or elements of an array.</summary>
/// <param name="Array">The array; null for the frame, for a local array, and for the default span.</param>
/// <param name="IsDefault">True for the default span, of length 0, which lies over nothing.</param>
/// <param name="Start">The first byte or element, of width 32.</param>
/// <param name="Length">The length, of width 32.</param>
/// <param name="Local">The inline or local array; null for others.</param>
internal sealed record SpanValue(
    Reference? Array, bool IsDefault, Value Start, Value Length, LocalArray? Local = null) : AbstractValue
{
    /// <summary>True for a span over the frame, and for the default span.</summary>
    public bool IsOfFrame => Array is null && Local is null;

    public bool LiesOverSame(SpanValue other) =>
        Local is not null ? other.Local is not null && SsaBuilder.IsSame(Local.Location, other.Local.Location)
        : Array is null ? other.IsOfFrame
        : other.Array is not null && Array.Candidates.SequenceEqual(other.Array.Candidates)
                && Array.Selector == other.Array.Selector;

    /// <summary>True if an element of this span can be one of the other.</summary>
    public bool MayOverlap(SpanValue other) =>
        Local is not null ? other.Local is not null
        : Array is null ? other.IsOfFrame
        : other.Array is not null && Array.Candidates.Intersect(other.Array.Candidates).Any();
}

/// <summary>A struct, field by field in the order of its <see cref="StructShape"/>.</summary>
internal sealed record Struct(StructShape Shape, IReadOnlyList<AbstractValue> Fields) : AbstractValue;

/// <summary>A value in a box: only for a test of its type, for a comparison with null, and for flags.</summary>
internal sealed record Boxed(AbstractValue Value, Type Type) : AbstractValue;

/// <summary>A method whose address is taken, to make a delegate of it.</summary>
internal sealed record MethodPointer(MethodBase Method) : AbstractValue;

/// <summary>A delegate that is made while a frame is handled.</summary>
/// <param name="Method">The method that it calls.</param>
/// <param name="Receiver">The object that it calls the method on; null for a static method.</param>
internal sealed record DelegateValue(MethodBase Method, AbstractValue? Receiver) : AbstractValue;

/// <summary>Memory on the stack, before a span gives its elements a type.</summary>
/// <param name="Bytes">Its size.</param>
/// <param name="Offset">The byte in it that is meant.</param>
/// <param name="Contents">What is known of it, the same wherever it is meant.</param>
internal sealed record StackMemory(int Bytes, int Offset, StackContents Contents) : AbstractValue;

/// <summary>The contents of memory on the stack.</summary>
internal sealed class StackContents
{
    /// <summary>The address of data of the program that it was filled with; null for zeros.</summary>
    public AbstractValue? Data { get; set; }

    /// <summary>The elements, as soon as one is used.</summary>
    public LocalArray? Elements { get; set; }
}

/// <summary>Data of the program, of which the C# compiler makes spans.</summary>
internal sealed record DataPointer(FieldInfo Field) : AbstractValue;
