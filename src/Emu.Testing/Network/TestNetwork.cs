using System.Net;
using System.Text.RegularExpressions;

namespace Emu.Testing;

/// <summary>
/// A small network of the kernel's own hosts around one device, in namespaces that it makes and owns: hosts with
/// addresses, and the <see cref="Device"/>, where the service under test runs. Nothing of it can reach the machine's
/// own network, and nothing of it is left when it is disposed or its process ends, however that ends.
/// </summary>
/// <remarks>
/// Needs Linux and root; <see cref="WhyNot"/> says what is missing. Prints nothing. Not safe for use by several
/// threads, but any number of networks may be there at the same time.
/// </remarks>
public sealed partial class TestNetwork : IDisposable
{
    private static readonly Lazy<string?> s_whyNot = new(FindObstacle);
    private static int s_count;

    private readonly string _prefix = $"{NamespaceOwner.Self.NamePrefix}{Interlocked.Increment(ref s_count)}-";
    private readonly NamespaceGuard _guard;
    private readonly List<TestHost> _hosts = [];
    private readonly List<RunningCommand> _commands = [];
    private int _ports;

    /// <summary>
    /// Makes a network with the device alone, and removes what networks of killed processes have left.
    /// </summary>
    /// <exception cref="TestFailedException">It cannot be made; <see cref="WhyNot"/> would have said why.</exception>
    public TestNetwork()
    {
        if (WhyNot is { } reason) throw new TestFailedException($"a network of namespaces {reason}");
        foreach (var owner in NamespaceOwner.Gone()) new NamespaceGuard(owner.NamePrefix).Dispose();
        _guard = new NamespaceGuard(_prefix);
        try
        {
            Device = AddNamespace("device", null, null, default);
        }
        catch
        {
            _guard.Dispose();
            throw;
        }
    }

    /// <summary>
    /// Null when a network can be made here; otherwise what is missing, as the end of a sentence: <c>needs root</c>.
    /// </summary>
    public static string? WhyNot => s_whyNot.Value;

    /// <summary>
    /// The host of the service under test: it has the device's end of every link,
    /// no addresses, and a kernel that stays silent.
    /// </summary>
    public TestHost Device { get; }

    /// <summary>The hosts, in the order in which they were added.</summary>
    public IReadOnlyList<TestHost> Hosts => _hosts;

    /// <summary>The same as <see cref="WhyNot"/>, for a test that runs these programs too.</summary>
    /// <param name="programs">Looked for in PATH.</param>
    public static string? WhyNotWith(params IEnumerable<string> programs) => WhyNot ?? FindMissing(programs);

    /// <summary>Adds a host that is not connected yet.</summary>
    /// <param name="name">Letters and digits, different from all others.</param>
    /// <param name="ipv4">An address and prefix length such as <c>10.0.0.1/24</c>.</param>
    /// <param name="ipv6">
    /// Such as <c>2001:db8::1/64</c>; usable at once, without duplicate address detection.
    /// Without it the host does not speak IPv6 at all.
    /// </param>
    /// <param name="mac">02:00:00:00:00:01 for the first host, :02 for the second, … when left out.</param>
    /// <exception cref="ArgumentException">The name is taken or has other characters.</exception>
    /// <exception cref="FormatException">An address cannot be read.</exception>
    public TestHost AddHost(string name, string? ipv4 = null, string? ipv6 = null, MacAddress? mac = null)
    {
        if (!NamePattern().IsMatch(name))
            throw new ArgumentException($"'{name}' is not a name of letters and digits", nameof(name));
        if (name == Device.Name || _hosts.Exists(other => other.Name == name))
            throw new ArgumentException($"there is a '{name}' already", nameof(name));
        RequirePrefixLength(ipv4);
        RequirePrefixLength(ipv6);

        var host = AddNamespace(name, ipv4, ipv6, mac ?? new MacAddress(0x0200_0000_0001 + (ulong)_hosts.Count));
        _hosts.Add(host);
        return host;
    }

    /// <summary>Connects a host to the device by a veth pair, without segmentation or checksum offload.</summary>
    /// <returns>The device's interface: <c>port0</c> for the first link, <c>port1</c> for the second, …</returns>
    /// <exception cref="InvalidOperationException">
    /// The host is connected already, or not one of this network.
    /// </exception>
    public string Connect(TestHost host)
    {
        RequireUnconnected(host);
        var port = $"port{_ports++}";
        Ip(
            "-n", Device.Namespace, "link", "add", port, "type", "veth", "peer", "name", "eth0", "netns",
            host.Namespace);
        Ip("-n", Device.Namespace, "link", "set", port, "up");
        DisableOffloads(Device, port);
        Configure(host, "eth0");
        return port;
    }

    /// <summary>Connects two hosts to each other, without the device.</summary>
    /// <exception cref="InvalidOperationException">Either is connected already, or not one of this network.</exception>
    public void Connect(TestHost first, TestHost second)
    {
        RequireUnconnected(first);
        RequireUnconnected(second);
        Ip(
            "-n", first.Namespace, "link", "add", "eth0", "type", "veth", "peer", "name", "eth0", "netns",
            second.Namespace);
        Configure(first, "eth0");
        Configure(second, "eth0");
    }

