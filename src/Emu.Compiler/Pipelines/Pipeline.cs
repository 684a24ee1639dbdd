using Emu.Compiler.IR;
using Emu.Compiler.Layouts;
using Emu.Compiler.Passes;
using Emu.Compiler.Rewriting;
using Emu.Compiler.Rtl;
using Emu.Compiler.Scheduling;
using Emu.Compiler.Units;

namespace Emu.Compiler.Pipelines;

/// <summary>
/// The layout for services whose work is on headers and has a bound: a frame enters every few cycles and passes stages
/// that never wait; its beats wait in a FIFO for the verdict.
/// </summary>
/// <remarks>
/// If checksums over the payload are asked for, the verdict needs a frame's last beat. Stages before
/// <see cref="Crossing"/> are counted from the cycle in which the header is complete, those from there on from the
/// cycle of the last beat. The flops between hold a frame's values until the next frame's come.
/// </remarks>
internal sealed partial class Pipeline
{
    /// <summary>
    /// Levels that stages leave to what the estimate does not know, with and without words of tables.
    /// </summary>
    private const int Reserve = 1, TableReserve = 3;

    /// <summary>The most stages over which the recurrence of a state object is followed.</summary>
    private const int MaxStages = 32;

    /// <summary>The stage in which seconds are known, and the only one that can wait.</summary>
    private const int TimeStage = 1;

    private readonly Netlist _n;
    private readonly Compilation _compilation;
    private readonly HardwareOptions _options;
    private readonly int _interval;
    private readonly StageBudget _budget;
    private readonly Delays _delays;
    private readonly ControlRegisters _control;
    private readonly ServiceState _state;
    private readonly HeaderWindow _header;
    private readonly FrameFifo _fifo;
    private readonly Dictionary<Register, Value> _registers = [];
    private readonly Dictionary<Value, Register> _registerOf = new(ReferenceEqualityComparer.Instance);
    private readonly Dictionary<StateElement, int> _readStages = [];
    private readonly List<Section> _sections = [];
    private readonly List<Flop> _valid = [];
    private Dataflow _dataflow;
    private StageSchedule _schedule;
    private TimeQuotient? _quotient;
    private readonly List<PayloadSum> _sums = [];
    private readonly Dictionary<Value, Value> _sumOf = new(ReferenceEqualityComparer.Instance);
    private Value? _quotientInput;

    private Pipeline(Compilation compilation, HardwareOptions options, Design design, int interval, StageBudget budget)
    {
        (_compilation, _options, _interval, _budget) = (compilation, options, interval, budget);
        _delays = new Delays(options.Device);
        _firstInStep = HasQuotient(compilation) ? TimeStage : 0;
        _n = new Netlist(design);
        _control = new ControlRegisters(_n, design.Description[0]);
        _state = new ServiceState(_n, compilation, compilation.Parts);
        _control.Show(_state);
        _header = new HeaderWindow(_n, options, WindowBytes(compilation.Fast!), IsSharing(compilation));
        _fifo = new FrameFifo(_n, options, _header);
        _dataflow = NewDataflow();
        _schedule = NewSchedule();
    }

    /// <summary>Makes the circuit of a service.</summary>
    /// <param name="compilation">The service, through the passes and specialised.</param>
    /// <param name="options">The device.</param>
    /// <param name="service">The service's class.</param>
    /// <param name="interval">The least cycles between two frames.</param>
    /// <exception cref="NoPipelineException">Something in the service forbids it.</exception>
    public static Circuit Build(Compilation compilation, HardwareOptions options, string service, int interval)
    {
        Require(compilation);
        if (HasQuotient(compilation) && interval <= TimeStage)
        {
            var division = OperationsOf(compilation.Functions).First(TimeDivision.Is);
            throw new NoPipelineException(
                "the time is divided, and a frame that waits for the quotient has no room behind it", division.Location)
            {
                IsRecurrence = true,
            };
        }
        try
        {
            return Build(compilation, options, service, interval, StageBudgetOf(options));
        }
        catch (NoPipelineException exception) when (exception.IsRecurrence)
        {
            return Build(compilation, options, service, interval, LoopBudgetOf(options));
        }
    }

