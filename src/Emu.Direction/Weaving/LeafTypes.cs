using Mono.Cecil;

namespace Emu.Direction.Weaving;

/// <summary>The types whose values are shown as a whole.</summary>
internal static class LeafTypes
{
    /// <summary>The kind and width of a number, a Boolean or an enumeration; null for any other type.</summary>
    public static (VariableKind Kind, int Width)? Of(TypeReference type) => type.MetadataType switch
    {
        MetadataType.Boolean => (VariableKind.Bool, 1),
        MetadataType.Byte => (VariableKind.Number, 8),
        MetadataType.UInt16 or MetadataType.Char => (VariableKind.Number, 16),
        MetadataType.UInt32 => (VariableKind.Number, 32),
        MetadataType.UInt64 => (VariableKind.Number, 64),
        MetadataType.SByte => (VariableKind.SignedNumber, 8),
        MetadataType.Int16 => (VariableKind.SignedNumber, 16),
        MetadataType.Int32 => (VariableKind.SignedNumber, 32),
        MetadataType.Int64 => (VariableKind.SignedNumber, 64),
        MetadataType.ValueType when type.FullName == typeof(UInt128).FullName => (VariableKind.Number, 128),
        MetadataType.ValueType when type.Resolve() is { IsEnum: true } definition => Of(Underlying(definition)),
        _ => null,
    };

    /// <summary>The kind and width of a struct of Emu that is shown as a whole; null for any other type.</summary>
    public static (VariableKind Kind, int Width)? KindOf(TypeReference type) => type.FullName switch
    {
        "Emu.MacAddress" => (VariableKind.MacAddress, MacAddress.Width),
        "Emu.IPv4Address" => (VariableKind.IPv4Address, IPv4Address.Width),
        "Emu.IPv6Address" => (VariableKind.IPv6Address, IPv6Address.Width),
        "Emu.PortSet" => (VariableKind.PortSet, 64),
        _ => null,
    };

    /// <summary>The number under an enumeration; of any other type the type itself.</summary>
    public static TypeReference Underlying(TypeReference type) =>
        type.Resolve() is { IsEnum: true } definition
            ? definition.Fields.First(field => !field.IsStatic).FieldType
            : type;
}
