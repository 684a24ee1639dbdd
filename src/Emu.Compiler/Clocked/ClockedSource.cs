using Emu.Compiler.IR;
using Emu.Compiler.Scheduling;

namespace Emu.Compiler.Clocked;

/// <summary>The values that a cycle begins with: those of registers and inputs. There is no frame.</summary>
/// <param name="contents">Gives the contents of a register.</param>
internal sealed class ClockedSource(Func<Register, Value> contents) : IEventSource
{
    public int BeatBytes => 1;

    /// <inheritdoc />
    public int LengthBits => 1;

    public Value Input(Operation operation, Func<Value, Value> operand) => throw NoFrame();

    public Value Sum(
        Operation operation, Value condition, Value length, int writtenEnd, IReadOnlyList<MappedBytes> maps,
        Func<int, Value> octet) => throw NoFrame();

    public Value Fold(Operation operation, Value condition, Func<Value, Value> operand) => throw NoFrame();

    public Value Byte(int offset) => throw NoFrame();

    public Value IsAllOnes(IReadOnlyList<Value> terms) => throw NoFrame();

    public Value Contents(Register register) => contents(register);

    public IReadOnlyList<ForwardedWrite> WritesAhead(Memory memory) => [];

    private static InvalidOperationException NoFrame() => new("a cycle of the clock level has no frame");
}