    private static StageBudget StageBudgetOf(HardwareOptions options) => new(
        Delays.Level * Math.Max(1, options.Levels - Reserve),
        Delays.Level * Math.Max(1, options.Levels - TableReserve));

    /// <summary>
    /// The budget for writes to a table that need so much logic from its own words that they would not fit otherwise.
    /// </summary>
    private static StageBudget LoopBudgetOf(HardwareOptions options) =>
        new(Delays.Level * Math.Max(1, options.Levels), Delays.Level * Math.Max(1, options.Levels));

    private static Circuit Build(
        Compilation compilation, HardwareOptions options, string service, int interval, StageBudget budget)
    {
        var design = new Design(Netlist.SnakeCase(service)) { Description = Describe(service, options, interval) };
        var pipeline = new Pipeline(compilation, options, design, interval, budget);
        pipeline.Fit();
        pipeline.Connect();
        pipeline.Head();
        var timing = new StaticTiming(design, options.Device);
        return new Circuit(
            design, pipeline._control.Entries, [.. pipeline._state.Places, .. pipeline._control.Places], timing)
        {
            Steps = pipeline.Steps(timing),
        };
    }

    private static IEnumerable<Operation> OperationsOf(IEnumerable<Function> functions) =>
        functions.SelectMany(f => f.Blocks()).SelectMany(b => b.Operations);

    /// <summary>
    /// The state that frames share: all that they write, except what they only add to, in any order. State that nothing
    /// writes is the same for all frames, as the constructor left it.
    /// </summary>
    private static IEnumerable<StateElement> Shared(Compilation compilation)
    {
        var written = ConstantState.Written(compilation.Parts);
        return OperationsOf(compilation.Parts)
            .Where(o => o.Opcode != Opcode.Count)
            .SelectMany(o => o.State)
            .Where(written.Contains);
    }

    /// <summary>True if frames have to keep a distance: for the state they share, or for a frame that waits.</summary>
    private static bool IsSharing(Compilation compilation) => HasQuotient(compilation) || Shared(compilation).Any();

    private static bool HasQuotient(Compilation compilation) => TimeDivision.Divisors(compilation.Functions).Count > 0;

    private static List<string> Describe(string service, HardwareOptions options, int interval) =>
    [
        service,
        $"Layout     pipeline: a frame every {interval} cycles or more; its beats wait in a FIFO for the verdict; "
        + $"{options.BusBits}-bit bus.",
        "Interface  s_axis, m_axis: byte 0 of a frame is tdata[7:0]; tuser of the first beat: "
        + "[15:0] length, [23:16] source port,",
        "           [31:24] destination ports, a bit each, the even ones MAC ports; "
        + "[95:32] time of arrival in nanoseconds.",
        "           s_axi: registers, see the report.",
        "Order      as if each frame was handled alone, in order of arrival.",
        "Stalls     s_axis_tready and all m_axis outputs are registers; the stages never stall for the output.",
        "Names      a register that carries a value of the C# is s<stage>_<name in C#>_reg, through several stages",
        "           s<first>_to_s<last>_<name in C#>_reg, the latest in the highest bits; values of one name stand",
        "           side by side. A wire has the name in C# of what it computes, or that of what it is for.",
    ];

    /// <summary>Checks the conditions that every pipeline sets for a service.</summary>
    private static void Require(Compilation compilation)
    {
        if (compilation.Tick is not null) throw new NoPipelineException("periodic work runs between frames", null);
        var function = compilation.Fast!;
        if (compilation.Slow is not null)
        {
            var defer = function.Blocks().Select(b => b.Terminator).OfType<SideExit>().First();
            if (!function.Blocks().Exists(b => b.Terminator is Return end && !Constant.Is(end.Egress, 0)))
                throw new NoPipelineException(defer.Reason, defer.Location);
            if (Shared(compilation).FirstOrDefault() is { } state)
                throw new NoPipelineException($"{defer.Reason}, and frames share {state.Name}", defer.Location);
        }
        if (HasQuotient(compilation)
            && function.Blocks()
                .SelectMany(b => b.Operations).Any(o => o.Opcode == Opcode.FrameSum && o.Operands[1] is not Constant))
            throw new NoPipelineException("the time is divided, and a checksum covers the payload", null);
        if (TimeDivision.Divisors(compilation.Functions).Count > 1)
            throw new NoPipelineException("the time is divided by two numbers", null);
    }

