using Emu.Compiler.IR;

namespace Emu.Compiler.Passes;

/// <summary>Drops what neither an effect nor the control flow uses.</summary>
internal static class DeadCode
{
    public static void Run(Function function)
    {
        var used = new NodeSet<Value>();
        var waiting = new Stack<Value>();
        var blocks = function.Blocks();

        void Use(Value value)
        {
            if (value is not Constant && used.Add(value)) waiting.Push(value);
        }

        foreach (var block in blocks)
        {
            foreach (var operation in block.Operations.Where(o => o.IsEffect)) Use(operation);
            foreach (var value in Verifier.UsedBy(block.Terminator)) Use(value);
        }
        while (waiting.TryPop(out var value))
        {
            foreach (var operand in value is Phi phi ? phi.Operands : ((Operation)value).Operands) Use(operand);
        }
        foreach (var block in blocks)
        {
            block.Phis.RemoveAll(phi => !used.Contains(phi));
            block.Operations.RemoveAll(operation => !used.Contains(operation));
        }
    }
}
