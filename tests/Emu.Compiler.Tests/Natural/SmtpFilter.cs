using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// A filter for mail: segments to port 25 are looked through command by command (RFC 5321 §4.1.1); whoever asks for
/// users (VRFY, EXPN), turns the connection round or names more than a few recipients at once is dropped.
/// </summary>
public sealed class SmtpFilter(int recipients = 5) : Service
{
    private const ushort Port = 25;

    public Counter Mails { get; } = new();

    public Counter Recipients { get; } = new();

    public Counter Probes { get; } = new();

    public Counter TooMany { get; } = new();

    public override void Process(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType == EtherType.IPv4 && IPv4.TryParse(ethernet.Payload, out var ip) && !ip.IsFragment
            && ip.Protocol == IPProtocol.Tcp && Tcp.TryParse(ip.Payload, out var tcp) && tcp.DestinationPort == Port
            && !MayPass(tcp.Payload))
            return;
        frame.Flood();
    }

    private bool MayPass(ReadOnlySpan<byte> text)
    {
        var named = 0;
        while (text.Length >= 4)
        {
            var verb = (uint)(text[0] << 24 | text[1] << 16 | text[2] << 8 | text[3]) & 0xDFDFDFDF;
            switch (verb)
            {
                case 0x4D41494C: // MAIL
                    Mails.Increment();
                    break;
                case 0x52435054: // RCPT
                    Recipients.Increment();
                    if (++named > recipients)
                    {
                        TooMany.Increment();
                        return false;
                    }
                    break;
                case 0x44415441: // DATA: what follows is no command
                    return true;
                case 0x56524659: // VRFY
                case 0x4558504E: // EXPN
                case 0x5455524E: // TURN
                    Probes.Increment();
                    return false;
            }
            var end = text.IndexOf((byte)'\n');
            if (end < 0) return true;
            text = text[(end + 1)..];
        }
        return true;
    }
}
