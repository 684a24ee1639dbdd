using System.Text;

namespace Emu.Compiler.IR;

/// <summary>
/// The IR as text: for people, snapshots and diagnostics. The text is the whole of it: <see cref="Reader"/> makes the
/// same functions of it again.
/// </summary>
public static class Printer
{
    /// <summary>A function, with the state that it uses.</summary>
    public static string Print(Function function) => Print([function]);

    /// <summary>Functions that share state: that state, the functions, the C# that they come from.</summary>
    public static string Print(IReadOnlyList<Function> functions)
    {
        ArgumentNullException.ThrowIfNull(functions);
        var (text, states, locations) = (new StringBuilder(), new StateNames(functions), new LocationTable());
        foreach (var element in states.All) text.Append($"{Declaration(element, states.Of(element))}\n");
        var folds = functions.SelectMany(f => f.Blocks()).SelectMany(b => b.Operations).Select(o => o.Fold)
            .OfType<FrameFold>().Distinct().ToList();
        foreach (var (number, fold) in folds.Index())
        {
            text.Append($"fold {number} bytes {fold.Bytes} bounds {fold.Bounds} invariants {fold.Invariants} ");
            text.Append($"found {fold.Found}{(fold.Words > 0 ? $" words {fold.Words}" : "")}");
            text.Append($"{(fold.IsWalk ? " walk" : "")}{(fold.HidesState ? " hidden" : "")}");
            text.Append($"{(fold.IsOverText ? " text" : "")}\n");
            Print(fold.Function, states, locations, folds, text);
        }
        foreach (var function in functions) Print(function, states, locations, folds, text);
        foreach (var (number, location) in locations.All.Index()) text.Append($"{locations.Line(number, location)}\n");
        return text.ToString();
    }

    /// <summary>The text of a value where it is used.</summary>
    public static string Name(Value value) => value switch
    {
        Constant constant => $"{constant.Bits}:{constant.Width}",
        null => "?",
        _ => $"%{value.Number}",
    };

    /// <summary>A name as it is, or in quotation marks where it is no single word.</summary>
    private static string Quoted(string name) => Tokens.IsWord(name) ? name : Text(name);

