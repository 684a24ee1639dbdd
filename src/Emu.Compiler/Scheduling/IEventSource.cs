using Emu.Compiler.IR;

namespace Emu.Compiler.Scheduling;

/// <summary>The values that an event begins with.</summary>
internal interface IEventSource
{
    /// <summary>An input of the event, a checksum over the frame, or a quotient of the time.</summary>
    /// <param name="operation">The operation that asks for it.</param>
    /// <param name="operand">Gives the values of its operands.</param>
    Value Input(Operation operation, Func<Value, Value> operand);

    /// <summary>A checksum over bytes of the frame, folded.</summary>
    /// <param name="operation">The operation that asks for it; its first byte is a constant.</param>
    /// <param name="condition">The condition under which the event does.</param>
    /// <param name="length">The number of bytes.</param>
    /// <param name="writtenEnd">The offset behind the last byte that the event may have written before.</param>
    /// <param name="maps">The loops that may have written bytes behind those.</param>
    /// <param name="octet">Gives a byte as it is now.</param>
    Value Sum(
        Operation operation, Value condition, Value length, int writtenEnd, IReadOnlyList<MappedBytes> maps,
        Func<int, Value> octet);

    /// <summary>The bytes of a beat of the bus.</summary>
    int BeatBytes { get; }

    /// <summary>The bits of a frame's length, and of a place in it.</summary>
    int LengthBits { get; }

    /// <summary>The result of a loop over bytes of the frame, none of which the event has written before.</summary>
    /// <param name="operation">The operation that asks for it.</param>
    /// <param name="condition">The condition under which the event does.</param>
    /// <param name="operand">Gives the values of its operands.</param>
    Value Fold(Operation operation, Value condition, Func<Value, Value> operand);

    /// <summary>A byte of the frame as it came.</summary>
    Value Byte(int offset);

    /// <summary>True if the ones' complement sum of values, checksums over the frame among them, is all ones.</summary>
    Value IsAllOnes(IReadOnlyList<Value> terms);

    /// <summary>The contents of a register before the event.</summary>
    Value Contents(Register register);

    /// <summary>The writes of frames ahead that a read of a memory may have missed, the nearest first.</summary>
    IReadOnlyList<ForwardedWrite> WritesAhead(Memory memory);
}
