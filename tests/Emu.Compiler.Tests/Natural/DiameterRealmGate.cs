using System.Text;
using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// The border of a Diameter network (RFC 6733): requests of a peer outside pass only if their Origin-Realm is the
/// partner's, and their application is one that was agreed upon.
/// </summary>
/// <remarks>
/// Port 0 is outside, port 1 inside. A segment carries one message, as it does with peers that send one for each write;
/// segments that go on with a message pass.
/// </remarks>
/// <example>--realm partner.example --application 16777251</example>
/// <param name="realm">The partner's realm.</param>
/// <param name="application">The application beside the common messages, S6a unless given.</param>
public sealed class DiameterRealmGate(string realm = "partner.example", uint application = 16_777_251) : Service
{
    private const ushort Port = 3868;
    private const int HeaderLength = 20;
    private const byte RequestFlag = 0x80;
    private const uint OriginRealm = 296;
    private const uint RouteRecord = 282;
    private const byte VendorFlag = 0x80;

    private static readonly PortId s_outside = new(0), s_inside = new(1);

    private readonly byte[] _realm = Encoding.ASCII.GetBytes(realm);

    /// <summary>Requests that passed.</summary>
    public Counter Requests { get; } = new();

    /// <summary>Requests of another realm, or of none.</summary>
    public Counter WrongRealm { get; } = new();

    /// <summary>Requests of another application.</summary>
    public Counter WrongApplication { get; } = new();

    /// <summary>Messages that end within an attribute, or are longer than they say.</summary>
    public Counter Malformed { get; } = new();

    /// <summary>Requests that other agents have passed on.</summary>
    public Counter Relayed { get; } = new();

    /// <inheritdoc/>
    public override void Process(ref Frame frame)
    {
        if (frame.Ingress == s_inside)
        {
            frame.ForwardTo(s_outside);
            return;
        }
        if (frame.Ingress != s_outside) return;

        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType == EtherType.IPv4 && IPv4.TryParse(ethernet.Payload, out var ip)
            && ip.Protocol == IPProtocol.Tcp && !ip.IsFragment && Tcp.TryParse(ip.Payload, out var tcp)
            && tcp.DestinationPort == Port && tcp.Payload.Length >= HeaderLength && tcp.Payload[0] == 1
            && !Admits(tcp.Payload))
            return;
        frame.ForwardTo(s_inside);
    }

    private bool Admits(Span<byte> message)
    {
        var length = (int)(message.GetUInt32(0) & 0xFF_FFFF);
        if (length < HeaderLength || length % 4 != 0 || length > message.Length)
        {
            Malformed.Increment();
            return false;
        }
        if ((message[4] & RequestFlag) == 0) return true;

        var requested = message.GetUInt32(8);
        if (requested != 0 && requested != application)
        {
            WrongApplication.Increment();
            return false;
        }

        var avps = message[HeaderLength..length];
        var (isOfRealm, relays) = (false, 0);
        while (avps.Length >= 8)
        {
            var code = avps.GetUInt32(0);
            var avpLength = (int)(avps.GetUInt32(4) & 0xFF_FFFF);
            var hasVendor = (avps[4] & VendorFlag) != 0;
            var header = hasVendor ? 12 : 8;
            if (avpLength < header || avpLength > avps.Length)
            {
                Malformed.Increment();
                return false;
            }
            if (code == OriginRealm && !hasVendor)
                isOfRealm = Ascii.EqualsIgnoreCase(avps[header..avpLength], _realm);
            if (code == RouteRecord && !hasVendor) relays++;
            avps = avps[Math.Min((avpLength + 3) & ~3, avps.Length)..];
        }

        if (!isOfRealm)
        {
            WrongRealm.Increment();
            return false;
        }
        if (relays > 0) Relayed.Increment();
        Requests.Increment();
        return true;
    }
}
