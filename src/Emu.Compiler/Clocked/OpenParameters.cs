using System.Reflection;
using Emu.Clocked;
using Emu.Compiler.Diagnostics;
using Emu.Compiler.Metadata;

namespace Emu.Compiler.Clocked;

/// <summary>
/// Finds the parameters of a program that are parameters of its module: those whose number nothing was computed with
/// before the first pause, and without whose number the program still compiles. Of others the number is part of the
/// circuit.
/// </summary>
internal static class OpenParameters
{
    /// <summary>Compiles a program with as many open parameters as can be.</summary>
    /// <param name="program">Freshly loaded.</param>
    /// <param name="compile">Compiles a program that is freshly loaded, with the names of open parameters.</param>
    public static ClockedCircuit Compile(
        ClockedProgram program, Func<ClockedProgram, IReadOnlySet<string>, ClockedCircuit> compile)
    {
        if (program.Parameters.Count == 0) return compile(program, new HashSet<string>());
        var read = ReadByInitialisers(program.Entry.Module.Assembly);
        List<string> candidates =
            [.. program.Parameters.Where(parameter => !read.Contains(parameter.Field)).Select(p => p.Name)];
        if (Try(candidates) is { } all) return all;
        var circuit = compile(program.Again(), new HashSet<string>());
        var open = new List<string>();
        foreach (var candidate in candidates)
        {
            if (Try([.. open, candidate]) is not { } more) continue;
            circuit = more;
            open.Add(candidate);
        }
        return circuit;

        ClockedCircuit? Try(IEnumerable<string> names)
        {
            try
            {
                return compile(program.Again(), names.ToHashSet());
            }
            catch (CompileException)
            {
                return null;
            }
        }
    }

    /// <summary>The fields that initialisers of static fields read, or what these call.</summary>
    private static HashSet<FieldInfo> ReadByInitialisers(Assembly assembly)
    {
        var read = new HashSet<FieldInfo>();
        var seen = new HashSet<MethodBase>();
        var open = new Stack<MethodBase>(
            assembly.GetTypes().Where(type => !type.ContainsGenericParameters)
                .Select(type => type.TypeInitializer).OfType<MethodBase>());
        while (open.TryPop(out var method))
        {
            if (method.Module.Assembly != assembly || !seen.Add(method)) continue;
            foreach (var instruction in MethodCode.Of(method)?.Instructions ?? [])
            {
                if (instruction.Operand is MethodBase called) open.Push(called);
                if (instruction.Operand is FieldInfo field && instruction.Name is "ldsfld" or "ldsflda")
                    read.Add((FieldInfo)instruction.Operand!);
            }
        }
        return read;
    }
}
