using Emu.Compiler.IR;
using Emu.Compiler.Reports;
using Emu.Compiler.Rtl;
using Emu.Compiler.Units;

namespace Emu.Compiler.Engines;

/// <summary>
/// The methods of which an engine is to have one copy, by what the copies take in an engine that has one for each call.
/// </summary>
/// <remarks>
/// Each call costs choices of arguments, and two cycles or so when it is made. So the method is taken that saves most
/// for each of its calls: of a hash, a word and a round that is the hash. Then again, as if it were there once.
/// </remarks>
internal sealed class CallSharing
{
    /// <summary>The LUTs that are to be saved for each call of a method, and by a method.</summary>
    private const int LeastPerCall = 150, LeastSaved = 1000;

    /// <summary>The LUTs that the engine with shared calls may have, of a hundred of the other.</summary>
    private const int MostPercent = 90;

    private readonly Dictionary<SourceLocation, double> _luts = [];
    private readonly HashSet<string> _chosen = [];
    private readonly double _lutsOfAll;

    private CallSharing(Design design, IEnumerable<IDesignItem> items)
    {
        var operations = Operations(items);
        // An estimate takes as long as much of the circuit; most programs call no method twice that may save enough.
        Count(operations, MostLutsOf);
        if (Best() is null) return;
        var logic = new LogicEstimate(design);
        _lutsOfAll = LutsOf(design, logic);
        _luts.Clear();
        Count(operations, logic.LutsOf);
        while (Best() is { } method) Share(method);
    }

    /// <summary>The methods, by type and name; none where they would save little.</summary>
    public IReadOnlySet<string> Methods => _chosen;

    /// <summary>Chooses among the methods of an engine.</summary>
    /// <param name="design">An engine in which every call is in its place.</param>
    public static CallSharing In(Design design) => new(design, Items(design));

    /// <summary>Chooses among the methods of a slow path.</summary>
    /// <param name="design">A pipeline with a slow path, in which every call is in its place.</param>
    public static CallSharing InSlowPath(Design design) => new(
        design,
        design.Sections.Where(section => EngineProgram.IsIn(section) || FrameMemory.IsIn(section))
            .SelectMany(section => section.Items));

    /// <summary>True if the same with shared calls is clearly smaller.</summary>
    public bool Pays(Design shared) => 100 * LutsOf(shared, new LogicEstimate(shared)) <= MostPercent * _lutsOfAll;

    private void Count(IEnumerable<Operation> operations, Func<Operation, double> lutsOf)
    {
        foreach (var operation in operations)
        {
            if (operation.Location is { } location && lutsOf(operation) is > 0 and var luts)
                _luts[location] = _luts.GetValueOrDefault(location) + luts;
        }
    }

    /// <summary>
    /// As many LUTs as an operation may have where none takes in another: one that is given a constant is a part of
    /// the next.
    /// </summary>
    private static double MostLutsOf(Operation operation)
    {
        var width = operation.Operands.Select(operand => operand.Width).Append(operation.Width).Max();
        var isPart = operation.Operands.Any(operand => operand is Constant);
        return operation.Opcode switch
        {
            Opcode.Concat or Opcode.Extract or Opcode.Truncate or Opcode.ZeroExtend or Opcode.SignExtend => 0,
            Opcode.And or Opcode.Or or Opcode.Xor or Opcode.Select => isPart ? 0 : width,
            Opcode.Add or Opcode.Subtract or Opcode.Equal or Opcode.LessUnsigned or Opcode.LessSigned => width,
            Opcode.ShiftLeft or Opcode.ShiftRight or Opcode.ShiftRightSigned => 4 * width,
            _ => width * width,
        };
    }

    private static double LutsOf(Design design, LogicEstimate logic) => Operations(Items(design)).Sum(logic.LutsOf);

    /// <summary>All that is in a design; what its outputs alone ask for is no work of the program.</summary>
    private static IEnumerable<IDesignItem> Items(Design design) =>
        design.Sections.SelectMany(section => section.Items);

    private static HashSet<Operation> Operations(IEnumerable<IDesignItem> items)
    {
        var operations = new HashSet<Operation>(ReferenceEqualityComparer.Instance);
        var waiting = new Stack<Value>(items.SelectMany(DesignVerifier.Roots));
        while (waiting.TryPop(out var value))
        {
            if (value is not Operation operation || !operations.Add(operation)) continue;
            foreach (var operand in operation.Operands) waiting.Push(operand);
        }
        return operations;
    }

    /// <summary>The method that saves most for each call; null if none saves enough.</summary>
    private string? Best()
    {
        var (best, most) = ((string?)null, (double)LeastPerCall);
        foreach (var (method, (luts, calls)) in Costs())
        {
            var saved = luts - luts / calls.Count;
            if (saved < LeastSaved || saved / calls.Count < most) continue;
            (best, most) = (method, saved / calls.Count);
        }
        return best;
    }

    /// <summary>The LUTs of each method with those that it calls, and its calls.</summary>
    private Dictionary<string, (double Luts, HashSet<string> Calls)> Costs()
    {
        var methods = new Dictionary<string, (double Luts, HashSet<string> Calls)>();
        foreach (var (location, luts) in _luts)
        {
            foreach (var (method, call) in CallsOf(location))
            {
                var known = methods.GetValueOrDefault(method, (0, []));
                known.Calls.Add(call);
                methods[method] = (known.Luts + luts, known.Calls);
            }
        }
        return methods;
    }

    /// <summary>The methods that a line is in, with the lines that called each, up to one that is there once.</summary>
    private Dictionary<string, string> CallsOf(SourceLocation location)
    {
        var calls = new Dictionary<string, string>();
        var way = "";
        var above = new List<SourceLocation>();
        for (var at = location; at is not null; at = at.Caller) above.Add(at);
        // From the outermost: of a method that stands twice, the inner one counts.
        for (var i = above.Count - 1; i >= 0; i--)
        {
            var (method, line) = (above[i].Method, above[i].Line);
            if (!_chosen.Contains(method)) calls[method] = way;
            way = _chosen.Contains(method) ? $"{method}:{line}" : $"{way}/{method}:{line}";
        }
        return calls;
    }

    private void Share(string method)
    {
        var copies = Costs()[method].Calls.Count;
        foreach (var location in _luts.Keys.Where(location => CallsOf(location).ContainsKey(method)).ToList())
            _luts[location] /= copies;
        _chosen.Add(method);
    }
}
