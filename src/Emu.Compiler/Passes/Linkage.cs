using Emu.Compiler.IR;
using Emu.Compiler.Rewriting;

namespace Emu.Compiler.Passes;

/// <summary>
/// Leaves of procedures and of their arguments and results what is used: an argument that is one number in all calls is
/// that number (interprocedural constant propagation, Callahan, Cooper, Kennedy and Torczon 1986).
/// </summary>
internal static class Linkage
{
    public static void Run(Compilation compilation)
    {
        if (compilation.Procedures.Count == 0) return;
        var called = new HashSet<Function>();
        foreach (var function in compilation.Functions.Except(compilation.Procedures)) Reach(function, called);
        compilation.Procedures.RemoveAll(procedure => !called.Contains(procedure));
        var numbers = Numbers(compilation.Functions);
        foreach (var function in compilation.Functions)
        {
            Replace(function, numbers);
            DeadCode.Run(function);
        }
        var read = Accesses(compilation.Functions, Opcode.RegisterRead).Select(o => o.State[0]).ToHashSet();
        foreach (var block in compilation.Functions.SelectMany(function => function.Blocks()))
            block.Operations.RemoveAll(o => IsAccess(o, Opcode.RegisterWrite) && !read.Contains(o.State[0]));
        compilation.Functions.ToList().ForEach(DeadCode.Run);
    }

    private static void Reach(Function function, HashSet<Function> called)
    {
        foreach (var operation in function.Blocks().SelectMany(block => block.Operations))
            if (operation.Callee is { } callee && called.Add(callee)) Reach(callee, called);
    }

    /// <summary>The registers that only one number is ever written to; they are never read before.</summary>
    private static Dictionary<StateElement, Constant> Numbers(IReadOnlyList<Function> functions)
    {
        var numbers = new Dictionary<StateElement, Constant>(ReferenceEqualityComparer.Instance);
        foreach (var writes in Accesses(functions, Opcode.RegisterWrite).GroupBy(write => write.State[0]))
        {
            var first = writes.First().Operands[0];
            if (first is Constant number && writes.All(write => Constant.AreSame(write.Operands[0], number)))
                numbers[writes.Key] = number;
        }
        return numbers;
    }

    private static void Replace(Function function, Dictionary<StateElement, Constant> numbers)
    {
        var known = new Substitution();
        foreach (var operation in function.Blocks().SelectMany(block => block.Operations))
        {
            if (IsAccess(operation, Opcode.RegisterRead) && numbers.TryGetValue(operation.State[0], out var number))
                known.Add(operation, number);
        }
        known.Apply(function);
    }

    private static IEnumerable<Operation> Accesses(IReadOnlyList<Function> functions, Opcode opcode) =>
        functions.SelectMany(function => function.Blocks()).SelectMany(block => block.Operations)
            .Where(operation => IsAccess(operation, opcode));

    private static bool IsAccess(Operation operation, Opcode opcode) =>
        operation.Opcode == opcode && operation.State[0] is Register { IsTransient: true };
}
