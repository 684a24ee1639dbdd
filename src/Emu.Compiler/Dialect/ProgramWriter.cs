using Emu.Compiler.IR;
using Emu.Compiler.Layouts;
using Emu.Compiler.Passes;
using Emu.Compiler.Rtl;

namespace Emu.Compiler.Dialect;

/// <summary>Writes the program: ports, state, and one loop that receives a frame, works on it, and sends it.</summary>
internal sealed class ProgramWriter
{
    private const string Access = "private static ";

    private readonly string _service;
    private readonly HardwareOptions _options;
    private readonly Function _function;
    private readonly ProgramNames _names;
    private readonly ProgramHelpers _helpers = new();
    private readonly StateSchedule _schedule;
    private readonly ulong? _divisor;
    private readonly string _body;
    private readonly IReadOnlyList<string> _resumed;

    /// <summary>For a function whose values C# has.</summary>
    public ProgramWriter(string service, HardwareOptions options, Function function)
    {
        (_service, _options, _function) = (service, options, function);
        _schedule = new StateSchedule(function, options);
        var uses = new ValueUses(_schedule.States);
        var ranges = new LiveRanges(_schedule, uses);
        _names = new ProgramNames(ranges);
        foreach (var name in ProgramText.Reserved.Append(service)) _names.Reserve(name);
        _divisor = TimeDivision.Divisors([function]) is [var only, ..] ? only : null;
        var terms = new ProgramTerms(_names, _helpers, uses);
        var operations = new OperationWriter(_names, terms, uses, ranges);
        var states = new StateWriter(_schedule, _names, terms, operations, ranges);
        var text = new SourceWriter().Deeper().Deeper().Deeper();
        states.Write(text);
        (_body, _resumed) = (text.Text, states.Resumed);
    }

    /// <summary>The states of the service's own code.</summary>
    public int States => _schedule.States.Count;

    private int Rows =>
        (int)System.Numerics.BitOperations.RoundUpToPowerOf2((uint)(_options.Capacity / StatePorts.Lanes + 2));

    private bool HasComputedOffsets => _schedule.States.Any(state => state.Key.HasOffset);

    /// <summary>The program.</summary>
    public string Write()
    {
        var text = new SourceWriter();
        text.Lines(ProgramText.Head(_service));
        text.Lines("{");
        text.Deeper();
        text.Lines(ProgramText.Ports);
        foreach (var (element, name) in Counters()) text.Lines(Counter(element, name));
        text.Lines("\n// The frame: an array for each byte of a beat.");
        foreach (var line in FrameText.Arrays(Rows)) text.Lines("private " + line);
        text.Lines("\n// The state of the service.");
        foreach (var (element, name) in _names.State.Where(entry => !IsCounter(entry.Key))) State(text, element, name);
        text.Lines(ProgramText.FrameState(_divisor));
        text.Lines("\n// The circuit: a state is what stands between two pauses.");
        text.Lines("[Kiwi.HardwareEntryPoint]\npublic static void Main()\n{");
        text.Deeper();
        foreach (var (type, name) in _names.Locals) text.Lines($"{type} {name} = {(type == "bool" ? "false" : "0")};");
        text.Lines("s_axis_tready = true;\nwhile (true)\n{");
        text.Deeper();
        text.Lines(ProgramText.Receive(_options, Rows, _divisor));
        text.Raw(_body);
        text.Lines("");
        text.Label("Send");
        text.Lines(ProgramText.Send(_resumed, Rows));
        text.Shallower().Lines("}");
        text.Shallower().Lines("}");
        Methods(text);
        text.Shallower().Lines("}");
        return text.Text;
    }

    private void Methods(SourceWriter text)
    {
        _helpers.Use("CountOnes", "");
        List<string> methods = [.. _helpers.Texts];
        if (HasComputedOffsets) methods.AddRange([FrameText.ReadMethod(Rows), FrameText.WriteMethod(Rows)]);
        foreach (var method in methods) text.Lines("\n" + method.Replace("static ", Access, StringComparison.Ordinal));
    }

    /// <summary>
    /// The registers that are counted up and never read: they are outputs, by the name of the counter.
    /// </summary>
    private IEnumerable<(StateElement Element, string Name)> Counters() =>
        _names.State.Where(entry => IsCounter(entry.Key)).Select(entry => (entry.Key, entry.Value));

    private bool IsCounter(StateElement element) => element is Register && _function.Blocks()
        .SelectMany(block => block.Operations).Any(o => o.Opcode == Opcode.Count && o.State[0] == element);

    private static string Counter(StateElement element, string name)
    {
        var port = Netlist.SnakeCase(element.Name.EndsWith(".Value", StringComparison.Ordinal)
            ? element.Name[..^".Value".Length]
            : element.Name);
        return $"[Kiwi.OutputWordPort(\"{port}\")] {Access}{ProgramNames.TypeOf(element.Width)} {name}"
            + $"{Initial(((Register)element).Reset)};";
    }

    private static string Initial(UInt128 reset) => reset == 0 ? "" : $" = {reset}";

    private static void State(SourceWriter text, StateElement element, string name)
    {
        if (element is Register register)
        {
            var initial = element.Width == 1 ? register.Reset != 0 ? " = true" : "" : Initial(register.Reset);
            text.Lines($"{Access}{ProgramNames.TypeOf(element.Width)} {name}{initial}; // {element.Name}");
            return;
        }
        var (memory, type) = ((Memory)element, ProgramNames.WordOf(element.Width));
        if (memory.Reset.All(word => word == 0))
        {
            text.Lines($"{Access}{type}[] {name} = new {type}[{memory.Depth}]; // {element.Name}");
            return;
        }
        text.Lines($"{Access}{type}[] {name} = new {type}[{memory.Depth}] // {element.Name}");
        text.Lines("{");
        text.Deeper();
        foreach (var words in memory.Reset.Chunk(8)) text.Lines(string.Join(' ', words.Select(word => $"{word},")));
        text.Shallower().Lines("};");
    }
}
