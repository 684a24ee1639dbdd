using System.Buffers.Binary;
using System.ComponentModel.DataAnnotations;
using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// Port-based network access control (IEEE 802.1X-2020): a station reaches the network only after the authenticator
/// behind port 0 has sent it an EAP Success, and until it logs off, moves, or its session has lasted too long.
/// </summary>
/// <remarks>
/// Port 0 is the network with the authenticator, the others are access ports. EAPOL is relayed between them: what a
/// station may send (EAP responses, Start, Logoff), and nothing of another kind. A Success counts only if it answers
/// the last response of that station, by its identifier (RFC 3748 §4.2). Groups are let out to all access ports
/// ("in" control, §6.4). Not done: MACsec key agreement, VLANs by RADIUS.
/// </remarks>
/// <example>--capacity 1024 --session-seconds 3600</example>
/// <param name="capacity">Stations that there is room for.</param>
/// <param name="sessionSeconds">Seconds without EAPOL after which a station has to authenticate again.</param>
/// <param name="startsPerSecond">The EAPOL frames that each access port may send in a second.</param>
/// <param name="hashSeed">Seed of the table's hash; choose your own.</param>
public sealed class PortAccess(
    [PowerOfTwo(4, 1 << 20)] int capacity = 256, [Range(10, 1_000_000)] int sessionSeconds = 3600,
    [Range(1, 1_000_000)] int startsPerSecond = 50, ulong hashSeed = 1) : Service
{
    private const EtherType Eapol = (EtherType)0x888E;
    private const int EapolHeader = 4, EapHeader = 4, MaxPorts = 64;

    private static readonly PortId s_network = new(0);

    /// <summary>The type of an EAPOL frame (IEEE 802.1X-2020 Table 11-3).</summary>
    private enum EapolType : byte
    {
        Eap = 0,
        Start = 1,
        Logoff = 2,
    }

    /// <summary>The code of an EAP packet (RFC 3748 §4).</summary>
    private enum EapCode : byte
    {
        Request = 1,
        Response = 2,
        Success = 3,
        Failure = 4,
    }

    /// <summary>The state of a station.</summary>
    public record struct Session
    {
        /// <summary>The access port at which it authenticates.</summary>
        public PortId Port { get; internal set; }

        /// <summary>The identifier of its last response.</summary>
        public byte Identifier { get; internal set; }

        /// <summary>True if it has responded, and neither success nor failure was said yet.</summary>
        public bool IsWaiting { get; internal set; }

        /// <summary>True if it may use the network.</summary>
        public bool IsAuthorized { get; internal set; }
    }

    private readonly TokenBuckets _rates = new(MaxPorts, startsPerSecond, startsPerSecond);

    /// <summary>The stations that have spoken EAPOL.</summary>
    [Control]
    public AgeingTable<MacAddress, Session> Sessions { get; } = new(capacity, sessionSeconds, hashSeed);

    /// <summary>Times that a station was let in.</summary>
    public Counter Authorized { get; } = new();

    /// <summary>EAPOL frames relayed.</summary>
    public Counter Relayed { get; } = new();

    /// <summary>EAPOL frames dropped: malformed, of a kind that their side does not send, or too many.</summary>
    public Counter Refused { get; } = new();

    /// <summary>Other frames of stations that may use the network.</summary>
    public Counter Passed { get; } = new();

    /// <summary>Other frames dropped: their station is not authorized.</summary>
    public Counter Blocked { get; } = new();

    /// <inheritdoc/>
    public override void Process(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType == Eapol)
        {
            var isRelayed = TryParse(ethernet.Payload, out var type, out var code, out var identifier)
                && (frame.Ingress == s_network
                    ? FromAuthenticator(ref frame, ethernet, type, code, identifier)
                    : FromSupplicant(ref frame, ethernet, type, code, identifier));
            (isRelayed ? Relayed : Refused).Increment();
        }
        else if (frame.Ingress == s_network) ToStation(ref frame, ethernet);
        else if (Sessions.TryGet(ethernet.Source, frame.Seconds, out var session)
            && session.IsAuthorized && session.Port == frame.Ingress)
        {
            frame.ForwardTo(s_network);
            Passed.Increment();
        }
        else Blocked.Increment();
    }

    private void ToStation(ref Frame frame, Ethernet ethernet)
    {
        if (ethernet.Destination.IsGroup)
        {
            frame.Flood();
            Passed.Increment();
        }
        else if (Sessions.TryGet(ethernet.Destination, frame.Seconds, out var session) && session.IsAuthorized)
        {
            frame.ForwardTo(session.Port);
            Passed.Increment();
        }
        else Blocked.Increment();
    }

    private bool FromSupplicant(ref Frame frame, Ethernet ethernet, EapolType type, EapCode code, byte identifier)
    {
        var isResponse = type == EapolType.Eap && code == EapCode.Response;
        if (!isResponse && type != EapolType.Start && type != EapolType.Logoff) return false;
        if (!ethernet.Source.IsIndividual || !_rates.TryTake(frame.Ingress.Index & (MaxPorts - 1), 1, frame.Time))
            return false;

        // Who has a station's address at another port neither ends its session nor goes on with it.
        var isKnown = Sessions.TryGet(ethernet.Source, frame.Seconds, out var session);
        if (isKnown && session.IsAuthorized && session.Port != frame.Ingress) return false;
        session.Port = frame.Ingress;
        if (type == EapolType.Logoff) session.IsAuthorized = false;
        session.IsWaiting = isResponse;
        session.Identifier = identifier;
        Sessions.Set(ethernet.Source, session, frame.Seconds);
        frame.ForwardTo(s_network);
        return true;
    }

    private bool FromAuthenticator(ref Frame frame, Ethernet ethernet, EapolType type, EapCode code, byte identifier)
    {
        if (type != EapolType.Eap || code == EapCode.Response) return false;
        if (ethernet.Destination.IsGroup)
        {
            // An authenticator that knows of no station yet asks all of them (§11.1.1); it tells none of success so.
            if (code != EapCode.Request) return false;
            frame.Flood();
            return true;
        }
        if (!Sessions.TryGet(ethernet.Destination, frame.Seconds, out var session)) return false;
        if (code != EapCode.Request)
        {
            if (!session.IsWaiting || session.Identifier != identifier) return false;
            if (code == EapCode.Success) Authorized.Increment();
            session.IsAuthorized = code == EapCode.Success;
            session.IsWaiting = false;
            Sessions.Set(ethernet.Destination, session, frame.Seconds);
        }
        frame.ForwardTo(session.Port);
        return true;
    }

    /// <summary>
    /// Reads the header of EAPOL (IEEE 802.1X-2020 §11.3), and of the EAP packet behind it if there is one.
    /// </summary>
    private static bool TryParse(ReadOnlySpan<byte> packet, out EapolType type, out EapCode code, out byte identifier)
    {
        (type, code, identifier) = (0, 0, 0);
        if (packet.Length < EapolHeader || packet[0] == 0) return false; // versions begin at 1; later ones are alike
        type = (EapolType)packet[1];
        int length = BinaryPrimitives.ReadUInt16BigEndian(packet[2..]);
        if (length > packet.Length - EapolHeader) return false;
        if (type != EapolType.Eap) return true;

        if (length < EapHeader) return false;
        var eap = packet[EapolHeader..];
        (code, identifier) = ((EapCode)eap[0], eap[1]);
        int eapLength = BinaryPrimitives.ReadUInt16BigEndian(eap[2..]);
        // Success and Failure are a header alone, requests and responses have a type at least (RFC 3748 §4).
        return eapLength <= length && code switch
        {
            EapCode.Request or EapCode.Response => eapLength > EapHeader,
            EapCode.Success or EapCode.Failure => eapLength == EapHeader,
            _ => false,
        };
    }
}
