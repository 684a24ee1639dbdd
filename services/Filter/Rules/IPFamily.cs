namespace Emu.Services;

/// <summary>The protocol that a set of rules is for: that of <c>iptables</c> or of <c>ip6tables</c>.</summary>
public enum IPFamily
{
    /// <summary>IPv4, as <c>iptables</c>.</summary>
    IPv4,

    /// <summary>IPv6, as <c>ip6tables</c>.</summary>
    IPv6,
}
