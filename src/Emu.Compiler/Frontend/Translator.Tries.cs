using System.Reflection;
using Emu.Compiler.Diagnostics;
using Emu.Compiler.Metadata;

namespace Emu.Compiler.Frontend;

internal sealed partial class Translator
{
    /// <summary>A try block, as the statement that the C# compiler makes it of.</summary>
    private CompileException RefuseTry(MethodBase method, MethodCode code, ExceptionHandlingClause clause)
    {
        var before = Calls(code, 0, clause.TryOffset).LastOrDefault();
        var handler = Calls(code, clause.HandlerOffset, clause.HandlerOffset + clause.HandlerLength).ToList();
        var reason = clause.Flags != ExceptionHandlingClauseOptions.Finally
            ? $"{method.Name} catches exceptions; a fault ends the event, so test for what can go wrong before"
            : before?.Name == "GetEnumerator"
            ? $"foreach over {WaysOut.ShortName(before.DeclaringType!)} is a try block; "
                + (WaysOut.Find(before.DeclaringType!)?.Instead ?? "loop over a span or an array")
            : handler.Any(called => called.DeclaringType!.Namespace == typeof(Monitor).Namespace)
            ? $"lock is a try block; {WaysOut.Find(typeof(Monitor))!.Instead}"
            : handler.Any(called => called.Name == nameof(IDisposable.Dispose))
            ? "using is a try block; make the object in the constructor, and leave its disposal to the host"
            : $"{method.Name} has a finally block; nothing runs behind a fault, so write what it does at the end";
        return Refuse(DiagnosticNumber.TryBlock, reason);
    }

    private static IEnumerable<MethodBase> Calls(MethodCode code, int from, int to) => code.Instructions
        .Where(instruction => instruction.Offset >= from && instruction.Offset < to)
        .Select(instruction => instruction.Operand)
        .OfType<MethodBase>();
}
