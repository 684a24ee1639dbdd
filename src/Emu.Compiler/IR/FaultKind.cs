namespace Emu.Compiler.IR;

/// <summary>The reasons why an event ends without a verdict. Writes before the fault stand.</summary>
public enum FaultKind
{
    /// <summary>An index or a range outside its array, span or frame.</summary>
    IndexOutOfRange,

    /// <summary>A member of null.</summary>
    NullReference,

    /// <summary>A <c>checked</c> operation whose result does not fit.</summary>
    Overflow,

    /// <summary>An integer division by zero.</summary>
    DivideByZero,
}
