namespace Emu.Services;

/// <summary>Writes the answers of the text protocol.</summary>
internal sealed class TextAnswer(Items items, Message message, Statistics statistics)
{
    /// <summary>Adds an outcome by its line, and what it has in front of that.</summary>
    public void AddOutcome(Outcome outcome, uint now)
    {
        if (outcome == Outcome.Counted) message.Add(PartKind.Decimal, items.Number);
        else if (outcome == Outcome.Statistics) AddStatistics(now);
        message.AddText(Phrases.LineOf(outcome));
    }

    /// <summary>Adds VALUE, key, flags, length and unique number; the value in a line of its own.</summary>
    public void AddItem(bool showsUnique)
    {
        var item = items.CurrentItem;
        message.AddText(Phrases.Value);
        message.Add(PartKind.Key);
        AddWord(item.Flags);
        AddWord((uint)items.CurrentLength);
        if (showsUnique) AddWord(item.Unique);
        message.AddText(Phrases.NewLine);
        message.Add(PartKind.Value);
        message.AddText(Phrases.NewLine);
    }

    private void AddWord(ulong number)
    {
        message.AddText(Phrases.Blank);
        message.Add(PartKind.Decimal, number);
    }

    /// <summary>A line each: STAT, name, value.</summary>
    private void AddStatistics(uint now)
    {
        for (var number = 0; number < Statistics.Count; number++)
        {
            message.AddText(Phrases.Statistic);
            message.AddText(Phrases.NameOf((Statistic)number));
            message.AddText(Phrases.Blank);
            statistics.AddValue(message, (Statistic)number, now);
            message.AddText(Phrases.NewLine);
        }
    }
}
