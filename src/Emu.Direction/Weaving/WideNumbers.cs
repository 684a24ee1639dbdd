using System.Reflection;
using Mono.Cecil;
using Mono.Cecil.Cil;

namespace Emu.Direction.Weaving;

/// <summary>The conversions between numbers and the <see cref="UInt128"/> that holds their bits.</summary>
internal static class WideNumbers
{
    /// <summary>The conversion from a number without sign.</summary>
    public static MethodInfo From(Type type) => typeof(UInt128).GetMethod("op_Implicit", [type])!;

    /// <summary>The conversion to 64 bits, the low ones.</summary>
    public static MethodInfo ToUInt64 { get; } = typeof(UInt128).GetMethods()
        .Single(method => method.Name == "op_Explicit" && method.ReturnType == typeof(ulong)
            && method.GetParameters()[0].ParameterType == typeof(UInt128));

    /// <summary>The type without sign of the same width, and the instruction that converts to it.</summary>
    public static (Type Type, OpCode Conversion) Unsigned(MetadataType type) => type switch
    {
        MetadataType.Boolean or MetadataType.Byte or MetadataType.SByte => (typeof(byte), OpCodes.Conv_U1),
        MetadataType.UInt16 or MetadataType.Char or MetadataType.Int16 => (typeof(ushort), OpCodes.Conv_U2),
        MetadataType.UInt32 or MetadataType.Int32 => (typeof(uint), OpCodes.Conv_U4),
        _ => (typeof(ulong), OpCodes.Conv_U8),
    };
}
