using Emu.Compiler.IR;

namespace Emu.Compiler.Passes;

/// <summary>
/// The loops of a service that could not be written out: until one of them has changed, or what is written, it is not
/// tried again, which is much work for a long one.
/// </summary>
internal sealed class KeptLoops
{
    private readonly Dictionary<Block, (List<object> Parts, ulong Written)> _kept = [];

    /// <summary>True if a loop is as it was when it was kept.</summary>
    /// <param name="header">Its header.</param>
    /// <param name="body">Its blocks, in the order of the function.</param>
    /// <param name="written">A fingerprint of the state that some function writes.</param>
    public bool Has(Block header, IReadOnlyList<Block> body, ulong written) =>
        _kept.TryGetValue(header, out var before) && before.Written == written
        && FunctionParts.AreWithEnds(before.Parts, body);

    /// <summary>Notes that a loop could not be written out.</summary>
    public void Add(Block header, IReadOnlyList<Block> body, ulong written) =>
        _kept[header] = (FunctionParts.WithEnds(body), written);
}
