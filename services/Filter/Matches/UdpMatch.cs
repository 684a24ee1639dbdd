using Emu.Protocols;

namespace Emu.Services;

/// <summary><c>-m udp</c>: ports.</summary>
internal sealed class UdpMatch : Match
{
    private readonly PortOptions _ports = new(PortOptions.DecimalNumber);

    public override string Name => "udp";

    public override IReadOnlyList<RuleOption> Options => PortOptions.Options;

    public override void Take(string option, bool isNegated, RuleWords words)
    {
        Once(option);
        _ports.Take(option, isNegated, words);
    }

    public override void Check(Rule rule) => rule.RequireProtocol(this, (byte)IPProtocol.Udp);

    public override string Save() => _ports.Save();

    public override string List() => $" udp{_ports.List()}";

    public override void AddTo(Clauses clauses) => _ports.AddTo(clauses);
}