    private static string Text(string text) =>
        $"\"{text.Replace("\\", @"\\").Replace("\"", "\\\"").Replace("\n", "\\n")}\"";

    private static void Print(
        Function function, StateNames states, LocationTable locations, List<FrameFold> folds, StringBuilder text)
    {
        function.Number();
        text.Append($"function {Quoted(function.Name)}\n");
        foreach (var block in function.Blocks())
        {
            text.Append($"b{block.Number}:");
            if (block.Predecessors.Count > 0)
                text.Append($"  from {string.Join(", ", block.Predecessors.Select(p => $"b{p.Number}"))}");
            text.Append('\n');
            foreach (var phi in block.Phis)
            {
                var operands = string.Join(", ", phi.Operands.Select(Name));
                text.Append($"    {Name(phi)}:{phi.Width} = phi {operands}".TrimEnd()).Append('\n');
            }
            foreach (var operation in block.Operations)
                text.Append($"    {Line(operation, states, folds)}{locations.At(operation.Location)}\n");
            text.Append($"    {Line(block.Terminator, locations)}\n");
        }
    }

    private static string Declaration(StateElement element, string name) => element switch
    {
        Memory memory =>
            $"memory {name}: {memory.Width} x {memory.Depth} = {string.Join(", ", Runs(memory))}".TrimEnd(),
        VerilogCore core => $"core {name}: {core.Width} = module {core.Module}",
        Register register =>
            $"{(register.IsTransient ? "transient " : "")}register {name}: {register.Width} = {register.Reset}",
        _ => "?",
    };

    /// <summary>The contents of a memory; a number that stands in several elements in a row is told once.</summary>
    private static IEnumerable<string> Runs(Memory memory)
    {
        for (var i = 0; i < memory.Depth;)
        {
            var (start, bits) = (i, memory.Reset[i]);
            while (i < memory.Depth && memory.Reset[i] == bits) i++;
            yield return i - start == 1 ? $"{bits}" : $"{bits} * {i - start}";
        }
    }

    private static string Line(Operation operation, StateNames states, List<FrameFold> folds)
    {
        var operands = string.Join(", ", operation.Operands.Select(Name));
        var state = operation.State.Count == 0 ? "" : $" [{string.Join(" | ", operation.State.Select(states.Of))}]";
        var input = operation.Opcode == Opcode.Input ? $" {operation.Input}" : "";
        var fold = operation.Fold is null ? "" : $" fold {folds.IndexOf(operation.Fold)}";
        var callee = operation.Callee is null ? "" : $" {Quoted(operation.Callee.Name)}";
        var low = operation.Opcode == Opcode.Extract ? $" low {operation.Low}" : "";
        var hasResult = !operation.IsEffect || operation.Opcode == Opcode.CoreCall;
        var result = hasResult ? $"{Name(operation)}:{operation.Width} = " : "";
        return $"{result}{operation.Opcode}{input}{fold}{callee}{state} {operands}".TrimEnd() + low;
    }

    private static string Line(Terminator? terminator, LocationTable locations) => terminator switch
    {
        Jump jump => $"jump b{jump.Target.Number}",
        Branch branch => $"branch {Name(branch.Condition)} ? b{branch.Then.Number} : b{branch.Else.Number}",
        Return end => $"return frame {Name(end.Start)}, length {Name(end.Length)}, egress {Name(end.Egress)}",
        GoBack => "go-back",
        Yield turn => $"yield {Name(turn.IsLeft)} ? {string.Join(", ", turn.Values.Select(Name))}",
        Fault fault => $"fault {fault.Kind}{locations.At(fault.Location)}",
        Pause pause => $"pause b{pause.Target.Number}{locations.At(pause.Location)}",
        SideExit exit => $"side-exit {(exit.Target is { } target ? $"b{target.Number} " : "")}"
            + Text(exit.Reason) + locations.At(exit.Location),
        _ => "?",
    };

    /// <summary>Names of state that differ: those that C# gives twice are numbered.</summary>
    private sealed class StateNames
    {
        private readonly Dictionary<StateElement, string> _names = new(ReferenceEqualityComparer.Instance);

        public StateNames(IEnumerable<Function> functions)
        {
            var times = new Dictionary<string, int>();
            foreach (var element in functions.SelectMany(f => f.Blocks()).SelectMany(b => b.Operations)
                .SelectMany(o => o.State))
            {
                if (_names.ContainsKey(element)) continue;
                var number = times[element.Name] = times.GetValueOrDefault(element.Name) + 1;
                _names[element] = Quoted(element.Name) + (number > 1 ? $"#{number}" : "");
                All.Add(element);
            }
        }

        /// <summary>The state, in the order of its first use.</summary>
        public List<StateElement> All { get; } = [];

        public string Of(StateElement element) => _names[element];
    }

    /// <summary>The lines of C#, each once, a caller before the lines that it calls.</summary>
    private sealed class LocationTable
    {
        private readonly Dictionary<SourceLocation, int> _numbers = [];

        public List<SourceLocation> All { get; } = [];

        /// <summary>The reference to a line; empty where there is none.</summary>
        public string At(SourceLocation? location) => location is null ? "" : $" !{Number(location)}";

        public string Line(int number, SourceLocation location) =>
            $"!{number} = {(location.IsLibrary ? "library " : "")}{(location.IsCold ? "cold " : "")}"
            + (location.IsVaried ? "varied " : "")
            + $"{Text(location.Method)} in {Text(location.File)} line {location.Line}"
            + (location.Name is { } name ? $" named {Text(name)}" : "")
            + (location.Caller is { } caller ? $" from !{Number(caller)}" : "");

        private int Number(SourceLocation location)
        {
            if (_numbers.TryGetValue(location, out var known)) return known;
            if (location.Caller is { } caller) Number(caller);
            All.Add(location);
            return _numbers[location] = All.Count - 1;
        }
    }
}
