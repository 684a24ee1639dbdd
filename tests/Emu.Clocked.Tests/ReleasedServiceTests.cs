using System.Text.RegularExpressions;

namespace Emu.Clocked.Tests;

/// <summary>Released services, where <c>EMU_LIVE</c> names a clone, are the same on .NET and as circuits.</summary>
public sealed partial class ReleasedServiceTests
{
    private static readonly string? s_clone = Environment.GetEnvironmentVariable("EMU_LIVE");

    public static TheoryData<string> Services =>
    [
        "emu_ICMP_echo", "emu_TCP_pingRA", "emu_DNS_server", "emu_memcached_ascii", "emu_memcached_ascii_v2",
        "emu_memcached_binary", "emu_memcached_binary_v2", "emu_reference_switch", "emu_reference_switch_lite",
        "emu_reference_switch_lite_v2", "emu_reference_switch_threads", "emu_stats_gadget",
    ];

    [Theory]
    [MemberData(nameof(Services))]
    public void A_service_is_the_same_on_every_rung(string service)
    {
        Assert.SkipWhen(
            s_clone is null, "EMU_LIVE is not set: git clone https://github.com/NaaS/emu-live, and give its folder");
        var text = File.ReadAllText(Path.Combine(s_clone!, "kiwi_src", service + ".cs"));
        Trace.Check(Source.File(Length().Replace(text, "new$1[]$2")), 2000, isOutside: false);
    }

    [GeneratedRegex(@"\bnew(\s+\w+\s*)\[\s*[A-Za-z_][\w.]*\s*\](\s*\{)")]
    private static partial Regex Length();
}
