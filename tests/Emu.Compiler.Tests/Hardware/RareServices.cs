namespace Emu.Compiler.Tests;

/// <summary>
/// Another service behind a rare case of what frames are: their flow is then counted out byte by byte, as many as
/// the frame says.
/// </summary>
/// <param name="service">The other service; what it keeps is used by all frames.</param>
/// <param name="mask">The bits of a byte of the frame that are all 1 in the rare case.</param>
public sealed class RareFrames(Service service, byte mask) : Service
{
    public override void Process(ref Frame frame)
    {
        if ((frame.Bytes[13] & mask) == mask) frame.Bytes[5] = CountOut(frame.Bytes);
        service.Process(ref frame);
    }

    private static byte CountOut(ReadOnlySpan<byte> bytes)
    {
        byte sum = 0;
        for (var i = 0; i < bytes[12]; i++) sum += bytes[i];
        return sum;
    }
}

/// <summary>
/// Another service behind a check of some bytes of the frame, and a rare case of intact ones: so the header alone says
/// early that a frame is rare, if it is not damaged.
/// </summary>
/// <param name="service">The other service; what it keeps is used by all frames.</param>
/// <param name="mask">The bits of a byte of the frame that are all 1 in the rare case.</param>
/// <param name="checksAll">True to check the whole frame, which is over when its header has long been seen.</param>
public sealed class RareIntact(Service service, byte mask, bool checksAll) : Service
{
    private const ulong Damaged = 3;

    public Counter Dropped { get; } = new();

    public override void Process(ref Frame frame)
    {
        var bytes = checksAll ? frame.Bytes : frame.Bytes[..14];
        if ((InternetChecksum.Sum(bytes) & Damaged) == Damaged)
        {
            Dropped.Increment();
            return;
        }
        if ((frame.Bytes[13] & mask) == mask) Mark(ref frame);
        service.Process(ref frame);
    }

    [Cold]
    private static void Mark(ref Frame frame) => frame.Bytes[3]++;
}

/// <summary>
/// Another service, and a rare case of what it decides: the frame is then marked at a place that it says itself.
/// </summary>
/// <param name="service">The other service.</param>
public sealed class RareVerdicts(Service service) : Service
{
    public override void Process(ref Frame frame)
    {
        service.Process(ref frame);
        if (frame.Egress.Contains(new PortId(2)) && frame.Ingress.Index == 1) frame.Bytes[frame.Bytes[13] & 7]++;
    }
}

/// <summary>
/// Counts frames twice in one number, in its low half before a rare case is dealt with and in its high half after: only
/// between two frames both are the same.
/// </summary>
public sealed class RareSequence : Service
{
    private const int HalfBits = 32;

    [Control]
    public ulong Sequence { get; private set; }

    public override void Process(ref Frame frame)
    {
        Sequence += 1;
        var turns = (frame.Bytes[13] & 1) != 0 ? frame.Bytes[12] : 0;
        for (var i = 0; i < turns; i++) frame.Bytes[0] += frame.Bytes[i];
        Sequence += 1UL << HalfBits;
        frame.ForwardTo(new PortSet(Sequence));
    }
}
