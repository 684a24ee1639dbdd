using System.Reflection;
using System.Runtime.CompilerServices;
using Emu.Compiler.IR;
using Emu.Compiler.Metadata;
using Emu.Compiler.Refusals;

namespace Emu.Compiler.Frontend;

/// <summary>
/// Arrays that live in a method, <c>stackalloc</c> and inline arrays: each element is a value by itself (scalar
/// replacement of aggregates, Muchnick 1997 §12.2), so they are wires, not memories. An index that is computed chooses.
/// </summary>
internal sealed partial class Translator
{
    /// <summary>Memory on the stack; its size is a constant.</summary>
    private StackMemory Allocate(Value bytes)
    {
        if (bytes is not Constant { Bits: var size } || size > int.MaxValue)
            throw Refuse(Refusal.ComputedStackSize);
        return new StackMemory((int)size, 0, new StackContents());
    }

    /// <summary>The memory, some bytes further on.</summary>
    private StackMemory Advance(StackMemory memory, Value bytes) =>
        bytes is Constant { Bits: var count } && count <= (uint)memory.Bytes
            ? memory with { Offset = memory.Offset + (int)count }
            : throw RefuseAddress();

    /// <summary>Gives memory on the stack its first contents.</summary>
    private void Fill(StackMemory memory, AbstractValue data, Value bytes)
    {
        if (bytes is not Constant { Bits: var count } || count != (uint)memory.Bytes
            || memory is not { Offset: 0, Contents.Elements: null })
            throw RefuseAddress();
        memory.Contents.Data = data;
    }

    /// <summary>An element of memory on the stack that is written before there is a span over it.</summary>
    private StorageLocation ElementOf(StackMemory memory, Type type)
    {
        var elements = ElementsOf(memory, type);
        var size = SizeOf(type);
        if (memory.Offset % size != 0 || memory.Offset / size >= elements.Length) throw RefuseAddress();
        return elements.At(memory.Offset / size, elements.ElementType, []);
    }

    /// <summary>A span over memory on the stack, from its beginning.</summary>
    private SpanValue SpanOver(StackMemory memory, Type type, Value length)
    {
        var elements = ElementsOf(memory, type);
        if (memory.Offset != 0 || length is not Constant { Bits: var count } || count > (uint)elements.Length)
            throw RefuseAddress();
        return OverLocal(elements) with { Length = length };
    }

    /// <summary>The elements, made when the memory is used first. At first all bits are 0.</summary>
    private LocalArray ElementsOf(StackMemory memory, Type type)
    {
        if (memory.Contents.Elements is { } known)
            return Types.Width(known.ElementType) == Types.Width(type) ? known : throw RefuseAddress();
        var (slot, shape) = (new Slot("stackalloc"), StructShape.OfElements(type, memory.Bytes / SizeOf(type)));
        var data = memory.Contents.Data switch
        {
            null => null,
            DataPointer { Field: var field } => _state.Data(field, type),
            Pointer { Target: ElementLocation { Array.Target: Array array } } => array,
            _ => throw RefuseAddress(),
        };
        _builder.Write(slot, new Struct(shape, [
            .. shape.Parts.Select((part, i) =>
                data is null ? Storage.Default(type) : Storage.OfLive(data.GetValue(i), type)),
        ]));
        return memory.Contents.Elements = new LocalArray(new LocalLocation(slot, type, []), shape);
    }

    /// <summary>The bytes of a type in .NET's memory.</summary>
    private static int SizeOf(Type type) =>
        (int)typeof(Unsafe).GetMethod(nameof(Unsafe.SizeOf))!.MakeGenericMethod(type).Invoke(null, null)!;

    /// <summary>The inline array, or the one variable, that a pointer points to.</summary>
    private LocalArray ArrayAt(AbstractValue pointer)
    {
        if (pointer is not Pointer { Target: var target and not FrameLocation }) throw RefuseAddress();
        return new LocalArray(target, InlineArrays.LengthOf(target.Type) is null ? null : StructShape.Of(target.Type));
    }

    private static SpanValue OverLocal(LocalArray array) =>
        new(null, false, SsaBuilder.Constant(32, 0), SsaBuilder.Constant(32, (UInt128)array.Length), array);

    /// <summary>An element whose index has been checked.</summary>
    private static StorageLocation ElementOf(LocalArray array, Value index) =>
        index is Constant { Bits: var number } && number < (uint)array.Length
            ? array.At((int)number, array.ElementType, [])
            : new LocalElementLocation(array, index, array.ElementType, []);

    private static partial class Intrinsics
    {
        /// <summary>The helpers that the C# compiler calls for inline arrays.</summary>
        private static Dictionary<string, Intrinsic> LocalArrays()
        {
            const string Details = "<PrivateImplementationDetails>";
            Intrinsic first = (t, a, _) => new Pointer(ElementOf(t.ArrayAt(a[0]), SsaBuilder.Constant(32, 0)));
            Intrinsic element = (t, a, _) => new Pointer(ElementOf(t.ArrayAt(a[0]), Of(a[1])));
            Intrinsic span = (t, a, _) => OverLocal(t.ArrayAt(a[0])) with { Length = Of(a[1]) };
            return new Dictionary<string, Intrinsic>
            {
                ["System.ReadOnlySpan`1.GetPinnableReference/0"] = AddressOf,
                [$"{Details}.InlineArrayFirstElementRef/1"] = first,
                [$"{Details}.InlineArrayFirstElementRefReadOnly/1"] = first,
                [$"{Details}.InlineArrayElementRef/2"] = element,
                [$"{Details}.InlineArrayElementRefReadOnly/2"] = element,
                [$"{Details}.InlineArrayAsSpan/2"] = span,
                [$"{Details}.InlineArrayAsReadOnlySpan/2"] = span,
            };
        }

        /// <summary>The address of data of the program, to fill memory on the stack with.</summary>
        private static Pointer AddressOf(Translator translator, AbstractValue[] arguments, MethodBase method) =>
            This(translator, arguments) is { Array: { IsKnown: true, Target: Array array } } span
                && translator._state.IsStatic(array)
                ? new Pointer(At(translator._builder, span, SsaBuilder.Constant(32, 0)))
                : throw translator.RefuseMember(method);

        /// <summary>A span over a single variable, as C# makes of <c>[a]</c>.</summary>
        private static SpanValue OfVariable(Translator translator, AbstractValue pointer) =>
            OverLocal(new LocalArray(((Pointer)pointer).Target, null));
    }
}
