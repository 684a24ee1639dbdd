using System.Text.RegularExpressions;
using Emu.Compiler.Layouts;
using Emu.Services;

namespace Emu.Compiler.Tests.Verilog;

/// <summary>The Verilog of the services reads as a hardware engineer would write it.</summary>
public sealed partial class ReadableVerilogTests
{
    /// <summary>
    /// The lines that a service may have at most. The goals are 1,100 for LearningSwitch, of which there is one by hand
    /// with 1,117, and 2,500 for TcpPing, whose cipher and slow path keep it from that.
    /// </summary>
    private static readonly Dictionary<string, (Func<Service> Construct, int MostLines)> s_services = new()
    {
        [nameof(LearningSwitch)] = (() => new LearningSwitch(), 1100),
        [nameof(TcpPing)] = (
            () => new TcpPing(HardwareSubject.Ip, HardwareSubject.Mac, listen: [80], key: 0x1b1a1918), 4150),
        [nameof(IcmpEcho)] = (() => new IcmpEcho(HardwareSubject.Ip, HardwareSubject.Mac), 2400),
        [nameof(Nat)] = (
            () => new Nat(
                IPv4Address.Parse("10.0.0.254"), IPv4Address.Parse("192.0.2.1"),
                gateway: IPv4Address.Parse("192.0.2.254"), mac: HardwareSubject.Mac,
                policy: new NatPolicy { Passive = true }, capacity: new NatCapacity { Ways = 4, Fragments = 0 }),
            4300),
        [nameof(Filter)] = (() => new Filter(rule: ["-A FORWARD -p tcp --dport 80 -j ACCEPT"]), 1900),
    };

    public static TheoryData<string> Services => [.. s_services.Keys];

    [Theory]
    [MemberData(nameof(Services))]
    public void Lines_are_few_and_short_and_names_say_what_they_are(string service)
    {
        var (construct, mostLines) = s_services[service];
        var lines = HardwareCompiler.Compile(construct(), new HardwareOptions()).Verilog.Split('\n');

        Assert.InRange(lines.Length, 0, mostLines);
        Assert.All(lines, line => Assert.InRange(line.Length, 0, 120));
        var registers = lines.Where(line => line.StartsWith("reg ", StringComparison.Ordinal))
            .SelectMany(line => Register().Matches(line)).Select(match => match.Value).ToList();
        Assert.NotEmpty(registers);
        Assert.All(registers, name => Assert.DoesNotMatch(Numbered(), name));
    }

    /// <summary>A name of nothing but a number, or of a chain of them.</summary>
    [GeneratedRegex("_[0-9]+_[0-9]+_[0-9]+_reg$|^(s[0-9]+_)?value(_[0-9]+)*_reg$")]
    private static partial Regex Numbered();

    [GeneratedRegex("[a-z0-9_]+_reg\\b")]
    private static partial Regex Register();
}
