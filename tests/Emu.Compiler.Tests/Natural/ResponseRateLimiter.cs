using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// Response rate limiting in front of a DNS server (as in BIND, ISC-TN-2012-1): of the same responses to one network
/// only so many leave in a second. Of those beyond, each second one slips through, truncated, so that a real client
/// asks again over TCP, and the rest is dropped.
/// </summary>
/// <param name="responsesPerSecond">The same responses that a /24 may get in a second.</param>
/// <param name="window">Seconds for which a network that got too many is held back at most.</param>
/// <param name="slip">Of the responses beyond, each so many-th is truncated instead of dropped; 0 for none.</param>
/// <param name="serverPort">The port where the server is.</param>
public sealed class ResponseRateLimiter(
    int responsesPerSecond = 5, int window = 15, uint slip = 2, byte serverPort = 0) : Service
{
    private const int MostLabels = 128, QuestionTail = 4;
    private const uint HashStart = 2166136261, HashPrime = 16777619;

    /// <summary>Responses are the same if they have the same network, name and code.</summary>
    private readonly record struct ResponseClass(uint Network, uint Name, DnsResponseCode Code)
        : ITableKey<ResponseClass>
    {
        public static int Width => 60;

        public UInt128 KeyBits => (UInt128)Network << 36 | (UInt128)Name << 4 | (byte)Code;
    }

    private struct Account
    {
        public int Balance;
        public uint Beyond;
        public ulong LastSecond;
    }

    private readonly AgeingTable<ResponseClass, Account> _accounts = new(capacity: 1024, window, hashSeed: 7);

    public Counter Passed { get; } = new();

    public Counter Slipped { get; } = new();

    public Counter Dropped { get; } = new();

    public override void Process(ref Frame frame)
    {
        frame.Flood();
        if (frame.Ingress.Index != serverPort) return;
        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType != EtherType.IPv4 || !IPv4.TryParse(ethernet.Payload, out var ip) || ip.IsFragment
            || ip.Protocol != IPProtocol.Udp || !Udp.TryParse(ip.Payload, out var udp) || udp.SourcePort != Dns.Port
            || !Dns.TryParse(udp.Payload, out var dns) || !dns.IsResponse || dns.QuestionCount != 1)
            return;

        if (!TryHashName(dns.Payload, out var name, out var nameLength)) return;
        var network = ip.Destination.Bits >> 8;
        // Names that do not exist are one class: an attacker has no end of them.
        var key = new ResponseClass(
            network, dns.ResponseCode == DnsResponseCode.NameError ? 0 : name, dns.ResponseCode);

        ref var account = ref _accounts.GetOrAdd(key, frame.Seconds, out var isNew);
        if (isNew) account = new Account { Balance = responsesPerSecond, LastSecond = frame.Seconds };
        Credit(ref account, frame.Seconds);
        if (--account.Balance >= 0)
        {
            Passed.Increment();
            return;
        }

        account.Balance = Math.Max(account.Balance, -window * responsesPerSecond);
        account.Beyond++;
        if (slip != 0 && account.Beyond % slip == 0)
        {
            Truncate(ref frame, Dns.HeaderLength + nameLength + QuestionTail);
            Slipped.Increment();
        }
        else
        {
            frame.Drop();
            Dropped.Increment();
        }
    }

    private void Credit(ref Account account, ulong now)
    {
        var seconds = Math.Min(now - account.LastSecond, (ulong)window + 1);
        account.Balance = Math.Min(account.Balance + (int)seconds * responsesPerSecond, responsesPerSecond);
        account.LastSecond = now;
    }

    /// <summary>FNV-1a of a name, in which small and capital letters are the same (RFC 4343).</summary>
    private static bool TryHashName(ReadOnlySpan<byte> question, out uint hash, out int length)
    {
        hash = HashStart;
        length = 0;
        for (var labels = 0; labels < MostLabels; labels++)
        {
            if (length >= question.Length) return false;
            int labelLength = question[length++];
            if (labelLength == 0) return question.Length - length >= QuestionTail;
            if (labelLength > 63 || length + labelLength > question.Length) return false;
            foreach (var octet in question.Slice(length, labelLength))
            {
                var letter = octet is >= (byte)'A' and <= (byte)'Z' ? (byte)(octet + 32) : octet;
                hash = (hash ^ letter) * HashPrime;
            }
            hash = (hash ^ '.') * HashPrime;
            length += labelLength;
        }
        return false;
    }

    /// <summary>Cuts a response down to its question, and says so (RFC 2181 §9).</summary>
    private static void Truncate(ref Frame frame, int messageLength)
    {
        var ethernet = new Ethernet(frame);
        if (!IPv4.TryParse(ethernet.Payload, out var whole) || !Udp.TryParse(whole.Payload, out var datagram)) return;
        var headers = whole.HeaderLength + Udp.HeaderLength;
        whole.TotalLength = (ushort)(headers + messageLength);
        datagram.Length = (ushort)(Udp.HeaderLength + messageLength);
        frame.Resize(Ethernet.HeaderLength + headers + messageLength);

        if (!IPv4.TryParse(new Ethernet(frame).Payload, out var ip) || !Udp.TryParse(ip.Payload, out var udp)
            || !Dns.TryParse(udp.Payload, out var dns))
            return;
        dns.IsTruncated = true;
        (dns.AnswerCount, dns.AuthorityCount, dns.AdditionalCount) = (0, 0, 0);
        ip.WriteHeaderChecksum();
        udp.WriteChecksum(ip);
    }
}
