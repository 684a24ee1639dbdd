using System.Buffers.Binary;
using System.ComponentModel.DataAnnotations;
using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// The timestamp oracle of a distributed database: hands out ranges of numbers that never repeat, always rise, and tell
/// the time (Peng and Dabek 2010, <em>Large-scale Incremental Processing Using Distributed Transactions and
/// Notifications</em>, §2.3), in the form that the placement driver of TiDB gives them.
/// </summary>
/// <remarks>
/// <para>A timestamp has the milliseconds since 1970 in its upper 46 bits, and 18 bits that tell those of one
/// millisecond apart. When these are used up, the next millisecond is begun early, up to a bound.</para>
/// <para>A request is a UDP datagram: version 1, type 1, the cluster (2 bytes), the client's number of the request (8),
/// how many timestamps it wants (4), and anything up to 64 bytes that the client wants back, such as a trace context.
/// Its answer has type 2, the same fields, and behind the count the first timestamp (8); a refusal has type 3 and a
/// first
/// timestamp of 0.</para>
/// <para>The host around it answers ARP and neighbour discovery. Nothing outlives a run: whoever restarts it
/// waits for as long as timestamps may run ahead.</para>
/// </remarks>
/// <example>--address 10.0.0.2 --cluster 7</example>
public sealed class TimestampOracle : Service, IUdpApplication
{
    private const byte Version = 1, Request = 1, Answer = 2, Refusal = 3;

    private const int TypeOffset = 1, ClusterOffset = 2, CountOffset = 12, FirstOffset = 16;
    private const int RequestLength = 16, AnswerLength = 24, MaxContext = 64;

    /// <summary>The bits that tell timestamps of one millisecond apart.</summary>
    private const int LogicalBits = 18;

    /// <summary>No client may use up a millisecond alone.</summary>
    private const uint MaxCount = 1 << (LogicalBits - 2);

    private const ulong NanosecondsPerMillisecond = 1_000_000;

    private readonly IPHost _host;
    private readonly ushort _cluster;
    private readonly ulong _mostAhead;

    /// <summary>The least timestamp that nobody has.</summary>
    private ulong _next;

    /// <summary>Begins with the time of the first request.</summary>
    /// <param name="address">The oracle's IPv4 address.</param>
    /// <param name="mac">Its MAC address; when absent 02:00 and the IPv4 address.</param>
    /// <param name="address6">Its IPv6 address; when absent it has none.</param>
    /// <param name="port">The UDP port.</param>
    /// <param name="cluster">The database that it serves; requests of others are dropped.</param>
    /// <param name="mostAhead">Milliseconds by which timestamps may run ahead of the clock.</param>
    public TimestampOracle(
        IPv4Address address, MacAddress mac = default, IPv6Address address6 = default, ushort port = 2379,
        ushort cluster = 0, [Range(0, 10_000)] int mostAhead = 50)
    {
        _cluster = cluster;
        _mostAhead = (ulong)mostAhead;
        _host = new IPHost(address, mac, address6).Udp(port, this);
    }

    /// <summary>The neighbours that the host has answered, and why it has refused packets.</summary>
    public HostCounters Host => _host.Counters;

    /// <summary>Requests that got their timestamps.</summary>
    public Counter Granted { get; } = new();

    /// <summary>Timestamps handed out.</summary>
    public Counter Timestamps { get; } = new();

    /// <summary>Requests refused: for none or too many, or timestamps are too far ahead of the clock.</summary>
    public Counter Refused { get; } = new();

    /// <summary>Datagrams dropped: no requests, or those of another cluster.</summary>
    public Counter Malformed { get; } = new();

    /// <inheritdoc/>
    public override void Process(ref Frame frame) => _host.Receive(ref frame);

    /// <inheritdoc/>
    public void Receive(ref Frame frame, UdpDatagram datagram)
    {
        var request = frame.Bytes.Slice(datagram.Offset, datagram.Length);
        if (request.Length is < RequestLength or > RequestLength + MaxContext
            || request[0] != Version || request[TypeOffset] != Request
            || BinaryPrimitives.ReadUInt16BigEndian(request[ClusterOffset..]) != _cluster)
        {
            Malformed.Increment();
            return;
        }

        var count = BinaryPrimitives.ReadUInt32BigEndian(request[CountOffset..]);
        var isGranted = TryTake(count, frame.Time / NanosecondsPerMillisecond, out var first);
        if (isGranted)
        {
            Granted.Increment();
            Timestamps.Add(count);
        }
        else Refused.Increment();

        // The timestamp goes between the request's fields and the client's context.
        frame.Insert(datagram.Offset + FirstOffset, AnswerLength - RequestLength);
        var answer = frame.Bytes[datagram.Offset..];
        answer[TypeOffset] = isGranted ? Answer : Refusal;
        BinaryPrimitives.WriteUInt64BigEndian(answer[FirstOffset..], first);
        datagram.Reply(ref frame, datagram.Length + AnswerLength - RequestLength);
    }

    /// <summary>Takes timestamps, none of which is before the present millisecond.</summary>
    private bool TryTake(uint count, ulong milliseconds, out ulong first)
    {
        first = Math.Max(_next, milliseconds << LogicalBits);
        if (count is 0 or > MaxCount || (first + count - 1) >> LogicalBits > milliseconds + _mostAhead)
        {
            first = 0;
            return false;
        }
        _next = first + count;
        return true;
    }
}
