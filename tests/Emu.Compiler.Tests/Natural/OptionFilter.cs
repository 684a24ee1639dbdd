using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// Drops packets with options of IPv4 that a network does not take: source routes and recorded routes (RFC 7126);
/// others pass.
/// </summary>
public sealed class OptionFilter : Service
{
    public Counter SourceRoutes { get; } = new();

    public Counter RecordedRoutes { get; } = new();

    public Counter Malformed { get; } = new();

    public override void Process(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType == EtherType.IPv4 && IPv4.TryParse(ethernet.Payload, out var ip) && !MayPass(ip)) return;
        frame.Flood();
    }

    private bool MayPass(IPv4 ip)
    {
        var options = ip.Options;
        while (options.MoveNext())
        {
            switch ((byte)options.Type)
            {
                case 131 or 137:
                    SourceRoutes.Increment();
                    return false;
                case 7:
                    RecordedRoutes.Increment();
                    return false;
            }
        }
        if (!options.IsMalformed) return true;
        Malformed.Increment();
        return false;
    }
}
