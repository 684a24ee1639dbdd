namespace Emu.Testing;

/// <summary>What a service was held to by <see cref="Ladder.Check"/>.</summary>
/// <param name="Rungs">Where it ran and did the same, .NET first.</param>
/// <param name="Skipped">Where it did not run, each with the reason.</param>
/// <param name="Received">Frames that it received.</param>
/// <param name="Sent">Frames that it sent: if there are none, little was compared.</param>
public sealed record LadderResult(IReadOnlyList<string> Rungs, IReadOnlyList<string> Skipped, int Received, int Sent)
{
    /// <summary>All of that on a few lines.</summary>
    public override string ToString() => string.Concat(
        [$"{Received} frames in, {Sent} out, the same on:", .. Rungs.Select(rung => $"\n  {rung}"), .. Skipped.Select(skipped => $"\nnot on {skipped}")]);
}
