namespace Emu.Compiler.IR;

/// <summary>Runs the IR of a service, event by event: slow, and short enough to be believed.</summary>
public sealed class Interpreter
{
    private readonly Dictionary<Register, UInt128> _registers = [];
    private readonly Dictionary<Memory, UInt128[]> _memories = [];
    private readonly Dictionary<VerilogCore, ICoreModel> _cores = [];
    private Dictionary<Value, UInt128> _values = [];
    private readonly long _limit;

    /// <summary>Begins with the state that the constructor left.</summary>
    /// <param name="limit">The most blocks of one event: what runs longer would not end.</param>
    public Interpreter(long limit = 10_000_000) => _limit = limit;

    /// <summary>Takes what is printed; null when nobody wants it.</summary>
    public Action<string>? Printed { get; set; }

    /// <summary>The number that a register holds now.</summary>
    public UInt128 this[Register register] => _registers.GetValueOrDefault(register, register.Reset);

    /// <summary>The number that an element of a memory holds now.</summary>
    public UInt128 this[Memory memory, int index] =>
        memory.Registers is { } registers ? this[registers[index]]
        : memory.Banks is { } banks ? this[banks[index % banks.Count], index / banks.Count]
        : _memories.TryGetValue(memory, out var elements) ? elements[index] : memory.Reset[index];

    /// <summary>Another interpreter with the same state; modules that stand for methods begin anew.</summary>
    public Interpreter Fork()
    {
        var fork = new Interpreter(_limit);
        foreach (var (register, number) in _registers) fork._registers[register] = number;
        foreach (var (memory, elements) in _memories) fork._memories[memory] = [.. elements];
        return fork;
    }

    /// <summary>Runs one event.</summary>
    /// <param name="function">The service's function for the event.</param>
    /// <param name="memory">The frame's memory, as large as the function was made for.</param>
    /// <param name="length">The bytes of the frame; 0 for a tick.</param>
    /// <param name="ingress">The port's number; 64 for a tick.</param>
    /// <param name="time">The time in nanoseconds.</param>
    /// <param name="host">The host, to which the service sends copies, and which gives it further frames.</param>
    /// <returns>The frame's result, or the fault.</returns>
    public EventResult Run(
        Function function, Span<byte> memory, int length, byte ingress, ulong time, IEventHost host)
    {
        ArgumentNullException.ThrowIfNull(function);
        ArgumentNullException.ThrowIfNull(host);
        // An interrupt comes inside an event, which has values of its own.
        var interrupted = _values;
        _values = [];
        var result = RunBlocks(function, memory, length, ingress, time, host)
            ?? throw new InvalidOperationException($"{function.Name} is a procedure, and handles no event");
        _values = interrupted;
        return result;
    }

    /// <summary>Runs an event, or a procedure in it: null when that goes back to its caller.</summary>
    private EventResult? RunBlocks(
        Function function, Span<byte> memory, int length, byte ingress, ulong time, IEventHost host)
    {
        Block? from = null;
        var block = function.Entry;
        for (var blocks = 0L; ; blocks++)
        {
            if (blocks == _limit)
                throw new InvalidOperationException($"{function.Name} does not end within {_limit} blocks");
            Enter(block, from);
            foreach (var operation in block.Operations)
            {
                if (operation.Callee is not { } callee)
                    _values[operation] = Execute(operation, memory, length, ingress, time, host);
                else if (RunBlocks(callee, memory, length, ingress, time, host) is { } end)
                    return end;
            }
            from = block;
            switch (block.Terminator)
            {
                case Jump jump:
                    block = jump.Target;
                    break;
                case Branch branch:
                    block = Of(branch.Condition) != 0 ? branch.Then : branch.Else;
                    break;
                case Return end:
                    return new EventResult(
                        (int)Of(end.Start), (int)Of(end.Length), new PortSet((ulong)Of(end.Egress)), null);
                case GoBack:
                    return null;
                case Fault fault:
                    return new EventResult(0, 0, PortSet.None, fault.Kind);
                case SideExit { Target: { } target }:
                    block = target;
                    break;
                case SideExit defer:
                    return new EventResult(0, 0, PortSet.None, null) { Deferred = defer };
            }
        }
    }

    /// <summary>Phis are read all at once, since they may be each other's operands.</summary>
    private void Enter(Block block, Block? from)
    {
        if (block.Phis.Count == 0) return;
        var way = block.Predecessors.IndexOf(from!);
        var values = block.Phis.Select(phi => Of(phi.Operands[way])).ToArray();
        for (var i = 0; i < values.Length; i++) _values[block.Phis[i]] = values[i];
    }

    private UInt128 Of(Value value) => value is Constant constant ? constant.Bits : _values[value];

