using Mono.Cecil;
using Mono.Cecil.Cil;

namespace Emu.Clocked;

/// <summary>
/// Forbids a program with several threads that which weaving does not reach: a thread would see the writes of
/// another before the edge.
/// </summary>
internal static class SharedMemoryRules
{
    private static readonly HashSet<string> s_ofArrays =
        ["System.Array", "System.Buffer", "System.MemoryExtensions", "System.Span`1", "System.ReadOnlySpan`1"];

    private static readonly HashSet<string> s_harmless =
        ["get_Length", "get_LongLength", "get_Rank", "GetLength", "GetLowerBound", "GetUpperBound", "Empty"];

    /// <summary>Checks a program.</summary>
    /// <exception cref="ClockedException">It has a call that is not woven.</exception>
    public static void Check(IEnumerable<MethodDefinition> methods)
    {
        foreach (var method in methods)
        {
            if (method.Body.Instructions.Any(IsOnRows))
                throw Refuse(
                    $"{method.DeclaringType.Name}.{method.Name} uses an array of several dimensions",
                    "use one array, and index * width + column");
            if (method.Body.Instructions.FirstOrDefault(IsOnArray)?.Operand is MethodReference called)
                throw Refuse(
                    $"{method.DeclaringType.Name}.{method.Name} uses {called.DeclaringType.Name}.{called.Name} on an "
                    + "array", "use its elements, in a loop");
        }
    }

    private static bool IsOnRows(Instruction at) =>
        at.Operand is MethodReference { Name: not ".ctor", DeclaringType: ArrayType };

    private static bool IsOnArray(Instruction at) =>
        at.Operand is MethodReference called
        && s_ofArrays.Contains(called.DeclaringType.GetElementType().FullName)
        && !s_harmless.Contains(called.Name)
        && (called.DeclaringType.FullName == "System.Array" || called.Parameters.Any(IsArray));

    private static bool IsArray(ParameterDefinition parameter) =>
        parameter.ParameterType is ArrayType || parameter.ParameterType.FullName == "System.Array";

    private static ClockedException Refuse(string what, string instead) => new(
        ClockedException.Member,
        $"{what}, which threads of a program that has several would see before the edge; {instead}");
}
