namespace Emu.Compiler;

/// <summary>
/// The layout for services whose work is on headers and has a bound: a frame enters every few cycles and passes stages that never wait; its beats
/// wait in a FIFO for the verdict.
/// </summary>
internal sealed partial class Pipeline
{
    /// <summary>Levels of logic in a stage.</summary>
    private const int Budget = 11 * Delays.Level;

    /// <summary>No recurrence of a state object is followed further.</summary>
    private const int MaxStages = 32;

    /// <summary>Where seconds are known, and the only stage that can wait.</summary>
    private const int TimeStage = 1;

    private readonly Netlist _n;
    private readonly Compilation _compilation;
    private readonly HardwareOptions _options;
    private readonly int _interval;
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
    private readonly Dictionary<FrameInput, Value> _inputs = [];
    private Value? _quotientInput;

    private Pipeline(Compilation compilation, HardwareOptions options, Design design, int interval)
    {
        (_compilation, _options, _interval) = (compilation, options, interval);
        _firstInStep = HasQuotient(compilation) ? TimeStage : 0;
        _n = new Netlist(design);
        _control = new ControlRegisters(_n, design.Description[0]);
        _state = new ServiceState(_n, compilation.Ranges(), compilation.Functions);
        _header = new HeaderWindow(_n, options, WindowBytes(compilation.Process));
        _fifo = new FrameFifo(_n, options, _header);
        _dataflow = NewDataflow();
        _schedule = NewSchedule();
    }

    /// <summary>Makes the circuit of a service.</summary>
    /// <param name="compilation">The service, through the passes.</param>
    /// <param name="options">The device.</param>
    /// <param name="service">The service's class.</param>
    /// <param name="interval">The least cycles between two frames.</param>
    /// <exception cref="NoPipelineException">Something in the service forbids it.</exception>
    public static Circuit Build(Compilation compilation, HardwareOptions options, string service, int interval)
    {
        Require(compilation);
        // While a frame waits in the time's stage there is no room behind it.
        if (HasQuotient(compilation)) interval = Math.Max(interval, TimeStage + 1);
        var design = new Design(Netlist.SnakeCase(service)) { Description = Describe(service, options, interval) };
        var pipeline = new Pipeline(compilation, options, design, interval);
        pipeline.Fit();
        pipeline.Connect();
        return new Circuit(design, pipeline._control.Entries, [.. pipeline._state.Places, .. pipeline._control.Places]);
    }

    private static bool HasQuotient(Compilation compilation) => TimeQuotient.Divisors(compilation.Functions).Count > 0;

    private static List<string> Describe(string service, HardwareOptions options, int interval) =>
    [
        service,
        $"Layout     pipeline: a frame every {interval} cycles or more; its beats wait in a FIFO for the verdict; {options.BusBits}-bit bus.",
        "Interface  s_axis, m_axis: byte 0 of a frame is tdata[7:0]; tuser of the first beat: [15:0] length, [23:16] source port,",
        "           [31:24] destination ports, a bit each, the even ones MAC ports; [95:32] time of arrival in nanoseconds.",
        "           s_axi: registers, see the report.",
        "Order      as if each frame was handled alone, in order of arrival.",
        "Stalls     s_axis_tready and all m_axis outputs are registers; the stages never stall for the output.",
    ];

    /// <summary>What every pipeline needs of a service.</summary>
    private static void Require(Compilation compilation)
    {
        if (compilation.Tick is not null) throw new NoPipelineException("periodic work runs between frames", null);
        var function = compilation.Process;
        if (Loop.All(function).Count > 0) throw new NoPipelineException("a loop has no constant bound", Loop.All(function)[0].Body.SelectMany(b => b.Operations).FirstOrDefault()?.Location);
        foreach (var operation in function.Blocks().SelectMany(b => b.Operations))
        {
            if (operation.Opcode is Opcode.FrameWrite) throw new NoPipelineException("the frame is changed", operation.Location);
            if (operation.Opcode is Opcode.Send) throw new NoPipelineException("a copy is sent", operation.Location);
            if (operation.Opcode == Opcode.FrameRead && operation.Operands[0] is not Constant) throw new NoPipelineException("the frame is read at an offset that is computed", operation.Location);
        }
        if (TimeQuotient.Divisors(compilation.Functions).Count > 1) throw new NoPipelineException("the time is divided by two numbers", null);
    }

    /// <summary>The bytes of the frame that the service looks at, and its EtherType, on which the longest length depends.</summary>
    private static int WindowBytes(Function function) => function.Blocks().SelectMany(b => b.Operations).Where(o => o.Opcode == Opcode.FrameRead)
        .Select(o => (int)((Constant)o.Operands[0]).Bits + o.Width / 8).Append(Stream.TypeOffset + 2).Max();

    private StageSchedule NewSchedule() => new(_n, Budget, SourceOf, Make, stage => stage == TimeStage ? _header.Start : null, SectionOf);

    private Section SectionOf(int stage)
    {
        while (_sections.Count <= stage) _sections.Add(_n.Begin($"stage {_sections.Count}"));
        return _sections[stage];
    }

    private Value InputOf(Operation operation)
    {
        if (operation.Opcode == Opcode.FrameRead)
            return Enumerable.Range((int)((Constant)operation.Operands[0]).Bits, operation.Width / 8).Select(_header.Byte).Aggregate((high, low) => _n.Concat(high, low));
        if (TimeQuotient.Is(operation)) return _quotientInput ??= new Wire("quotient", ValueFactory.Zero(64));
        return operation.Input switch
        {
            FrameInput.Length => _n.Resize(_header.Length, 32),
            FrameInput.Ingress => _n.Resize(Stream.PortIndex(_n, _header.Source), 8),
            _ => _header.Time,
        };
    }

    private Value RegisterOf(Register register)
    {
        if (_registers.TryGetValue(register, out var known)) return known;
        var placeholder = new Wire(register.Name, ValueFactory.Zero(register.Width));
        _registerOf[placeholder] = register;
        return _registers[register] = placeholder;
    }
}
