using Emu.Compiler.IR;
using Emu.Compiler.Passes;

namespace Emu.Testing;

/// <summary>A service whose IR is run in place of its C#: so every host of services can run it.</summary>
internal sealed class InterpretedService(Compilation compilation, Interpreter interpreter) : Service
{
    public override ulong TickInterval { get; } = compilation.TickInterval;

    public override void Process(ref Frame frame) => Run(compilation.Process, ref frame);

    public override void Tick(ref Frame frame) => Run(compilation.Tick!, ref frame);

    public override void Interrupt(ref Frame frame) => Run(compilation.Interrupt!, ref frame);

    private void Run(Function function, ref Frame frame)
    {
        var memory = new byte[Subject.Capacity];
        frame.Bytes.CopyTo(memory);
        var result = interpreter.Run(function, memory, frame.Length, frame.Ingress.Index, frame.Time, Host!);
        if (result.Fault is { } fault) throw ExceptionOf(fault);
        Replace(ref frame, memory.AsSpan(result.Start, result.Length));
        if (result.Egress == PortSet.Of(frame.Ingress)) frame.Reply();
        else frame.ForwardTo(result.Egress);
    }

    private static void Replace(ref Frame frame, ReadOnlySpan<byte> bytes)
    {
        frame.Resize(bytes.Length);
        bytes.CopyTo(frame.Bytes);
    }

    private static Exception ExceptionOf(FaultKind fault) => fault switch
    {
        FaultKind.IndexOutOfRange => new IndexOutOfRangeException(),
        FaultKind.NullReference => new NullReferenceException(),
        FaultKind.Overflow => new OverflowException(),
        FaultKind.DivideByZero => new DivideByZeroException(),
        _ => throw new InvalidOperationException($"{fault} has no exception"),
    };
}
