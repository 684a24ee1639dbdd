namespace Emu.Compiler.Refusals;

/// <summary>Advice for what does not compile.</summary>
/// <param name="Instead">The advice: an imperative without a full stop.</param>
/// <param name="Number">The number of the diagnostic; null for the one that fits its use.</param>
/// <param name="What">The refused action, where the member's name alone does not tell.</param>
internal sealed record WayOut(string Instead, int? Number = null, string? What = null)
{
    /// <summary>The refused action in words.</summary>
    /// <param name="subject">Words for the member, as <see cref="WaysOut.Text"/> makes them.</param>
    public string Describe(string subject) => string.Format(null, What ?? "{0} does not compile", subject);
}
