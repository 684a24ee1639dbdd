namespace Emu.Samples;

/// <summary>
/// Joins ports 0 and 1, and shows a third what passes: each frame leaves by the other port, and a copy of it by the
/// mirror port, cut to its first bytes if that is asked for (as RSPAN and ERSPAN do).
/// </summary>
/// <remarks>What comes by the mirror port is dropped.</remarks>
/// <example>--mirror 2</example>
/// <param name="mirror">The port of the copies, from 2.</param>
/// <param name="snap">The most bytes of a copy; 0 for all.</param>
public sealed class Mirror(byte mirror = 2, int snap = 0) : Service
{
    private static readonly PortId s_left = new(0), s_right = new(1);

    private readonly PortSet _mirror = mirror >= 2
        ? PortSet.Of(new PortId(mirror))
        : throw new ArgumentOutOfRangeException(nameof(mirror), mirror, "ports 0 and 1 are those that are joined");

    /// <summary>Frames forwarded.</summary>
    public Counter Forwarded { get; } = new();

    /// <inheritdoc/>
    public override void Process(ref Frame frame)
    {
        if (frame.Ingress == s_left) frame.ForwardTo(s_right);
        else if (frame.Ingress == s_right) frame.ForwardTo(s_left);
        else return;
        frame.Send(_mirror, snap == 0 ? frame.Length : Math.Min(frame.Length, snap));
        Forwarded.Increment();
    }
}
