using Mono.Cecil;

namespace Emu.Direction.Weaving;

/// <summary>A type on the evaluation stack (ECMA-335 III.1.1).</summary>
/// <param name="Name">The name of the kind; of a value type its own.</param>
internal readonly record struct StackKind(string Name)
{
    /// <summary>A number of up to 32 bits.</summary>
    public static StackKind Int32 { get; } = new("int32");

    /// <summary>A number of 64 bits.</summary>
    public static StackKind Int64 { get; } = new("int64");

    /// <summary>A number as wide as an address.</summary>
    public static StackKind NativeInt { get; } = new("native int");

    /// <summary>A number of floating point.</summary>
    public static StackKind Float { get; } = new("F");

    /// <summary>The address of a variable.</summary>
    public static StackKind Address { get; } = new("&");

    /// <summary>A reference to an object, or null.</summary>
    public static StackKind Reference { get; } = new("O");

    /// <summary>The kind of a value of a type.</summary>
    public static StackKind Of(TypeReference type) => type.MetadataType switch
    {
        MetadataType.Boolean or MetadataType.Char or MetadataType.SByte or MetadataType.Byte or MetadataType.Int16
            or MetadataType.UInt16 or MetadataType.Int32 or MetadataType.UInt32 => Int32,
        MetadataType.Int64 or MetadataType.UInt64 => Int64,
        MetadataType.IntPtr or MetadataType.UIntPtr or MetadataType.Pointer or MetadataType.FunctionPointer =>
            NativeInt,
        MetadataType.Single or MetadataType.Double => Float,
        MetadataType.ByReference => Address,
        MetadataType.RequiredModifier or MetadataType.OptionalModifier =>
            Of(((IModifierType)type).ElementType),
        MetadataType.ValueType when type.Resolve() is { IsEnum: true } => Of(LeafTypes.Underlying(type)),
        MetadataType.ValueType => new StackKind(type.FullName),
        MetadataType.GenericInstance when type.IsValueType => new StackKind(type.Resolve().FullName),
        MetadataType.Var or MetadataType.MVar => new StackKind(type.FullName),
        _ => Reference,
    };

    /// <summary>The kind of the handle of a member (ECMA-335 III.4.17).</summary>
    public static StackKind HandleOf(MemberReference member) => new(member switch
    {
        TypeReference => typeof(RuntimeTypeHandle).FullName!,
        FieldReference => typeof(RuntimeFieldHandle).FullName!,
        _ => typeof(RuntimeMethodHandle).FullName!,
    });

    /// <summary>True if a value of this kind can be where another is expected.</summary>
    public bool Fits(StackKind expected) =>
        this == expected || (this == Int32 && expected == NativeInt) || (this == NativeInt && expected == Int32)
        || (this == Address && expected == NativeInt);

    /// <inheritdoc/>
    public override string ToString() => Name;
}
