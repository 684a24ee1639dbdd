using System.Diagnostics;
using Emu.Hosting;

namespace Emu.Tool;

/// <summary>
/// Installs Debian packages that a verb uses. Failures are reported once;
/// tests that need a missing package are then skipped.
/// </summary>
internal static class Prerequisites
{
    /// <summary>Programs of the demo, each with its package.</summary>
    public static readonly (string Program, string Package)[] Demo =
    [
        ("ip", "iproute2"), ("ping", "iputils-ping"), ("ethtool", "ethtool"),
    ];

    /// <summary>Icarus Verilog.</summary>
    public static readonly (string Program, string Package)[] Icarus = [("iverilog", "iverilog"), ("vvp", "iverilog")];

    /// <summary>Verilator, and what it compiles with.</summary>
    public static readonly (string Program, string Package)[] Verilator =
    [
        ("verilator", "verilator"), ("g++", "g++"), ("make", "make"),
    ];

    /// <summary>Programs that the tests use besides.</summary>
    public static readonly (string Program, string Package)[] Tests =
    [
        .. Demo, .. Icarus, .. Verilator, ("yosys", "yosys"), ("tclsh", "tcl"),
        ("arping", "arping"), ("iperf3", "iperf3"), ("iperf", "iperf"), ("tshark", "tshark"),
        ("tcpdump", "tcpdump"), ("scapy", "python3-scapy"), ("mn", "mininet"),
        ("nmap", "nmap"), ("nping", "nmap"), ("hping3", "hping3"), ("tcptraceroute", "tcptraceroute"),
        ("killall", "psmisc"), ("curl", "curl"), ("dig", "bind9-dnsutils"), ("turnutils_natdiscovery", "coturn"),
        ("iptables-legacy", "iptables"), ("bridge", "iproute2"), ("sysctl", "procps"),
        ("node", "nodejs"), ("npm", "npm"), ("memcached", "memcached"), ("memcaslap", "libmemcached-tools"),
        ("kdig", "knot-dnsutils"), ("drill", "ldnsutils"), ("dnsperf", "dnsperf"),
    ];

    /// <summary>Programs that the benchmarks use, and without which they are skipped.</summary>
    public static readonly (string Program, string Package)[] Benchmarks =
    [
        .. Demo, ("taskset", "util-linux"), ("nice", "coreutils"), ("cc", "gcc libc6-dev"), ("nft", "nftables"),
        ("iptables-legacy-restore", "iptables"), ("iptables-nft-restore", "iptables"),
        ("memcached", "memcached"),
    ];

    /// <summary>Installs what is absent, if this is root on Debian or Ubuntu.</summary>
    public static void Install((string Program, string Package)[] programs)
    {
        var missing = programs.Where(p => !IsThere(p.Program))
            .SelectMany(p => p.Package.Split(' ')).Distinct().ToArray();
        if (missing.Length == 0) return;

        var list = string.Join(' ', missing);
        if (Environment.UserName != "root" || !IsThere("apt-get"))
        {
            Console.Error.WriteLine($"emu: not installed, and not root on Debian or Ubuntu to install it: {list}");
            return;
        }
        Console.Error.WriteLine($"emu: installing {list}");
        if (Apt(missing)) return;
        // Package lists can be absent or old; and one unknown name fails a whole call.
        AptGet("update", "-qq");
        if (Apt(missing)) return;
        foreach (var package in missing.Where(package => !Apt([package])))
            Console.Error.WriteLine($"emu: {package} could not be installed");
    }

    /// <summary>True if a program can be started.</summary>
    public static bool IsThere(string program) =>
        $"{Environment.GetEnvironmentVariable("PATH")}:/usr/sbin:/sbin"
            .Split(':').Any(folder => File.Exists(Path.Combine(folder, program)));

    private static bool Apt(string[] packages) =>
        AptGet(["install", "-y", "-qq", "-o", "APT::Status-Fd=1", "--no-install-recommends", .. packages]);

    private static bool AptGet(params string[] arguments)
    {
        var start =
            new ProcessStartInfo("apt-get", arguments) { RedirectStandardOutput = true, RedirectStandardError = true };
        start.Environment["DEBIAN_FRONTEND"] = "noninteractive";
        using var process = Process.Start(start) ?? throw CommandException.Failure("apt-get cannot be started");
        var progress = new InstallProgress(Console.Error, !Console.IsErrorRedirected);
        process.OutputDataReceived += (_, line) => progress.Read(line.Data);
        process.ErrorDataReceived += (_, _) => { };
        process.BeginOutputReadLine();
        process.BeginErrorReadLine();
        process.WaitForExit();
        progress.End();
        return process.ExitCode == 0;
    }
}
