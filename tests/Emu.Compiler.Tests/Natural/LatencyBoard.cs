using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// Measures how long servers of names take to answer, and keeps the slowest answers in order (RFC 8912 §6, the metric
/// <i>UDP DNS Response Latency</i>; RFC 1035 §4.1 for the messages).
/// </summary>
/// <param name="timeoutMilliseconds">What is not answered for so long counts as lost.</param>
public sealed class LatencyBoard(int timeoutMilliseconds = 2000) : Service
{
    private const int Places = 8, Servers = 16, SmoothingShift = 3;
    private const ulong NanosecondsPerMillisecond = 1_000_000;

    private readonly record struct Query(IPv4Address Client, IPv4Address Server, ushort Port, ushort Id)
        : ITableKey<Query>
    {
        public static int Width => 96;

        public UInt128 KeyBits =>
            (UInt128)((ulong)Client.Bits << 32 | Server.Bits) << 32 | (uint)Port << 16 | Id;
    }

    /// <summary>An answer on the board.</summary>
    /// <param name="Microseconds">How long it took.</param>
    /// <param name="Client">Who had asked.</param>
    /// <param name="Server">Who answered.</param>
    public readonly record struct Place(uint Microseconds, IPv4Address Client, IPv4Address Server);

    private struct Server
    {
        public IPv4Address Address;
        public uint Mean, Deviation;
        public uint Answers;
    }

    private readonly AgeingTable<Query, ulong> _queries = new(1024, timeoutMilliseconds, hashSeed: 0xD45, 1000);
    private readonly Place[] _slowest = new Place[Places];
    private readonly Server[] _servers = new Server[Servers];

    /// <summary>Questions that passed.</summary>
    public Counter Questions { get; } = new();

    /// <summary>Questions that were asked again before an answer came.</summary>
    public Counter Repeated { get; } = new();

    /// <summary>Answers to questions that were seen.</summary>
    public Counter Answers { get; } = new();

    /// <summary>Answers dropped: to no question, late, or for the second time.</summary>
    public Counter Unasked { get; } = new();

    /// <summary>Answers that took longer than four deviations above the mean of their server.</summary>
    public Counter Outliers { get; } = new();

    /// <summary>Messages dropped: no header, or no question.</summary>
    public Counter Malformed { get; } = new();

    /// <summary>The place of an answer, the slowest first.</summary>
    public Place Slowest(int place) => _slowest[place];

    /// <inheritdoc/>
    public override void Process(ref Frame frame)
    {
        frame.Flood();
        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType != EtherType.IPv4 || !IPv4.TryParse(ethernet.Payload, out var ip)) return;
        if (ip.Protocol != IPProtocol.Udp || ip.IsFragment || !Udp.TryParse(ip.Payload, out var udp)) return;
        var (isToServer, isFromServer) = (udp.DestinationPort == Dns.Port, udp.SourcePort == Dns.Port);
        if (isToServer == isFromServer) return;
        if (!Dns.TryParse(udp.Payload, out var dns) || dns.QuestionCount != 1 || dns.IsResponse != isFromServer)
        {
            Malformed.Increment();
            frame.Drop();
            return;
        }

        var now = frame.Time / NanosecondsPerMillisecond;
        if (isToServer)
        {
            Questions.Increment();
            ref var asked = ref _queries.GetOrAdd(
                new Query(ip.Source, ip.Destination, udp.SourcePort, dns.Id), now, out var isNew);
            if (isNew) asked = frame.Time;
            else Repeated.Increment();
            return;
        }
        var query = new Query(ip.Destination, ip.Source, udp.DestinationPort, dns.Id);
        if (!_queries.TryGet(query, now, out var time))
        {
            Unasked.Increment();
            frame.Drop();
            return;
        }
        _queries.Remove(query, now);
        Answers.Increment();
        var microseconds = (uint)((frame.Time - time) / 1000);
        if (IsOutlier(ip.Source, microseconds)) Outliers.Increment();
        Enter(new Place(microseconds, ip.Destination, ip.Source));
    }

    /// <summary>Puts an answer at its place, and moves those behind it on; the last one goes.</summary>
    private void Enter(Place answer)
    {
        if (answer.Microseconds <= _slowest[Places - 1].Microseconds) return;
        var place = Places - 1;
        while (place > 0 && _slowest[place - 1].Microseconds < answer.Microseconds)
        {
            _slowest[place] = _slowest[place - 1];
            place--;
        }
        _slowest[place] = answer;
    }

    /// <summary>Takes the time into the mean and the deviation of its server, as TCP does (RFC 6298 §2).</summary>
    private bool IsOutlier(IPv4Address address, uint microseconds)
    {
        ref var server = ref _servers[(int)((address.Bits ^ address.Bits >> 8) % Servers)];
        if (server.Address != address || server.Answers == 0)
        {
            server = new Server { Address = address, Mean = microseconds, Deviation = microseconds / 2, Answers = 1 };
            return false;
        }
        var isOutlier = server.Answers >= 8 && microseconds > server.Mean + 4 * server.Deviation;
        var difference = (int)(microseconds - server.Mean);
        server.Deviation = (uint)(server.Deviation + (Math.Abs(difference) - (int)server.Deviation) / 4);
        server.Mean = (uint)(server.Mean + (difference >> SmoothingShift));
        server.Answers++;
        return isOutlier;
    }
}