    private UInt128 Execute(
        Operation operation, Span<byte> memory, int length, byte ingress, ulong time, IEventHost host)
    {
        var o = operation.Operands;
        switch (operation.Opcode)
        {
            case Opcode.Input:
                return operation.Input switch
                {
                    FrameInput.Length => (UInt128)length,
                    FrameInput.Ingress => ingress,
                    _ => time,
                };
            case Opcode.FrameRead:
                return ReadFrame(memory, (int)Of(o[0]), operation.Width / 8);
            case Opcode.FrameSum:
                return (UInt128)InternetChecksum.Sum(memory.Slice((int)Of(o[0]), (int)Of(o[1])));
            case Opcode.FrameFold:
                return Fold(operation, memory);
            case Opcode.FrameMap:
                Fold(operation, memory, isMap: true);
                return 0;
            case Opcode.FrameWrite:
                WriteFrame(memory, (int)Of(o[0]), Of(o[1]), o[1].Width / 8);
                return 0;
            case Opcode.FrameLoad:
                for (var (i, count) = (0, (int)Of(o[2])); i < count; i++)
                    memory[(int)Of(o[0]) + i] = (byte)this[(Memory)operation.State[0], (int)Of(o[1]) + i];
                return 0;
            case Opcode.FrameMove:
                memory.Slice((int)Of(o[0]), (int)Of(o[2])).CopyTo(memory[(int)Of(o[1])..]);
                return 0;
            case Opcode.FrameResize:
                if (Of(o[1]) > Of(o[0])) memory[(int)Of(o[0])..(int)Of(o[1])].Clear();
                return 0;
            case Opcode.RegisterRead:
                return this[(Register)Chosen(operation, 0)];
            case Opcode.RegisterWrite:
                _registers[(Register)Chosen(operation, 1)] = Of(o[0]);
                return 0;
            case Opcode.Count:
                var counter = (Register)operation.State[0];
                _registers[counter] = (this[counter] + Of(o[0])) & Arithmetic.Mask(counter.Width);
                return 0;
            case Opcode.MemoryRead:
                return this[(Memory)Chosen(operation, 1), (int)Of(o[0])];
            case Opcode.MemoryWrite:
                Elements((Memory)Chosen(operation, 2))[(int)Of(o[0])] = Of(o[1]);
                return 0;
            case Opcode.Send:
                host.Send(memory.Slice((int)Of(o[0]), (int)Of(o[1])), new PortSet((ulong)Of(o[2])), time);
                return 0;
            case Opcode.Wait:
                host.WaitForFrame();
                return 0;
            case Opcode.Hold:
                return host.TryHold(
                    memory.Slice((int)Of(o[0]), (int)Of(o[1])), new PortId(ingress), time, (int)Of(o[2])) ? 1u : 0u;
            case Opcode.Print:
                Print(operation);
                return 0;
            case Opcode.CoreCall:
                return ModelOf((VerilogCore)operation.State[0]).Call(o.ConvertAll(Of));
            default:
                return Arithmetic.Compute(operation, Of(o[0]), o.Count > 1 ? Of(o[1]) : 0, o.Count > 2 ? Of(o[2]) : 0);
        }
    }

    private void Print(Operation operation)
    {
        var next = 0;
        foreach (var part in operation.Text)
        {
            var value = part.TakesOperand ? operation.Operands[next++] : null;
            Printed?.Invoke(part.Format(value is null ? 0 : Of(value), value?.Width ?? 0));
        }
    }

    /// <summary>
    /// Takes the turns of a loop over the frame's bytes until one leaves it; each of a map writes the byte that it has
    /// found.
    /// </summary>
    private UInt128 Fold(Operation operation, Span<byte> memory, bool isMap = false)
    {
        var fold = operation.Fold!;
        var operands = operation.Operands.ConvertAll(Of);
        var (start, limits) = ((int)operands[0], operands[1..(1 + fold.Bounds)]);
        var (found, state) = (new UInt128[fold.Found], operands[fold.FirstState..]);
        for (var at = start; at <= memory.Length; at++)
        {
            var parameters = new List<UInt128>();
            for (var i = 0; i < fold.Bytes; i++)
                parameters.Add(at + i < memory.Length ? memory[at + i] : UInt128.Zero);
            parameters.Add((UInt128)at);
            parameters.AddRange(limits.Select(limit => (UInt128)at >= limit ? UInt128.One : UInt128.Zero));
            parameters.AddRange(operands.Skip(1 + fold.Bounds).Take(fold.Invariants));
            parameters.AddRange(fold.PlacesOf(operands).Zip(
                operation.State, (place, read) => WordAt((Memory)read, place + (UInt128)at)));
            parameters.AddRange(state);
            var turn = Turn(fold, parameters);
            var values = turn.Values.Select(Of).ToList();
            if (Of(turn.IsLeft) != 0)
            {
                found = [.. values.Take(fold.Found)];
                break;
            }
            if (isMap) memory[at] = (byte)values[0];
            state = values[fold.Found..];
        }
        return fold.Join(found.Concat(state));
    }

    private UInt128 WordAt(Memory memory, UInt128 place)
    {
        var index = place & Arithmetic.Mask(FrameFold.IndexBits);
        return index < (UInt128)memory.Depth ? this[memory, (int)index] : 0;
    }

    private Yield Turn(FrameFold fold, List<UInt128> parameters)
    {
        foreach (var (phi, bits) in fold.Body.Phis.Zip(parameters)) _values[phi] = bits;
        foreach (var operation in fold.Body.Operations)
        {
            var o = operation.Operands;
            _values[operation] = Arithmetic.Compute(
                operation, Of(o[0]), o.Count > 1 ? Of(o[1]) : 0, o.Count > 2 ? Of(o[2]) : 0);
        }
        return (Yield)fold.Body.Terminator!;
    }

    private StateElement Chosen(Operation operation, int selector) =>
        operation.State[operation.State.Count > 1 ? (int)Of(operation.Operands[selector]) : 0];

    private ICoreModel ModelOf(VerilogCore core) =>
        _cores.TryGetValue(core, out var model) ? model : _cores[core] = core.NewModel();

    private UInt128[] Elements(Memory memory)
    {
        if (!_memories.TryGetValue(memory, out var elements)) _memories[memory] = elements = [.. memory.Reset];
        return elements;
    }

    private static UInt128 ReadFrame(Span<byte> memory, int offset, int count)
    {
        UInt128 number = 0;
        foreach (var octet in memory.Slice(offset, count)) number = number << 8 | octet;
        return number;
    }

    private static void WriteFrame(Span<byte> memory, int offset, UInt128 number, int count)
    {
        for (var i = count - 1; i >= 0; i--, number >>= 8) memory[offset + i] = (byte)number;
    }
}
