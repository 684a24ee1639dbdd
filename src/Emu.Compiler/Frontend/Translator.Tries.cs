using System.Reflection;
using Emu.Compiler.Diagnostics;
using Emu.Compiler.Metadata;
using Emu.Compiler.Refusals;

namespace Emu.Compiler.Frontend;

internal sealed partial class Translator
{
    /// <summary>A try block, as the statement that the C# compiler makes it of.</summary>
    private CompileException RefuseTry(MethodBase method, MethodCode code, ExceptionHandlingClause clause)
    {
        var before = Calls(code, 0, clause.TryOffset).LastOrDefault();
        var handler = Calls(code, clause.HandlerOffset, clause.HandlerOffset + clause.HandlerLength).ToList();
        return Refuse(
            clause.Flags != ExceptionHandlingClauseOptions.Finally ? Refusal.Catch(method.Name)
            : before?.Name == "GetEnumerator" ? Refusal.ForEach(MemberNames.Of(before.DeclaringType!))
            : handler.Any(called => called.DeclaringType!.Namespace == typeof(Monitor).Namespace) ? Refusal.Lock
            : handler.Any(called => called.Name == nameof(IDisposable.Dispose)) ? Refusal.Using
            : Refusal.Finally(method.Name));
    }

    private static IEnumerable<MethodBase> Calls(MethodCode code, int from, int to) => code.Instructions
        .Where(instruction => instruction.Offset >= from && instruction.Offset < to)
        .Select(instruction => instruction.Operand)
        .OfType<MethodBase>();
}
