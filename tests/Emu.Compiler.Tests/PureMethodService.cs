using System.Text;
using Microsoft.CodeAnalysis;

namespace Emu.Compiler.Tests;

/// <summary>
/// The C# of a service around a static method of numbers: its arguments come from the frame,
/// its result goes into the frame.
/// </summary>
internal static class PureMethodService
{
    /// <summary>
    /// The bytes of an argument and of the result: each is at the end of so many bytes, behind the Ethernet header.
    /// </summary>
    public const int SlotSize = 16;

    public static string Around(IMethodSymbol method)
    {
        var text = new StringBuilder($$"""

            namespace {{method.ContainingNamespace}}
            {
                public sealed class {{method.ContainingType.Name}}_{{method.Name}} : Service
                {
                    public override void Process(ref Frame frame)
                    {
                        frame.Reply();
                        var bytes = frame.Bytes;

            """);
        var offset = 14;
        foreach (var parameter in method.Parameters)
        {
            offset += SlotSize;
            text.AppendLine($"            var {parameter.Name} = {Read(parameter.Type, offset)};");
        }
        text.AppendLine(
            $"            var result_ = {method.ContainingType.Name}.{method.Name}("
            + $"{string.Join(", ", method.Parameters.Select(p => p.Name))});");
        text.AppendLine($"            {Write(method.ReturnType, offset)};");
        return text.Append("        }\n    }\n}\n").ToString();
    }

    private static string Read(ITypeSymbol type, int end)
    {
        var number = Underlying(type);
        return number.SpecialType switch
        {
            SpecialType.System_Boolean => $"(bytes[{end - 1}] & 1) != 0",
            SpecialType.System_Byte or SpecialType.System_SByte => $"({type})bytes[{end - 1}]",
            _ => $"({type})BinaryPrimitives.Read{NameOf(number)}BigEndian(bytes[{end - SizeOf(number)}..])",
        };
    }

    private static string Write(ITypeSymbol type, int offset)
    {
        var number = Underlying(type);
        return number.SpecialType switch
        {
            SpecialType.System_Boolean => $"bytes[{offset}] = (byte)(result_ ? 1 : 0)",
            SpecialType.System_Byte or SpecialType.System_SByte => $"bytes[{offset}] = (byte)result_",
            _ => $"BinaryPrimitives.Write{NameOf(number)}BigEndian(bytes[{offset}..], ({NameOf(number)})result_)",
        };
    }

    private static ITypeSymbol Underlying(ITypeSymbol type) =>
        type is INamedTypeSymbol { EnumUnderlyingType: { } underlying } ? underlying : type;

    private static string NameOf(ITypeSymbol number) => number.SpecialType switch
    {
        SpecialType.System_Char => "UInt16",
        SpecialType.System_IntPtr => "Int64",
        SpecialType.System_UIntPtr => "UInt64",
        _ => number.Name,
    };

    private static int SizeOf(ITypeSymbol number) => NameOf(number) switch
    {
        "Int16" or "UInt16" => 2,
        "Int32" or "UInt32" => 4,
        "Int64" or "UInt64" => 8,
        "Int128" or "UInt128" => 16,
        _ => throw new InvalidOperationException($"{number} is no type of a pure method's parameter or result"),
    };
}
