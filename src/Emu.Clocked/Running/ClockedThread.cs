namespace Emu.Clocked;

/// <summary>
/// A thread of a program: in a woven program it stands for <see cref="Thread"/>. It runs beside the others, a cycle at
/// a time.
/// </summary>
/// <param name="body">The method that it runs.</param>
public sealed class ClockedThread(ThreadStart body)
{
    /// <summary>Has no meaning here.</summary>
    public bool IsBackground { get; set; }

    /// <summary>Has no meaning here.</summary>
    public string? Name { get; set; }

    /// <summary>Starts it: its own elaboration is run behind that of the thread that starts it.</summary>
    public void Start() => CycleClock.Current?.Start(() => body());
}
