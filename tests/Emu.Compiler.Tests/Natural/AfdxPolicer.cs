using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// A switch of an avionics network (ARINC 664 part 7): frames go where the configuration sends their virtual link, if
/// they are no longer than its greatest length, do not come more often than its bandwidth allocation gap and jitter
/// allow (byte-based policing), and their sequence numbers, in the last byte, go up by one or two.
/// </summary>
/// <param name="links">
/// The virtual links, each as <c>number=ingress=egress=gap=length</c>: the ports by which its frames leave are
/// separated by commas, the gap is in milliseconds, the length in bytes.
/// </param>
/// <param name="jitterMicroseconds">How much earlier than the gap a frame may come.</param>
/// <example>--link 100=0=1,2=4=300</example>
public sealed class AfdxPolicer(string[] links, int jitterMicroseconds = 500) : Service
{
    private const uint ConstantField = 0x03000000;
    private const ulong NanosecondsPerMillisecond = 1_000_000;

    private readonly record struct LinkNumber(ushort Number) : ITableKey<LinkNumber>
    {
        public static int Width => 16;

        public UInt128 KeyBits => Number;
    }

    private struct Link
    {
        public int Index;
        public byte Ingress;
        public ulong Egress;
        public ulong Gap;
        public int MaxLength;
    }

    /// <summary>The account is in bytes times nanoseconds, so that nothing is lost by rounding.</summary>
    private struct Account
    {
        public ulong Balance;
        public ulong Updated;
        public byte Sequence;
        public bool IsRunning;
    }

    private readonly ConstantTable<LinkNumber, Link> _links = Parse(links);
    private readonly Account[] _accounts = new Account[links.Length];

    /// <summary>Frames that went on.</summary>
    public Counter Passed { get; } = new();

    /// <summary>Frames dropped that are of no virtual link, or not at its port.</summary>
    public Counter Unknown { get; } = new();

    /// <summary>Frames dropped for their length.</summary>
    public Counter TooLong { get; } = new();

    /// <summary>Frames dropped that came too early.</summary>
    public Counter TooEarly { get; } = new();

    /// <summary>Frames dropped for their sequence number.</summary>
    public Counter OutOfSequence { get; } = new();

    /// <summary>Frames that were lost ahead of one that passed.</summary>
    public Counter Lost { get; } = new();

    /// <summary>Restarts of a sender: a sequence number of 0.</summary>
    public Counter Resets { get; } = new();

    /// <inheritdoc/>
    public override void Process(ref Frame frame)
    {
        var destination = new Ethernet(frame).Destination.Bits;
        if (destination >> 16 != ConstantField || !_links.TryGet(new LinkNumber((ushort)destination), out var link)
            || link.Ingress != frame.Ingress.Index)
        {
            Unknown.Increment();
            return;
        }
        if (frame.Length > link.MaxLength)
        {
            TooLong.Increment();
            return;
        }

        ref var account = ref _accounts[link.Index];
        if (!TryPay(ref account, link, frame.Length, frame.Time))
        {
            TooEarly.Increment();
            return;
        }
        if (!IsInSequence(ref account, frame.Bytes[^1]))
        {
            OutOfSequence.Increment();
            return;
        }
        Passed.Increment();
        frame.ForwardTo(new PortSet(link.Egress));
    }

    /// <summary>
    /// Fills the account by the greatest length in each gap, up to that of a gap and the jitter, and takes the frame's.
    /// </summary>
    private bool TryPay(ref Account account, Link link, int length, ulong time)
    {
        var most = (ulong)link.MaxLength * (link.Gap + (ulong)jitterMicroseconds * 1000);
        var elapsed = Math.Min(time - account.Updated, 2 * link.Gap);
        account.Balance = account.IsRunning ? Math.Min(account.Balance + elapsed * (ulong)link.MaxLength, most) : most;
        account.Updated = time;
        account.IsRunning = true;
        var price = (ulong)length * link.Gap;
        if (account.Balance < price) return false;
        account.Balance -= price;
        return true;
    }

    /// <summary>The integrity check: 0 is a reset; behind 255 comes 1.</summary>
    private bool IsInSequence(ref Account account, byte sequence)
    {
        var next = account.Sequence == 255 ? (byte)1 : (byte)(account.Sequence + 1);
        var second = next == 255 ? (byte)1 : (byte)(next + 1);
        var previous = account.Sequence;
        account.Sequence = sequence;
        if (sequence == 0) Resets.Increment();
        else if (sequence == second && previous != 0) Lost.Increment();
        else if (sequence != next && previous != 0) return false;
        return true;
    }

    private static ConstantTable<LinkNumber, Link> Parse(string[] links)
    {
        var table = new Dictionary<LinkNumber, Link>();
        foreach (var text in links)
        {
            var parts = text.Split('=');
            table[new LinkNumber(ushort.Parse(parts[0]))] = new Link
            {
                Index = table.Count,
                Ingress = byte.Parse(parts[1]),
                Egress = PortSet.Parse(parts[2]).Bits,
                Gap = ulong.Parse(parts[3]) * NanosecondsPerMillisecond,
                MaxLength = int.Parse(parts[4]),
            };
        }
        return new ConstantTable<LinkNumber, Link>(table);
    }
}
