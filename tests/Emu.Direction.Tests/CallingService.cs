namespace Emu.Direction.Tests;

/// <summary>A service with a method that it calls for every frame.</summary>
public sealed class CallingService : Service
{
    /// <summary>The bytes of all frames.</summary>
    public int Bytes { get; private set; }

    /// <inheritdoc/>
    public override void Process(ref Frame frame)
    {
        Add(frame.Length);
        frame.Reply();
    }

    private void Add(int length)
    {
        Bytes += length;
    }
}
