using System.Diagnostics;

namespace Emu.Testing;

/// <summary>
/// Removes every namespace whose name starts with a prefix, and whatever runs in there, as soon as its standard input
/// closes. It is a process of its own, so that this happens however its owner ends: by itself, by Ctrl-C, or killed.
/// </summary>
internal sealed class NamespaceGuard : IDisposable
{
    /// <summary>The directory in which iproute2 keeps named namespaces (ip-netns(8)).</summary>
    public const string Directory = "/run/netns";

    // Twice over the processes: one may have forked while the first list was made. Its own streams go nowhere, since
    // whoever reads the owner's output waits until the last holder has closed it.
    private const string Script = """
        exec >/dev/null 2>&1
        trap '' HUP INT TERM
        cat
        for file in /run/netns/"$1"*; do
            name=${file##*/}
            for pass in 1 2; do
                for pid in $(ip netns pids "$name"); do kill -KILL "$pid"; done
            done
            ip netns delete "$name"
        done
        """;

    private static readonly TimeSpan s_timeout = TimeSpan.FromMinutes(10);

    private readonly Process _process;
    private readonly string _prefix;

    /// <summary>Stands guard over the namespaces whose names start with <paramref name="prefix"/>.</summary>
    public NamespaceGuard(string prefix)
    {
        _prefix = prefix;
        // A session of its own: Ctrl-C in a terminal and a kill of the owner's process group pass it by.
        _process = Process.Start(new ProcessStartInfo("setsid", ["sh", "-c", Script, "emu-guard", prefix])
        {
            RedirectStandardInput = true,
        })!;
    }

    /// <summary>Removes them, and waits until that is done.</summary>
    /// <exception cref="TestFailedException">Some are left, or it took too long.</exception>
    public void Dispose()
    {
        _process.StandardInput.Close();
        var ended = _process.WaitForExit(s_timeout);
        _process.Dispose();
        var left = System.IO.Directory.Exists(Directory) ? System.IO.Directory.GetFiles(Directory, _prefix + "*") : [];
        if (!ended || left.Length > 0)
            throw new TestFailedException($"the namespaces {_prefix}* could not be removed: {string.Join(' ', left)}");
    }
}
