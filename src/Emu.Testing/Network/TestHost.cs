using System.ComponentModel;
using System.Runtime.ExceptionServices;
using System.Runtime.InteropServices;

namespace Emu.Testing;

/// <summary>
/// A network namespace of a <see cref="TestNetwork"/>: a host with its addresses,
/// or the device that the service under test runs on.
/// </summary>
public sealed class TestHost
{
    private readonly TestNetwork _network;

    internal TestHost(TestNetwork network, string name, string ns, string? ipv4, string? ipv6, MacAddress mac)
    {
        _network = network;
        Name = name;
        Namespace = ns;
        IPv4Prefix = ipv4;
        IPv6Prefix = ipv6;
        Mac = mac;
    }

    /// <summary>The name of the host in the test.</summary>
    public string Name { get; }

    /// <summary>The name of its namespace in ip-netns(8).</summary>
    public string Namespace { get; }

    /// <summary>The host's interface once it is connected; null before, and always for the device.</summary>
    public string? Interface { get; internal set; }

    /// <summary>The address of <see cref="Interface"/>.</summary>
    public MacAddress Mac { get; }

    /// <summary>
    /// The address given to <see cref="TestNetwork.AddHost"/>, without its prefix length; null when there was none.
    /// </summary>
    public IPv4Address? IPv4 => IPv4Prefix is null ? null : IPv4Address.Parse(IPv4Prefix.Split('/')[0]);

    /// <inheritdoc cref="IPv4"/>
    public IPv6Address? IPv6 => IPv6Prefix is null ? null : IPv6Address.Parse(IPv6Prefix.Split('/')[0]);

    internal string? IPv4Prefix { get; }

    internal string? IPv6Prefix { get; }

    /// <summary>Runs a command in here and waits for its end.</summary>
    /// <param name="program">Found by PATH, or a path.</param>
    /// <param name="arguments">The arguments as they are: no shell reads them.</param>
    /// <param name="timeout">After which it and its process group are ended by force; 10 minutes when left out.</param>
    /// <param name="cancellationToken">Ends it likewise.</param>
    /// <returns>Whatever the exit code; see <see cref="CommandResult.EnsureSuccess"/>.</returns>
    /// <exception cref="TestFailedException">It took too long.</exception>
    /// <exception cref="OperationCanceledException"><paramref name="cancellationToken"/> asked for it.</exception>
    public CommandResult Run(
        string program,
        IEnumerable<string> arguments,
        TimeSpan? timeout = null,
        CancellationToken cancellationToken = default)
    {
        using var command = RunningCommand.Start("ip", ["netns", "exec", Namespace, program, .. arguments]);
        return command.WaitForExit(timeout, cancellationToken);
    }

    /// <summary>Starts a command in here. It ends with the network at the latest.</summary>
    /// <param name="program">Found by PATH, or a path.</param>
    /// <param name="arguments">The arguments as they are: no shell reads them.</param>
    public RunningCommand Start(string program, IEnumerable<string> arguments)
    {
        var command = RunningCommand.Start("ip", ["netns", "exec", Namespace, program, .. arguments]);
        _network.Own(command);
        return command;
    }

    /// <summary>
    /// Calls <paramref name="function"/> on a thread that is in here: the sockets and taps that it opens belong to this
    /// namespace for as long as they live, whichever thread uses them. So a service can run in the test's own process.
    /// </summary>
    /// <exception cref="TestFailedException">The namespace cannot be entered.</exception>
    public T Inside<T>(Func<T> function)
    {
        T? result = default;
        ExceptionDispatchInfo? fault = null;
        // A thread of its own, which ends here: one from the pool would take the namespace along to its next work.
        var thread = new Thread(() =>
        {
            try
            {
                Enter();
                result = function();
            }
            catch (Exception e)
            {
                fault = ExceptionDispatchInfo.Capture(e);
            }
        });
        thread.Start();
        thread.Join();
        fault?.Throw();
        return result!;
    }

    /// <summary>The name.</summary>
    public override string ToString() => Name;

    private void Enter()
    {
        using var descriptor = File.OpenHandle(Path.Combine(NamespaceGuard.Directory, Namespace));
        if (Libc.SetNamespace(descriptor, Libc.NetworkNamespace) != 0)
            throw new TestFailedException(
                $"the namespace {Namespace} cannot be entered: "
                + $"{new Win32Exception(Marshal.GetLastPInvokeError()).Message}");
    }
}
