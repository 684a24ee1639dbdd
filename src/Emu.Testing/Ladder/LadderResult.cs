namespace Emu.Testing;

/// <summary>The result of <see cref="Ladder.Check"/>.</summary>
/// <param name="Rungs">The rungs on which the service ran and did the same, .NET first.</param>
/// <param name="Skipped">The rungs on which it did not run, each with the reason.</param>
/// <param name="Received">Frames that it received.</param>
/// <param name="Sent">Frames that it sent: if there are none, little was compared.</param>
public sealed record LadderResult(IReadOnlyList<string> Rungs, IReadOnlyList<string> Skipped, int Received, int Sent)
{
    /// <summary>The whole result on a few lines.</summary>
    public override string ToString() => string.Concat(
        [
            $"{Received} frames in, {Sent} out, the same on:",
            .. Rungs.Select(rung => $"\n  {rung}"),
            .. Skipped.Select(skipped => $"\nnot on {skipped}"),
        ]);
}
