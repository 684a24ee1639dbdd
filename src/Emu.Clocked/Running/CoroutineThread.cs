namespace Emu.Clocked;

/// <summary>A thread of a program that is a <see cref="Coroutine"/> of the thread of the run.</summary>
/// <param name="body">Its code, woven.</param>
/// <param name="isLate">True if it begins in the next cycle.</param>
internal sealed class CoroutineThread(Action body, bool isLate) : ProgramThread
{
    private readonly Coroutine _coroutine = new(body);
    private bool _isLate = isLate;

    /// <summary>True once its elaboration is done.</summary>
    public bool IsElaborated { get; private set; }

    /// <inheritdoc/>
    public override void Step()
    {
        if (HasEnded) return;
        try
        {
            HasEnded = !_isLate && !_coroutine.Step();
        }
        catch (Exception exception)
        {
            (Fault, HasEnded) = (exception, true);
        }
        (_isLate, IsElaborated) = (false, true);
    }

    /// <summary>It holds nothing.</summary>
    public override void Dispose()
    {
    }
}
