using Emu.Protocols;

namespace Emu.Services;

/// <summary><c>-m udp</c>: ports.</summary>
internal sealed class UdpMatch : Match
{
    private readonly PortOptions _ports = new();

    public override string Name => "udp";

    public override bool TryTake(string option, bool isNegated, RuleWords words)
    {
        if (PortOptions.Group(option) is not { } group) return false;
        Once(group);
        _ports.Take(group, isNegated, words);
        return true;
    }

    public override void Check(Rule rule) => rule.RequireProtocol(this, (byte)IPProtocol.Udp);

    public override string Save() => _ports.Save();

    public override string List() => $" udp{_ports.List()}";

    public override void AddTo(Clauses clauses) => _ports.AddTo(clauses);
}
