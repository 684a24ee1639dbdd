using Emu.Compiler.IR;
using Emu.Compiler.Passes;
using Emu.Compiler.Rewriting;
using Emu.Compiler.Rtl;
using Emu.Compiler.Scheduling;
using Emu.Compiler.Units;

namespace Emu.Compiler.Pipelines;

/// <summary>
/// The values that an event begins with in a pipeline: the header and <c>tuser</c>, and wires that stand for what comes
/// in a later stage.
/// </summary>
internal sealed class EventInputs(PipelineDesign design, Forwarding forwarding) : IEventSource
{
    private readonly Dictionary<Register, Wire> _contents = [];
    private readonly Dictionary<Value, Register> _registerOf = new(ReferenceEqualityComparer.Instance);
    private Wire? _quotient;

    /// <summary>The checksums that the event asks for.</summary>
    public Checksums Checksums { get; private set; } = new(design);

    /// <summary>
    /// Stands for a bit that is 1 while a frame ahead is deferred, and this one is with it; null if frames do not wait
    /// for a deferred one.
    /// </summary>
    public Wire? Drains { get; } = design.Demands is { HoldsFollowers: true, DefersAlone: false }
        ? new Wire("drains", FoldingBuilder.Bit(false))
        : null;

    /// <summary>The registers whose contents before the event the values stand for.</summary>
    public IReadOnlyDictionary<Value, Register> RegisterOf => _registerOf;

    /// <summary>Follows an event through the service's function.</summary>
    public Dataflow Follow()
    {
        Checksums = new Checksums(design);
        return new Dataflow(design.Netlist, design.Demands.Function, this);
    }

    /// <summary>True if a value stands for the quotient of the time.</summary>
    public bool IsQuotient(Value value) => ReferenceEquals(value, _quotient);

    /// <summary>The value that stands for a register; null if the service does not read it.</summary>
    public Value? ReadOf(Register register) => _contents.GetValueOrDefault(register);

    /// <summary>True if a value stands for a part of a write of a frame ahead.</summary>
    public bool IsForwarded(Value value) => forwarding.WriteOf(value) is not null;

    /// <inheritdoc />
    public Value Input(Operation operation, Func<Value, Value> operand)
    {
        if (TimeDivision.Is(operation))
            return _quotient ??= QuotientBy((ulong)((Constant)operation.Operands[1]).Bits);
        var (n, header) = (design.Netlist, design.Header);
        return operation.Input switch
        {
            FrameInput.Length => n.Resize(design.Named("frame_length", header.Length), 32),
            FrameInput.Ingress => n.Resize(
                design.Named("ingress", AxiStream.PortIndex(n, header.Source, design.Options.Ports)), 8),
            _ => design.Named("frame_time", header.Time),
        };
    }

    /// <inheritdoc />
    public Value Sum(
        Operation operation, Value condition, Value length, int writtenEnd, IReadOnlyList<MappedBytes> maps,
        Func<int, Value> octet) => Checksums.Of(operation, condition, length, writtenEnd, maps, octet);

    /// <inheritdoc />
    public int BeatBytes => design.Options.Lanes;

    /// <inheritdoc />
    public int LengthBits => Interval.Of((UInt128)design.Options.Capacity).Width;

    /// <inheritdoc />
    public Value Fold(Operation operation, Value condition, Func<Value, Value> operand) =>
        Checksums.Fold(operation, [.. operation.Operands.Select(operand)], condition);

    /// <inheritdoc />
    public Value Byte(int offset) => design.Header.Byte(offset);

    /// <inheritdoc />
    public Value IsAllOnes(IReadOnlyList<Value> terms) => Checksums.IsAllOnes(terms);

    /// <inheritdoc />
    public Value Contents(Register register)
    {
        if (_contents.TryGetValue(register, out var known)) return known;
        var standIn = new Wire(register.Name, FoldingBuilder.Zero(register.Width));
        _registerOf[standIn] = register;
        return _contents[register] = standIn;
    }

    /// <inheritdoc />
    public IReadOnlyList<ForwardedWrite> WritesAhead(Memory memory) => forwarding.Of(memory);

    private Wire QuotientBy(ulong divisor)
    {
        var quotient = new Wire("quotient", FoldingBuilder.Zero(64));
        design.Netlist.Limit(quotient, ulong.MaxValue / divisor);
        return quotient;
    }
}
