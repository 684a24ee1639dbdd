namespace Emu.Compiler.Dialect;

/// <summary>The places at which a variable is needed: in each state from one place on, up to another.</summary>
internal sealed class LiveRange
{
    private readonly Dictionary<ProgramState, (int From, int To)> _places = [];

    /// <summary>True if it does not go from one state to another.</summary>
    public bool IsInOneState => _places.Count == 1;

    /// <summary>Makes the range longer.</summary>
    /// <param name="state">The state.</param>
    /// <param name="from">The first place.</param>
    /// <param name="to">The place behind the last; what begins there does not overlap.</param>
    public void Add(ProgramState state, int from, int to) =>
        _places[state] = _places.TryGetValue(state, out var known)
            ? (Math.Min(known.From, from), Math.Max(known.To, to))
            : (from, to);

    /// <summary>True if a place is in both.</summary>
    public bool Overlaps(LiveRange other) => _places.Any(entry =>
        other._places.TryGetValue(entry.Key, out var places)
        && entry.Value.From < places.To && places.From < entry.Value.To);
}
