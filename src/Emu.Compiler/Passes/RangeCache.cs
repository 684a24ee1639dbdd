using Emu.Compiler.IR;

namespace Emu.Compiler.Passes;

/// <summary>
/// The ranges of functions as they were when somebody last asked: as long as nothing that ranges depend on has changed,
/// they are not computed again.
/// </summary>
internal sealed class RangeCache
{
    private List<object> _before = [];
    private Ranges? _ranges;

    /// <summary>The ranges of functions.</summary>
    /// <param name="functions">The functions; the events of each are always the same.</param>
    public Ranges Of(IReadOnlyList<(Function Function, EventRange Events)> functions)
    {
        var now = functions.Select(each => each.Function);
        if (_ranges is not null && FunctionParts.AreOf(_before, now)) return _ranges;
        (_before, _ranges) = (FunctionParts.Of(now), new Ranges(functions));
        return _ranges;
    }
}
