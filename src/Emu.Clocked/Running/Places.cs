namespace Emu.Clocked;

/// <summary>
/// Writes by address: a woven program calls it in place of instructions that do. A place may be a local variable, or
/// the running thread's copy of what threads share.
/// </summary>
public static class Places
{
    /// <summary>Writes a place.</summary>
    /// <exception cref="ClockedException">Another thread has written there in this cycle.</exception>
    public static void Store<T>(ref T place, T value)
    {
        place = value;
        if (CycleClock.Current is { Lent: { IsEmpty: false } lent }) lent.Written(ref place);
    }

    /// <summary>Writes zeros to a place.</summary>
    /// <exception cref="ClockedException">Another thread has written there in this cycle.</exception>
    public static void Clear<T>(ref T place) => Store(ref place, default!);
}
