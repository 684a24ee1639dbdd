using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// Limits bits a second of groups of networks, found by the longest prefix of a packet's source; what is over the limit
/// of its group is marked as of less worth, what is over twice of it dropped.
/// </summary>
public sealed class PrefixLimiter : Service
{
    private readonly PrefixTable<IPv4Address, byte> _groups;
    private readonly TokenBuckets _committed = new(16, 10_000_000, 15_000);
    private readonly TokenBuckets _excess = new(16, 20_000_000, 30_000);

    public PrefixLimiter(params string[] groups)
    {
        var prefixes = new List<(IPv4Address, int, byte)>();
        foreach (var group in groups)
        {
            var (slash, equals) = (group.IndexOf('/'), group.IndexOf('='));
            prefixes.Add((IPv4Address.Parse(group[..slash]), int.Parse(group[(slash + 1)..equals]),
                byte.Parse(group[(equals + 1)..])));
        }
        _groups = new PrefixTable<IPv4Address, byte>(prefixes);
    }

    public Counter Green { get; } = new();

    public Counter Yellow { get; } = new();

    public Counter Red { get; } = new();

    public override void Process(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType == EtherType.IPv4 && IPv4.TryParse(ethernet.Payload, out var ip)
            && _groups.TryGet(ip.Source, out var group))
        {
            if (_committed.TryTake(group, (uint)frame.Length, frame.Time))
            {
                Green.Increment();
            }
            else if (_excess.TryTake(group, (uint)frame.Length, frame.Time))
            {
                Yellow.Increment();
                ip.Dscp = 8;
                ip.WriteHeaderChecksum();
            }
            else
            {
                Red.Increment();
                return;
            }
        }
        frame.ForwardTo(new PortId(frame.Ingress.Index ^ 1));
    }
}
