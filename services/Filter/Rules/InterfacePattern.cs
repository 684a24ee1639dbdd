namespace Emu.Services;

/// <summary>
/// A port of the filter by its name, <c>port0</c> and so on; a name that ends in <c>+</c> is all that
/// begin with the rest.
/// </summary>
/// <param name="Name">As it was written.</param>
/// <param name="IsNegated">True if all others are meant.</param>
internal readonly record struct InterfacePattern(string Name, bool IsNegated)
{
    /// <summary>The characters that a name of an interface may have in Linux.</summary>
    private const int Most = 15;

    /// <summary>The ports that have such a name, before negation.</summary>
    public PortSet Ports
    {
        get
        {
            var ports = PortSet.None;
            for (byte i = 0; i < PortSet.MaxPorts; i++) if (Fits($"port{i}")) ports |= PortSet.Of(new PortId(i));
            return ports;
        }
    }

    /// <summary>True if every name fits.</summary>
    public bool IsAny => Name is "+" or "";

    public static InterfacePattern Parse(string name, bool isNegated) => name.Length <= Most
        ? new InterfacePattern(name, isNegated)
        : throw new RuleException($"interface name `{name}' must be shorter than {Most + 1} characters");

    private bool Fits(string port) =>
        Name.EndsWith('+') ? port.StartsWith(Name[..^1], StringComparison.Ordinal) : port == Name;
}
