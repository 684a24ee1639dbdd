using Emu.Testing;

namespace Emu.Network.Tests;

/// <summary>The tools that the tests here need beyond the SDK.</summary>
internal static class Needs
{
    /// <summary>
    /// Skips the test, with the reason, where networks of namespaces cannot be made or one of these programs is absent.
    /// </summary>
    public static void Network(params string[] programs)
    {
        if (TestNetwork.WhyNotWith(["ethtool", .. programs]) is { } reason)
            Assert.Skip($"a network of namespaces {reason}");
    }
}
