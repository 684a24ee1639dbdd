namespace Emu.Direction.Tests;

/// <summary>A service whose label is no literal.</summary>
public sealed class LabelledService : Service
{
    /// <inheritdoc/>
    public override void Process(ref Frame frame) => Direction.Point($"at {frame.Length}");
}
