using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// Opens a server's SSH to who knocks at three ports in order, each within two seconds of the last, for as long as it
/// is used.
/// </summary>
public sealed class PortKnock(IPv4Address server, ushort[] sequence, int openSeconds = 30) : Service
{
    private const ushort Ssh = 22;
    private const ulong Patience = 2;

    private struct Progress
    {
        public byte Step;
        public ulong Last;
    }

    private readonly AgeingTable<IPv4Address, Progress> _knocks = new(512, 10, 31);
    private readonly AgeingTable<IPv4Address, byte> _open = new(512, openSeconds, 32);

    public Counter Opened { get; } = new();

    public Counter Wrong { get; } = new();

    public Counter Refused { get; } = new();

    public override void Process(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        if (frame.Ingress.Index != 0)
        {
            frame.ForwardTo(new PortId(0));
            return;
        }
        if (ethernet.EtherType == EtherType.IPv4 && IPv4.TryParse(ethernet.Payload, out var ip)
            && ip.Destination == server && ip.Protocol == IPProtocol.Tcp && Tcp.TryParse(ip.Payload, out var tcp))
        {
            if (tcp.DestinationPort == Ssh)
            {
                if (!_open.TryGet(ip.Source, frame.Seconds, out _))
                {
                    Refused.Increment();
                    return;
                }
                _open.Set(ip.Source, 1, frame.Seconds);
            }
            else if (tcp.IsSyn && !tcp.IsAck)
            {
                Knock(ip.Source, tcp.DestinationPort, frame.Seconds);
            }
        }
        frame.ForwardTo(new PortId(1));
    }

    private void Knock(IPv4Address source, ushort port, ulong now)
    {
        ref var progress = ref _knocks.GetOrAdd(source, now, out var isNew);
        if (isNew || now - progress.Last > Patience) progress.Step = 0;
        if (port == sequence[progress.Step])
        {
            progress.Step++;
        }
        else
        {
            Wrong.Increment();
            progress.Step = (byte)(port == sequence[0] ? 1 : 0);
        }
        progress.Last = now;
        if (progress.Step == sequence.Length)
        {
            Opened.Increment();
            _open.Set(source, 1, now);
            progress.Step = 0;
        }
    }
}
