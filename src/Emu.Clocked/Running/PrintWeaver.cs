using System.Diagnostics;
using Mono.Cecil;
using Mono.Cecil.Cil;

namespace Emu.Clocked;

/// <summary>
/// Rewrites what a program prints, and its assertions, so that they belong to the cycle of the run: calls of
/// <see cref="Console"/>, <see cref="Debug"/> and <see cref="Trace"/> become calls of <see cref="ProgramText"/>.
/// </summary>
internal static class PrintWeaver
{
    private static readonly string[] s_classes =
        [typeof(Console).FullName!, typeof(Debug).FullName!, typeof(Trace).FullName!];

    /// <summary>Rewrites a program; false where it prints nothing.</summary>
    public static bool Weave(ModuleDefinition module)
    {
        var calls = module.GetTypes().SelectMany(type => type.Methods).Where(method => method.HasBody)
            .SelectMany(method => method.Body.Instructions.Select(call => (method, call)))
            .Where(found => found.call.Operand is MethodReference called
                && s_classes.Contains(called.DeclaringType.FullName)).ToList();
        var isWoven = false;
        foreach (var (method, call) in calls) isWoven |= Weave(module, method, call);
        return isWoven;
    }

    private static bool Weave(ModuleDefinition module, MethodDefinition method, Instruction call)
    {
        var called = (MethodReference)call.Operand;
        var isAssertion = called.Name is nameof(ProgramText.Assert) or nameof(ProgramText.Fail);
        string[] parameters =
        [
            .. called.Parameters.Select(parameter => parameter.ParameterType.FullName),
            .. isAssertion ? [typeof(string).FullName!] : Array.Empty<string>(),
        ];
        var ours = typeof(ProgramText).GetMethods().Select(module.ImportReference).FirstOrDefault(candidate =>
            candidate.Name == called.Name
            && candidate.Parameters.Select(parameter => parameter.ParameterType.FullName).SequenceEqual(parameters));
        if (ours is null) return false;
        call.Operand = ours;
        if (!isAssertion) return true;
        // Jumps to the call, if there are any, are to what stands there now.
        var place = Instruction.Create(call.OpCode, ours);
        (call.OpCode, call.Operand) = (OpCodes.Ldstr, PlaceOf(method, call));
        method.Body.Instructions.Insert(method.Body.Instructions.IndexOf(call) + 1, place);
        return true;
    }

    /// <summary>The file and the line; the method where these are not known.</summary>
    private static string PlaceOf(MethodDefinition method, Instruction call)
    {
        var line = method.DebugInformation.SequencePoints
            .LastOrDefault(point => !point.IsHidden && point.Offset <= call.Offset);
        return line is null
            ? $"{method.DeclaringType.Name}.{method.Name}"
            : $"{Path.GetFileName(line.Document.Url)}:{line.StartLine}";
    }
}
