using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// Guards an NTP server: control and private messages do not pass, a client asks at a rate, and answers go only to who
/// has asked.
/// </summary>
public sealed class NtpGuard(IPv4Address server, int microseconds = 20) : Service
{
    private struct Client
    {
        public ulong Asked;
        public ulong Origin;
        public byte Waiting;
    }

    private readonly AgeingTable<IPv4Address, Client> _clients = new(2048, 64, 51);

    public Counter Questions { get; } = new();

    public Counter Answers { get; } = new();

    public Counter TooOften { get; } = new();

    public Counter Unasked { get; } = new();

    public Counter Modes { get; } = new();

    public override void Process(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType == EtherType.IPv4 && IPv4.TryParse(ethernet.Payload, out var ip)
            && ip.Protocol == IPProtocol.Udp && Udp.TryParse(ip.Payload, out var udp)
            && (udp.DestinationPort == Ntp.Port || udp.SourcePort == Ntp.Port)
            && !MayPass(frame, ip, udp))
        {
            frame.Drop();
            return;
        }
        frame.Flood();
    }

    private bool MayPass(in Frame frame, IPv4 ip, Udp udp)
    {
        if (!Ntp.TryParse(udp.Payload, out var ntp) || ntp.Mode is not (NtpMode.Client or NtpMode.Server))
        {
            Modes.Increment();
            return false;
        }
        if (ip.Destination == server && ntp.Mode == NtpMode.Client)
        {
            ref var client = ref _clients.GetOrAdd(ip.Source, frame.Seconds, out var isNew);
            if (!isNew && frame.Time - client.Asked < (ulong)microseconds * 1000)
            {
                TooOften.Increment();
                return false;
            }
            client.Asked = frame.Time;
            client.Origin = ntp.TransmitTimestamp;
            client.Waiting = 1;
            Questions.Increment();
            return true;
        }
        if (ip.Source == server && ntp.Mode == NtpMode.Server
            && _clients.TryGet(ip.Destination, frame.Seconds, out var asked) && asked.Waiting != 0
            && asked.Origin == ntp.OriginTimestamp)
        {
            asked.Waiting = 0;
            _clients.Set(ip.Destination, asked, frame.Seconds);
            Answers.Increment();
            return true;
        }
        Unasked.Increment();
        return false;
    }
}
