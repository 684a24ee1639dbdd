namespace Emu.Services;

/// <summary>The values of <c>stats</c>.</summary>
internal sealed class Statistics(Items items, MemcachedCounters counters)
{
    public const int Count = (int)Statistic.Evictions + 1;

    /// <summary>The value of a statistic but of <see cref="Statistic.Version"/>, which is no number.</summary>
    public ulong ValueOf(Statistic statistic, uint now) => statistic switch
    {
        Statistic.Time => now,
        Statistic.CmdGet => counters.GetHits.Value + counters.GetMisses.Value,
        Statistic.CmdSet => counters.CmdSet.Value,
        Statistic.CmdFlush => counters.CmdFlush.Value,
        Statistic.CmdTouch => counters.TouchHits.Value + counters.TouchMisses.Value,
        Statistic.GetHits => counters.GetHits.Value,
        Statistic.GetMisses => counters.GetMisses.Value,
        Statistic.DeleteMisses => counters.DeleteMisses.Value,
        Statistic.DeleteHits => counters.DeleteHits.Value,
        Statistic.IncrMisses => counters.IncrMisses.Value,
        Statistic.IncrHits => counters.IncrHits.Value,
        Statistic.DecrMisses => counters.DecrMisses.Value,
        Statistic.DecrHits => counters.DecrHits.Value,
        Statistic.CasMisses => counters.CasMisses.Value,
        Statistic.CasHits => counters.CasHits.Value,
        Statistic.CasBadval => counters.CasBadval.Value,
        Statistic.TouchHits => counters.TouchHits.Value,
        Statistic.TouchMisses => counters.TouchMisses.Value,
        Statistic.LimitMaxbytes => (ulong)items.Memory,
        Statistic.Bytes => (ulong)items.UsedMemory,
        Statistic.CurrItems => (ulong)items.Count,
        Statistic.TotalItems => counters.TotalItems.Value,
        _ => counters.Evictions.Value,
    };

    /// <summary>Adds the value of a statistic to an answer.</summary>
    public void AddValue(Message message, Statistic statistic, uint now)
    {
        if (statistic == Statistic.Version) message.AddText(Phrases.Version);
        else message.Add(PartKind.Decimal, ValueOf(statistic, now));
    }
}
