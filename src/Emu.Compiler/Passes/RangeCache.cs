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
    private (Function Function, Ranges Ranges, List<object> Parts, PathRanges Facts)? _path;

    /// <summary>The ranges of functions.</summary>
    /// <param name="functions">The functions; the events of each are always the same.</param>
    public Ranges Of(IReadOnlyList<(Function Function, EventRange Events)> functions)
    {
        var now = functions.Select(each => each.Function);
        if (_ranges is not null && FunctionParts.AreOf(_before, now)) return _ranges;
        (_before, _ranges) = (FunctionParts.Of(now), new Ranges(functions));
        return _ranges;
    }

    /// <summary>The ranges at each place of one of the functions.</summary>
    /// <param name="function">The function.</param>
    /// <param name="events">The events that it takes.</param>
    /// <param name="ranges">The ranges of all functions, as they are now.</param>
    public PathRanges At(Function function, EventRange events, Ranges ranges)
    {
        if (_path is var (before, global, parts, facts) && before == function && global == ranges
            && FunctionParts.AreWithEnds(parts, function.Blocks()))
            return facts;
        facts = new PathRanges(function, events, ranges);
        _path = (function, ranges, FunctionParts.WithEnds(function), facts);
        return facts;
    }
}
