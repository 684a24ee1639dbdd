using System.Text;

namespace Emu.Compiler.IR;

/// <summary>The IR as text: for people, snapshots and diagnostics.</summary>
public static class Printer
{
    /// <summary>The whole function.</summary>
    public static string Print(Function function)
    {
        ArgumentNullException.ThrowIfNull(function);
        function.Number();
        var text = new StringBuilder($"function {function.Name}\n");
        foreach (var block in function.Blocks())
        {
            text.Append($"b{block.Number}:");
            if (block.Predecessors.Count > 0)
                text.Append($"  from {string.Join(", ", block.Predecessors.Select(p => $"b{p.Number}"))}");
            text.Append('\n');
            foreach (var phi in block.Phis)
                text.Append($"    {Name(phi)}:{phi.Width} = phi {string.Join(", ", phi.Operands.Select(Name))}\n");
            foreach (var operation in block.Operations) text.Append($"    {Line(operation)}\n");
            text.Append($"    {Line(block.Terminator)}\n");
        }
        return text.ToString();
    }

    /// <summary>The text of a value where it is used.</summary>
    public static string Name(Value value) => value switch
    {
        Constant constant => $"{constant.Bits}:{constant.Width}",
        null => "?",
        _ => $"%{value.Number}",
    };

    private static string Line(Operation operation)
    {
        var operands = string.Join(", ", operation.Operands.Select(Name));
        var state = operation.State.Count == 0 ? "" : $" [{string.Join(" | ", operation.State.Select(s => s.Name))}]";
        var input = operation.Opcode == Opcode.Input ? $" {operation.Input}" : "";
        var result = operation.IsEffect ? "" : $"{Name(operation)}:{operation.Width} = ";
        return $"{result}{operation.Opcode}{input}{state} {operands}".TrimEnd();
    }

    private static string Line(Terminator? terminator) => terminator switch
    {
        Jump jump => $"jump b{jump.Target.Number}",
        Branch branch => $"branch {Name(branch.Condition)} ? b{branch.Then.Number} : b{branch.Else.Number}",
        Return end => $"return frame {Name(end.Start)}, length {Name(end.Length)}, egress {Name(end.Egress)}",
        Fault fault => $"fault {fault.Kind}",
        SideExit { Target: { } target } defer => $"defer to b{target.Number}: {defer.Reason}",
        SideExit defer => $"defer: {defer.Reason}",
        _ => "?",
    };
}
