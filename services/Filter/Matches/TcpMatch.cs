using Emu.Protocols;

namespace Emu.Services;

/// <summary><c>-m tcp</c>: ports and control bits.</summary>
internal sealed class TcpMatch : Match
{
    private const byte SynMask = 0x17, All = 0x3F;

    private static readonly (string Name, byte Bit)[] s_flags =
    [
        ("FIN", 1), ("SYN", 2), ("RST", 4), ("PSH", 8), ("ACK", 16), ("URG", 32),
    ];

    private static readonly RuleOption[] s_options =
        [.. PortOptions.Options, new("--syn", "--syn", OptionValue.None), new("--tcp-flags"),
            new("--tcp-option") { IsDone = false }];

    private readonly PortOptions _ports = new(PortOptions.Number);
    private (byte Mask, byte Value, bool IsNegated)? _flags;

    public override string Name => "tcp";

    public override IReadOnlyList<RuleOption> Options => s_options;

    public override void Take(string option, bool isNegated, RuleWords words)
    {
        Once(option == "--syn" ? "--tcp-flags" : option);
        if (option == "--syn") _flags = (SynMask, (byte)TcpFlags.Syn, isNegated);
        else if (option != "--tcp-flags") _ports.Take(option, isNegated, words);
        else
        {
            var mask = ParseFlags(words.Value(option));
            if (!words.IsAtValue)
                throw new RuleException("--tcp-flags requires two arguments: flags that are looked at, and those set");
            _flags = (mask, ParseFlags(words.Take()), isNegated);
        }
    }

    public override void Check(Rule rule) => rule.RequireProtocol(this, (byte)IPProtocol.Tcp);

    public override string Save() =>
        _ports.Save() + (_flags is { } f ? $"{Not(f.IsNegated)} --tcp-flags {Text(f.Mask)} {Text(f.Value)}" : "");

    public override string List() =>
        $" tcp{_ports.List()}"
        + $"{(_flags is { } f ? $" flags:{(f.IsNegated ? "!" : "")}0x{f.Mask:X2}/0x{f.Value:X2}" : "")}";

    public override void AddTo(Clauses clauses)
    {
        _ports.AddTo(clauses);
        if (_flags is not { } flags) return;
        if ((flags.Value & ~flags.Mask) == 0)
            clauses.Add(Term.Equal(Field.TcpFlags, flags.Value, flags.Mask, flags.IsNegated));
        else if (!flags.IsNegated) clauses.AddNever(); // a bit that is not looked at cannot be found set
    }

    private static byte ParseFlags(string text)
    {
        var flags = 0;
        foreach (var name in text.Split(','))
        {
            if (name.Equals("ALL", StringComparison.OrdinalIgnoreCase)) flags |= All;
            else if (!name.Equals("NONE", StringComparison.OrdinalIgnoreCase))
            {
                var found = s_flags.FirstOrDefault(f => f.Name.Equals(name, StringComparison.OrdinalIgnoreCase));
                if (found.Bit == 0)
                    throw new RuleException(
                        $"unknown TCP flag \"{name}\": there are FIN, SYN, RST, PSH, ACK, URG, ALL and NONE");
                flags |= found.Bit;
            }
        }
        return (byte)flags;
    }

    private static string Text(byte flags) =>
        flags == 0 ? "NONE" : string.Join(',', s_flags.Where(f => (flags & f.Bit) != 0).Select(f => f.Name));
}
