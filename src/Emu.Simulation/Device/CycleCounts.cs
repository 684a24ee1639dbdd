namespace Emu.Simulation;

/// <summary>A histogram of numbers of cycles; any thread may look.</summary>
public sealed class CycleCounts
{
    private readonly SortedDictionary<long, long> _counts = [];
    private readonly Lock _lock = new();
    private long _count;

    /// <summary>The number of entries that were added.</summary>
    public long Count
    {
        get
        {
            lock (_lock) return _count;
        }
    }

    /// <summary>The least; null when there is none.</summary>
    public long? Least => At(0);

    /// <summary>The one in the middle, of an even number the lower; null when there is none.</summary>
    public long? Median => At(0.5);

    /// <summary>The greatest; null when there is none.</summary>
    public long? Most => At(1);

    /// <summary>Adds one.</summary>
    /// <param name="cycles">A number of cycles.</param>
    public void Add(long cycles)
    {
        lock (_lock)
        {
            _counts[cycles] = _counts.GetValueOrDefault(cycles) + 1;
            _count++;
        }
    }

    private long? At(double share)
    {
        lock (_lock)
        {
            var left = (long)((_count - 1) * share);
            foreach (var (cycles, count) in _counts)
            {
                if (left < count) return cycles;
                left -= count;
            }
            return null;
        }
    }
}
