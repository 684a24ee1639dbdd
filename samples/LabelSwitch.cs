using System.Buffers.Binary;
using Emu.Protocols;

namespace Emu.Samples;

/// <summary>
/// A label switching router (RFC 3031): the top label of an MPLS frame says whether it is swapped for another, popped,
/// or has one more pushed in front, and where the frame goes.
/// </summary>
/// <remarks>
/// Labels are those of RFC 3032, below 256 here. Of the last label that is popped the packet is IPv4. The time to live
/// is decremented in the label alone; frames whose time is over are dropped, as are labels that are not known and other
/// frames.
/// </remarks>
/// <example>--swap 16=17=1 --pop 18=2 --push 19=99=3</example>
/// <param name="swap">Labels, those in their place, and ports, as <c>16=17=1</c>.</param>
/// <param name="pop">Labels that are taken out, and ports, as <c>18=2</c>.</param>
/// <param name="push">Labels, those put in front, and ports, as <c>19=99=3</c>.</param>
public sealed class LabelSwitch(string[]? swap = null, string[]? pop = null, string[]? push = null) : Service
{
    private const ushort MplsUnicast = 0x8847;
    private const int ShimBytes = 4, Labels = 256;
    private const uint ClassBits = 0xE00, BottomBit = 0x100, TtlBits = 0xFF;

    private enum Action : byte
    {
        Drop,
        Swap,
        Pop,
        Push,
    }

    private readonly record struct Entry(Action Action, uint Label, byte Port);

    private readonly Entry[] _entries = Table(swap ?? [], pop ?? [], push ?? []);

    /// <summary>Frames that left with other labels.</summary>
    public Counter Switched { get; } = new();

    /// <summary>Frames whose time to live was over.</summary>
    public Counter Expired { get; } = new();

    /// <summary>Frames dropped for another reason: no label, or one that is not known.</summary>
    public Counter Unknown { get; } = new();

    /// <inheritdoc/>
    public override void Process(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        if ((ushort)ethernet.EtherType != MplsUnicast
            || !BinaryPrimitives.TryReadUInt32BigEndian(ethernet.Payload, out var shim) || shim >> 12 >= Labels)
        {
            Unknown.Increment();
            return;
        }
        var (entry, ttl) = (_entries[shim >> 12], shim & TtlBits);
        if (ttl <= 1)
        {
            Expired.Increment();
            return;
        }
        ttl--;
        switch (entry.Action)
        {
            case Action.Swap:
                Write(ethernet.Payload, entry.Label, shim & (ClassBits | BottomBit) | ttl);
                break;
            case Action.Pop:
                if ((shim & BottomBit) != 0) ethernet.EtherType = EtherType.IPv4;
                frame.Remove(Ethernet.HeaderLength, ShimBytes);
                break;
            case Action.Push:
                frame.Insert(Ethernet.HeaderLength, ShimBytes);
                Write(frame.Bytes[Ethernet.HeaderLength..], entry.Label, shim & ClassBits | ttl);
                break;
            default:
                Unknown.Increment();
                return;
        }
        Switched.Increment();
        frame.ForwardTo(new PortId(entry.Port));
    }

    private static void Write(Span<byte> shim, uint label, uint rest) =>
        BinaryPrimitives.WriteUInt32BigEndian(shim, label << 12 | rest);

    private static Entry[] Table(string[] swap, string[] pop, string[] push)
    {
        var entries = new Entry[Labels];
        void Add(Action action, string text)
        {
            var words = text.Split('=');
            entries[int.Parse(words[0])] = new Entry(
                action, action == Action.Pop ? 0 : uint.Parse(words[1]), byte.Parse(words[^1]));
        }
        foreach (var text in swap) Add(Action.Swap, text);
        foreach (var text in pop) Add(Action.Pop, text);
        foreach (var text in push) Add(Action.Push, text);
        return entries;
    }
}