    /// <summary>
    /// The bytes of the frame that the service looks at, and its EtherType, on which the longest length depends.
    /// </summary>
    private static int WindowBytes(Function function)
    {
        var operations = function.Blocks().SelectMany(b => b.Operations).ToList();
        // Bytes that are moved to the front may be read there.
        var moved = operations.Where(o => o.Opcode == Opcode.FrameMove)
            .Select(o => (int)((Constant)o.Operands[0]).Bits - (int)((Constant)o.Operands[1]).Bits);
        return operations.Select(EndOf).Append(AxiStream.TypeOffset + 2).Max() + moved.Append(0).Max();
    }

    private static int EndOf(Operation operation) => operation.Opcode switch
    {
        Opcode.FrameRead => (int)((Constant)operation.Operands[0]).Bits + operation.Width / 8,
        Opcode.FrameSum when operation.Operands[1] is Constant length =>
            (int)(((Constant)operation.Operands[0]).Bits + length.Bits),
        _ => 0,
    };

    private StageSchedule NewSchedule()
    {
        _maskStage = null;
        return new StageSchedule(_n, _delays, _budget, IsWord, SourceOf, Make, EnableOf, SectionOf, IsKept, _shared);
    }

    /// <summary>
    /// True if a value is used from flops only: the outcome of a comparison with words of tables. Such comparisons are
    /// long, and the values chosen by several of them are wide; synthesis would pay for both in one cycle with wide
    /// multiplexers.
    /// </summary>
    private bool IsKept(Value value) => _budget != LoopBudgetOf(_options) && IsOutcome(value);

    private bool IsOutcome(Value value) => value is Operation operation && operation.Opcode switch
    {
        Opcode.And => operation.Width == 1 && operation.Operands.All(IsOutcome),
        Opcode.Equal or Opcode.LessUnsigned or Opcode.LessSigned =>
            _delays.LevelsOf(operation) >= 2 * Delays.Level && operation.Operands.Any(IsWord),
        _ => false,
    };

    private bool IsWord(Value value) =>
        value is Operation { Opcode: Opcode.Extract } part
            ? IsWord(part.Operands[0])
            : _dataflow.Reads.Exists(read => read.Word == value);

    private Value? EnableOf(int stage) =>
        stage == TimeStage && _sums.Count == 0 ? _header.Start
        : _sums.Count > 0 && stage == Crossing ? Passes(stage - 1) : null;

    private Section SectionOf(int stage)
    {
        while (_sections.Count <= stage) _sections.Add(_n.Begin($"stage {_sections.Count}"));
        return _sections[stage];
    }

    private Value InputOf(Operation operation, Func<Value, Value> of)
    {
        if (operation.Opcode == Opcode.FrameSum)
            return SumOf((int)((Constant)operation.Operands[0]).Bits, of(operation.Operands[1]));
        if (TimeDivision.Is(operation))
            return _quotientInput ??= QuotientBy((ulong)((Constant)operation.Operands[1]).Bits);
        return operation.Input switch
        {
            FrameInput.Length => _n.Resize(Named("frame_length", _header.Length), 32),
            FrameInput.Ingress => _n.Resize(Named("ingress", AxiStream.PortIndex(_n, _header.Source)), 8),
            _ => Named("frame_time", _header.Time),
        };
    }

    /// <summary>A value that C# has no line for, with the name that registers that carry it have.</summary>
    private Value Named(string name, Value value)
    {
        if (value is not Constant) _n.Describe(value, name);
        return value;
    }

    private Wire QuotientBy(ulong divisor)
    {
        var quotient = new Wire("quotient", FoldingBuilder.Zero(64));
        _n.Limit(quotient, ulong.MaxValue / divisor);
        return quotient;
    }

    private Value RegisterOf(Register register)
    {
        if (_registers.TryGetValue(register, out var known)) return known;
        var placeholder = new Wire(register.Name, FoldingBuilder.Zero(register.Width));
        _registerOf[placeholder] = register;
        return _registers[register] = placeholder;
    }
}
