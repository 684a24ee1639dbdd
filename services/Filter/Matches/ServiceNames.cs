namespace Emu.Services;

/// <summary>Names of ports (IANA "Service Names and Port Numbers"): those that rules are mostly written with.</summary>
internal static class ServiceNames
{
    private static readonly (string Name, uint Port)[] s_ports =
    [
        ("ftp-data", 20), ("ftp", 21), ("ssh", 22), ("telnet", 23), ("smtp", 25), ("domain", 53), ("bootps", 67),
        ("bootpc", 68), ("tftp", 69), ("http", 80), ("kerberos", 88), ("pop3", 110), ("sunrpc", 111), ("ntp", 123),
        ("imap2", 143), ("snmp", 161), ("snmp-trap", 162), ("bgp", 179), ("ldap", 389), ("https", 443), ("isakmp", 500),
        ("syslog", 514), ("submission", 587), ("ldaps", 636), ("imaps", 993), ("pop3s", 995), ("mysql", 3306),
        ("postgresql", 5432), ("sip", 5060),
    ];

    /// <summary>The port of that name; null if the name is not known.</summary>
    public static uint? Port(string name) =>
        Array.Find(s_ports, port => port.Name == name) is { Port: > 0 and var port } ? port : null;
}
