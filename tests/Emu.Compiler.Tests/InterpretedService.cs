namespace Emu.Compiler.Tests;

/// <summary>A service whose IR is run in place of its C#: so every host of services can run it.</summary>
internal sealed class InterpretedService(Service service, int ports, int capacity) : Service
{
    private readonly Compilation _compilation = Compilation.Of(service, ports, capacity);

    public Compilation Compilation => _compilation;

    public Interpreter Interpreter { get; } = new();

    public override ulong TickInterval { get; } = service.TickInterval;

    public override void Process(ref Frame frame) => Run(_compilation.Process, ref frame);

    public override void Tick(ref Frame frame) => Run(_compilation.Tick!, ref frame);

    private void Run(Function function, ref Frame frame)
    {
        var length = frame.Length;
        var memory = new byte[capacity];
        frame.Bytes.CopyTo(memory);
        var result = Interpreter.Run(function, memory, length, frame.Ingress.Index, frame.Time, new Sending());
        if (result.Fault is { } fault) throw ExceptionOf(fault);
        frame.Resize(result.Length);
        memory.AsSpan(result.Start, result.Length).CopyTo(frame.Bytes);
        if (result.Egress == PortSet.Of(frame.Ingress)) frame.Reply();
        else frame.ForwardTo(result.Egress);
    }

    private static Exception ExceptionOf(FaultKind fault) => fault switch
    {
        FaultKind.IndexOutOfRange => new IndexOutOfRangeException(),
        FaultKind.NullReference => new NullReferenceException(),
        FaultKind.Overflow => new OverflowException(),
        _ => new DivideByZeroException(),
    };

    private sealed class Sending : IFrameOutput
    {
        public void Send(ReadOnlySpan<byte> bytes, PortSet ports, ulong time) => throw new NotSupportedException("no service of these tests sends");
    }
}
