namespace Emu.Compiler.IR;

/// <summary>The kinds of an <see cref="Operation"/>. Widths are in bits; w is the operation's own.</summary>
public enum Opcode
{
    /// <summary>w: the sum of two values of width w, modulo 2^w.</summary>
    Add,

    /// <summary>w: the difference of two values of width w, modulo 2^w.</summary>
    Subtract,

    /// <summary>w: the product of two values of width w, modulo 2^w.</summary>
    Multiply,

    /// <summary>w: the unsigned quotient; the divisor is not 0.</summary>
    DivideUnsigned,

    /// <summary>
    /// w: the signed quotient, rounded to zero; the divisor is not 0, and it is not the least value by -1.
    /// </summary>
    DivideSigned,

    /// <summary>w: the unsigned remainder; the divisor is not 0.</summary>
    RemainderUnsigned,

    /// <summary>w: the signed remainder, with the sign of the dividend; as for <see cref="DivideSigned"/>.</summary>
    RemainderSigned,

    /// <summary>w: bit by bit.</summary>
    And,

    /// <summary>w: bit by bit.</summary>
    Or,

    /// <summary>w: bit by bit.</summary>
    Xor,

    /// <summary>w: the first value shifted left by the second, of any width; 0 when that is w or more.</summary>
    ShiftLeft,

    /// <summary>
    /// w: the first value shifted right by the second, of any width, zeros from the left; 0 when that is w or more.
    /// </summary>
    ShiftRight,

    /// <summary>
    /// w: the first value shifted right by the second, of any width, copies of the sign from the left.
    /// </summary>
    ShiftRightSigned,

    /// <summary>1: whether two values of one width are equal.</summary>
    Equal,

    /// <summary>1: whether the first of two values of one width is less, both unsigned.</summary>
    LessUnsigned,

    /// <summary>1: whether the first of two values of one width is less, both signed.</summary>
    LessSigned,

    /// <summary>w: a narrower value with zeros above.</summary>
    ZeroExtend,

    /// <summary>w: a narrower value with copies of its sign above.</summary>
    SignExtend,

    /// <summary>w: the low bits of a wider value.</summary>
    Truncate,

    /// <summary>w: bits of a wider value, from <see cref="Operation.Low"/> on.</summary>
    Extract,

    /// <summary>w: the first value above the second; w is the sum of their widths.</summary>
    Concat,

    /// <summary>w: the second value when the first, of width 1, is 1; else the third.</summary>
    Select,

    /// <summary>w: the number of ones of a value.</summary>
    PopCount,

    /// <summary>w: the number of zeros above the highest one; the width of the value if it is 0.</summary>
    LeadingZeros,

    /// <summary>w: the number of zeros below the lowest one; the width of the value if it is 0.</summary>
    TrailingZeros,

    /// <summary>16: the ones' complement sum (RFC 1071) of the 16-bit words of a value; 0 only if all are 0.</summary>
    OnesSum,

    /// <summary>w: an input of the event, <see cref="Operation.Input"/>.</summary>
    Input,

    /// <summary>
    /// 8n: n bytes of the frame from the offset that the operand is, the first in the highest bits;
    /// they are inside its memory.
    /// </summary>
    FrameRead,

    /// <summary>
    /// 16: the ones' complement sum (RFC 1071) of the frame's bytes from the offset that the first operand is, as many
    /// as the second is; 0 only if all are 0.
    /// </summary>
    FrameSum,

    /// <summary>
    /// w: the result of a loop over bytes of the frame from the offset that the first operand is, byte by byte,
    /// <see cref="Operation.Fold"/>. The other operands are its bounds, invariants, places of words of the memories
    /// that are its state, and first values of what goes from turn to turn.
    /// </summary>
    FrameFold,

    /// <summary>
    /// Effect: bytes of the frame from the offset that the first operand is := the second, its highest bits first.
    /// </summary>
    FrameWrite,

    /// <summary>
    /// Effect: a loop over bytes of the frame from the offset that the first operand is up to the one that the second
    /// is, byte by byte: each := what a turn finds, <see cref="Operation.Fold"/>. The other operands are its other
    /// bounds, invariants and first state.
    /// </summary>
    FrameMap,

    /// <summary>
    /// Effect: bytes of the frame from the offset that the first operand is := elements of a memory of bytes that
    /// nothing writes, from the index that the second is on, as many as the third is.
    /// </summary>
    FrameLoad,

    /// <summary>
    /// Effect: bytes of the frame from the offset that the first operand is, as many as the third is, are copied to the
    /// offset that the second is; as if all were read before any is written.
    /// </summary>
    FrameMove,

    /// <summary>
    /// Effect: the frame's bytes from the first operand, its length so far, up to the second, its length from now on,
    /// := 0. Two more operands, which are constants, say of a pipeline's that bytes may have been cut off before: from
    /// which offset and up to which they are put in as 0.
    /// </summary>
    FrameResize,

    /// <summary>w: a register; the operand, if there are several, selects which.</summary>
    RegisterRead,

    /// <summary>Effect: a register := the first operand; the second, if there are several, selects which.</summary>
    RegisterWrite,

    /// <summary>
    /// Effect: a register := itself + the operand, which has as many bits or fewer, and zeros above. No other
    /// operation is on the register.
    /// </summary>
    Count,

    /// <summary>
    /// w: the element of a memory at the index that the first operand is; the second,
    /// if there are several, selects which.
    /// </summary>
    MemoryRead,

    /// <summary>
    /// Effect: the element of a memory at the first operand := the second; the third,
    /// if there are several, selects which.
    /// </summary>
    MemoryWrite,

    /// <summary>Effect: a copy of the frame leaves; operands are its start, its length and the set of ports.</summary>
    Send,

    /// <summary>
    /// Effect: the next frame that arrives is handled by the service's function for interrupts, which may change all
    /// state.
    /// </summary>
    Wait,

    /// <summary>
    /// 1, and effect: the frame of an interrupt is kept for later; 0 if so many are kept already as the third operand,
    /// a constant, says. The others are its start and its length.
    /// </summary>
    Hold,

    /// <summary>Effect: a simulation prints <see cref="Operation.Text"/>, made of the operands.</summary>
    Print,

    /// <summary>
    /// w, and effect: the results of a call of a core, whose operands are the operation's; see
    /// <see cref="VerilogCore.Outputs"/>.
    /// </summary>
    CoreCall,

    /// <summary>
    /// Effect: a procedure runs, <see cref="Operation.Callee"/>. It finds its arguments in transient registers, and
    /// leaves its results in others.
    /// </summary>
    Call,
}
