using Emu.Protocols;

namespace Emu.Services;

/// <summary>The texts that answers are made of, by their numbers.</summary>
internal static class Phrases
{
    public const int Value = 0, Statistic = 1, Blank = 2, NewLine = 3, Version = 4;

    private const int FirstLine = 5;
    private const int FirstStatus = FirstLine + (int)Outcome.BadLengths + 1;
    private const int FirstName = FirstStatus + (int)MemcachedStatus.NonNumeric + 2;

    /// <summary>The line by which the text protocol says an outcome.</summary>
    public static int LineOf(Outcome outcome) => FirstLine + (int)outcome;

    /// <summary>The text of a status of the binary protocol, as memcached has it.</summary>
    public static int TextOf(MemcachedStatus status) =>
        FirstStatus + (int)(status == MemcachedStatus.UnknownCommand ? MemcachedStatus.NonNumeric + 1 : status);

    /// <summary>The name of a statistic.</summary>
    public static int NameOf(Statistic statistic) => FirstName + (int)statistic;

    /// <summary>All of them.</summary>
    public static string[] All() =>
    [
        "VALUE ", "STAT ", " ", "\r\n", Memcached.Version,
        .. Enum.GetValues<Outcome>().Select(Line),
        "", "Not found", "Data exists for key.", "Too large.", "Invalid arguments", "Not stored.",
        "Non-numeric server-side value for incr or decr", "Unknown command",
        .. Enum.GetNames<Statistic>().Select(WithUnderscores),
    ];

    private static string Line(Outcome outcome) => outcome switch
    {
        Outcome.Stored => "STORED\r\n",
        Outcome.NotStored => "NOT_STORED\r\n",
        Outcome.Exists => "EXISTS\r\n",
        Outcome.NotFound => "NOT_FOUND\r\n",
        Outcome.Deleted => "DELETED\r\n",
        Outcome.Touched => "TOUCHED\r\n",
        Outcome.Ok => "OK\r\n",
        Outcome.NotNumeric => "CLIENT_ERROR cannot increment or decrement non-numeric value\r\n",
        Outcome.BadFormat => "CLIENT_ERROR bad command line format\r\n",
        Outcome.BadDataChunk => "CLIENT_ERROR bad data chunk\r\n",
        Outcome.BadExpiry => "CLIENT_ERROR invalid exptime argument\r\n",
        Outcome.BadDelta => "CLIENT_ERROR invalid numeric delta argument\r\n",
        Outcome.BadDelete => "CLIENT_ERROR bad command line format.  Usage: delete <key> [noreply]\r\n",
        Outcome.Version => $"VERSION {Memcached.Version}\r\n",
        Outcome.Counted => "\r\n",
        Outcome.End or Outcome.Statistics => "END\r\n",
        Outcome.Error => "ERROR\r\n",
        _ => "",
    };

    private static string WithUnderscores(string name) =>
        string.Concat(name.Select((c, i) => char.IsUpper(c) && i > 0 ? $"_{c}" : $"{c}")).ToLowerInvariant();
}
