using Emu.Compiler.IR;

namespace Emu.Compiler.Pipelines;

/// <summary>
/// The earliest stages in which a frame may look at state: at a register or a memory, and at the parts of writes of
/// frames ahead. They only rise.
/// </summary>
internal sealed class EarliestLooks
{
    private readonly Dictionary<StateElement, int> _ofState = [];
    private readonly Dictionary<Value, int> _ofParts = new(ReferenceEqualityComparer.Instance);

    /// <summary>The parts of writes that have such a stage.</summary>
    public IEnumerable<(Value Part, int Stage)> Parts => _ofParts.Select(part => (part.Key, part.Value));

    /// <summary>The stage of a register or a memory.</summary>
    public int At(StateElement element) => _ofState.GetValueOrDefault(element);

    /// <summary>The stage of a part of a write.</summary>
    public int At(Value part) => _ofParts.GetValueOrDefault(part);

    /// <summary>Looks at a register or a memory no earlier than in a stage; false if it is so already.</summary>
    public bool Raise(StateElement element, int stage) => Raise(_ofState, element, stage);

    /// <summary>Looks at a part of a write no earlier than in a stage; false if it is so already.</summary>
    public bool Raise(Value part, int stage) => Raise(_ofParts, part, stage);

    private static bool Raise<TKey>(Dictionary<TKey, int> stages, TKey key, int stage)
        where TKey : notnull
    {
        if (stage <= stages.GetValueOrDefault(key)) return false;
        stages[key] = stage;
        return true;
    }
}
