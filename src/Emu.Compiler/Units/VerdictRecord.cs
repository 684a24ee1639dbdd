using Emu.Compiler.IR;

namespace Emu.Compiler.Units;

/// <summary>Values that are kept beside a frame's verdict until it leaves, each once; constants need not be.</summary>
internal sealed class VerdictRecord
{
    private readonly List<Value> _values = [];

    /// <summary>Declares it.</summary>
    /// <param name="values">The values, in the stage of the verdict.</param>
    public VerdictRecord(IEnumerable<Value> values)
    {
        foreach (var value in values)
            if (value is not Constant && !_values.Contains(value, ReferenceEqualityComparer.Instance))
                _values.Add(value);
    }

    /// <summary>The values that are kept.</summary>
    public IReadOnlyList<Value> Values => _values;

    /// <summary>A value as it was kept.</summary>
    /// <param name="value">The value, in the stage of the verdict.</param>
    /// <param name="kept">What was kept of the frame that leaves.</param>
    public Value Of(Value value, IReadOnlyList<Value> kept) =>
        value is Constant ? value : kept[_values.FindIndex(known => ReferenceEquals(known, value))];
}