    /// <summary>
    /// Connects a host to the service by a tap: waits until a process on the device, or this one, has made it, and
    /// moves it to the host. The descriptor of the process keeps working.
    /// </summary>
    /// <param name="host">A host that is not connected yet.</param>
    /// <param name="tap">The interface's name, and <see cref="TestHost.Interface"/> from then on.</param>
    /// <param name="timeout">For the tap to come up; 10 minutes when left out.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <exception cref="TestFailedException">There was no such interface in time.</exception>
    /// <exception cref="InvalidOperationException">
    /// The host is connected already, or not one of this network.
    /// </exception>
    public void AdoptTap(
        TestHost host, string tap, TimeSpan? timeout = null, CancellationToken cancellationToken = default)
    {
        RequireUnconnected(host);
        string[] place = [];
        var limit = timeout ?? RunningCommand.DefaultTimeout;
        if (!Wait.Until(() => TryFind(["-n", Device.Namespace]) || TryFind([]), limit, cancellationToken))
            throw new TestFailedException($"no process has made the tap '{tap}' for {host.Name} in time");

        Ip([.. place, "link", "set", tap, "netns", host.Namespace]);
        Configure(host, tap);

        bool TryFind(string[] where)
        {
            place = where;
            using var command = RunningCommand.Start("ip", [.. where, "tuntap", "show"]);
            return command.WaitForExit(null, cancellationToken).Output
                .Split('\n').Any(line => line.StartsWith(tap + ": tap", StringComparison.Ordinal));
        }
    }

    /// <summary>Ends every process in the network and removes it. Takes some seconds at most.</summary>
    /// <exception cref="TestFailedException">Something is left.</exception>
    public void Dispose()
    {
        foreach (var command in _commands) command.Dispose();
        _commands.Clear();
        _guard.Dispose();
    }

    /// <summary>Ends <paramref name="command"/> with this network.</summary>
    internal void Own(RunningCommand command) => _commands.Add(command);

    private TestHost AddNamespace(string name, string? ipv4, string? ipv6, MacAddress mac)
    {
        var host = new TestHost(this, name, _prefix + name, ipv4, ipv6, mac);
        Ip("netns", "add", host.Namespace);
        Ip("-n", host.Namespace, "link", "set", "lo", "up");
        host.Inside(() => SetIPv6(ipv6 is not null));
        return host;
    }

    /// <summary>
    /// Without addresses the kernel would still send neighbor discovery of its own, and answer it: frames that no test
    /// has asked for. With them, duplicate address detection would hold the addresses back for a second or two; both
    /// settings must be 0 for none.
    /// </summary>
    private static bool SetIPv6(bool enabled)
    {
        const string Settings = "/proc/sys/net/ipv6/conf/";
        if (!Directory.Exists(Settings))
            return !enabled ? true : throw new TestFailedException("this kernel has no IPv6");
        foreach (var scope in new[] { "all", "default" })
        {
            File.WriteAllText($"{Settings}{scope}/disable_ipv6", enabled ? "0" : "1");
            File.WriteAllText($"{Settings}{scope}/accept_dad", "0");
        }
        return true;
    }

    private static void Configure(TestHost host, string name)
    {
        host.Interface = name;
        Ip("-n", host.Namespace, "link", "set", name, "address", host.Mac.ToString());
        Ip("-n", host.Namespace, "link", "set", name, "up");
        if (host.IPv4Prefix is { } ipv4) Ip("-n", host.Namespace, "address", "add", ipv4, "dev", name);
        if (host.IPv6Prefix is { } ipv6) Ip("-n", host.Namespace, "address", "add", ipv6, "dev", name, "nodad");
        DisableOffloads(host, name);
    }

    /// <summary>
    /// Turns offloads off. With them on, frames on a veth are longer than the MTU
    /// and their checksums are not filled in, unlike on any wire.
    /// </summary>
    private static void DisableOffloads(TestHost host, string name)
    {
        if (FindMissing(["ethtool"]) is not null) return;
        host.Run("ethtool", ["-K", name, "tx", "off", "gro", "off", "gso", "off", "tso", "off"]).EnsureSuccess();
    }

    private static void RequirePrefixLength(string? prefix)
    {
        if (prefix is null) return;
        if (prefix.Split('/') is [var address, var length]
            && IPAddress.TryParse(address, out _) && byte.TryParse(length, out _))
            return;
        throw new FormatException($"'{prefix}' is not an address with a prefix length such as 10.0.0.1/24");
    }

    private void RequireUnconnected(TestHost host)
    {
        if (!_hosts.Contains(host)) throw new InvalidOperationException($"{host.Name} is no host of this network");
        if (host.Interface is not null) throw new InvalidOperationException($"{host.Name} is connected already");
    }

    private static void Ip(params IEnumerable<string> arguments)
    {
        using var command = RunningCommand.Start("ip", arguments);
        command.WaitForExit().EnsureSuccess();
    }

    private static string? FindMissing(IEnumerable<string> programs)
    {
        var folders = Environment.GetEnvironmentVariable("PATH")?.Split(Path.PathSeparator) ?? [];
        return programs.FirstOrDefault(program => !folders.Any(folder => File.Exists(Path.Combine(folder, program))))
                is { } missing
            ? $"needs the program '{missing}'" : null;
    }

    /// <summary>Even root may not make namespaces, in a container for instance: only trying tells.</summary>
    private static string? FindObstacle()
    {
        if (!OperatingSystem.IsLinux()) return "needs Linux";
        if (!Environment.IsPrivilegedProcess) return "needs root";
        if (FindMissing(["ip", "setsid", "env", "sh"]) is { } missing) return missing;

        var probe = $"{NamespaceOwner.Self.NamePrefix}0-probe";
        using var guard = new NamespaceGuard(probe);
        using var command = RunningCommand.Start("ip", ["netns", "add", probe]);
        var result = command.WaitForExit();
        return result.ExitCode == 0 ? null : $"needs the right to make namespaces: {result.Error.Trim()}";
    }

    [GeneratedRegex("^[A-Za-z0-9]+$")]
    private static partial Regex NamePattern();
}
