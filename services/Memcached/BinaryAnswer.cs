using Emu.Protocols;

namespace Emu.Services;

/// <summary>Writes the answers of the binary protocol.</summary>
internal sealed class BinaryAnswer(Items items, Message message, Statistics statistics)
{
    /// <summary>Adds the answer to a request.</summary>
    /// <param name="request">The request.</param>
    /// <param name="command">Its command.</param>
    /// <param name="outcome">Its outcome.</param>
    /// <param name="now">The time in seconds.</param>
    public void Add(MemcachedMessage request, BinaryCommand command, Outcome outcome, uint now)
    {
        var status = StatusOf(command.Operation, outcome);
        var hasItem = outcome is Outcome.Found or Outcome.Touched or Outcome.Stored or Outcome.Counted;
        message.Header.Begin(request);
        message.Header.Status = status;
        message.Header.Unique = hasItem ? items.CurrentItem.Unique : 0;
        if (outcome == Outcome.Statistics) AddStatistics(now);

        var hasFlags = outcome is Outcome.Found or Outcome.Touched;
        var hasKey = command.ShowsKey && outcome is Outcome.Found or Outcome.NotFound;
        message.AddHeader(hasKey ? request.KeyLength : 0, hasFlags ? sizeof(uint) : 0);
        if (hasFlags) message.Add(PartKind.UInt32, items.CurrentItem.Flags);
        if (hasKey) message.Add(PartKind.Key);
        if (outcome == Outcome.Found) message.Add(PartKind.Value);
        else if (outcome == Outcome.Counted) message.Add(PartKind.UInt64, items.Number);
        else if (outcome == Outcome.Version) message.AddText(Phrases.Version);
        else if (!hasKey) message.AddText(Phrases.TextOf(status));
    }

    /// <summary>An answer each, of its name and its value; the one that ends them has neither.</summary>
    private void AddStatistics(uint now)
    {
        for (var number = 0; number < Statistics.Count; number++)
        {
            var name = Phrases.NameOf((Statistic)number);
            message.AddHeader(message.LengthOf(name), 0);
            message.AddText(name);
            statistics.AddValue(message, (Statistic)number, now);
        }
    }

    private static MemcachedStatus StatusOf(Operation operation, Outcome outcome) => outcome switch
    {
        Outcome.NotFound => MemcachedStatus.KeyNotFound,
        Outcome.Exists => MemcachedStatus.KeyExists,
        Outcome.NotStored => operation switch
        {
            Operation.Add => MemcachedStatus.KeyExists,
            Operation.Replace => MemcachedStatus.KeyNotFound,
            _ => MemcachedStatus.NotStored,
        },
        Outcome.NotNumeric => MemcachedStatus.NonNumeric,
        Outcome.BadArguments => MemcachedStatus.InvalidArguments,
        Outcome.Error or Outcome.BadLengths => MemcachedStatus.UnknownCommand,
        _ => MemcachedStatus.Success,
    };
}
