using System.Globalization;

namespace Emu.Testing;

/// <summary>
/// The process that a namespace belongs to, as its name says: <c>emu-PID-START-…</c>. The start time, in clock ticks
/// since boot, tells a process from a later one with the same number.
/// </summary>
/// <param name="ProcessId">The number of the process.</param>
/// <param name="Start">Field 22 of proc_pid_stat(5).</param>
internal readonly record struct NamespaceOwner(int ProcessId, ulong Start)
{
    private const string Prefix = "emu-";

    /// <summary>
    /// The field of proc_pid_stat(5) that holds the start time, counted from the one after the command's
    /// name, which is the third.
    /// </summary>
    private const int StartField = 22 - 3;

    /// <summary>This process.</summary>
    public static NamespaceOwner Self { get; } = new(Environment.ProcessId, StartOf(Environment.ProcessId) ?? 0);

    /// <summary>The prefix of the names of its namespaces.</summary>
    public string NamePrefix => $"{Prefix}{ProcessId}-{Start}-";

    /// <summary>True if the process still runs.</summary>
    public bool IsAlive => StartOf(ProcessId) == Start;

    /// <summary>The owners whose namespaces are there although they no longer run.</summary>
    public static IEnumerable<NamespaceOwner> Gone()
    {
        if (!Directory.Exists(NamespaceGuard.Directory)) return [];
        return
        [
            .. Directory.GetFiles(NamespaceGuard.Directory, Prefix + "*").Select(file => Parse(Path.GetFileName(file)))
                .OfType<NamespaceOwner>().Distinct().Where(owner => !owner.IsAlive)];
    }

    private static NamespaceOwner? Parse(string name)
    {
        var parts = name[Prefix.Length..].Split('-');
        if (parts.Length < 3 || !int.TryParse(parts[0], NumberStyles.None, null, out var id)) return null;
        return ulong.TryParse(parts[1], NumberStyles.None, null, out var start) ? new NamespaceOwner(id, start) : null;
    }

    private static ulong? StartOf(int id)
    {
        try
        {
            // The name is in parentheses and may hold anything; the last one closes it.
            var status = File.ReadAllText($"/proc/{id}/stat");
            return ulong.Parse(status[(status.LastIndexOf(')') + 2)..].Split(' ')[StartField]);
        }
        catch (IOException)
        {
            return null;
        }
    }
}
