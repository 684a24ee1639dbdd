namespace Emu;

/// <summary>
/// The reasons why a service could not finish an event.
/// The frame is dropped, earlier writes stand, and the next event is handled.
/// </summary>
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

    /// <summary>Any other exception; only on .NET, since a service that throws it does not compile.</summary>
    Exception,
}
