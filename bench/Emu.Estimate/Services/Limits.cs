namespace Emu.Estimate;

/// <summary>
/// Forwards a source port's frames while its rate, bytes by microseconds since the last, is below a bound.
/// </summary>
public sealed class RateByDivision : Service
{
    private const uint Most = 125;

    private readonly uint[] _last = new uint[4];
    private readonly uint[] _bytes = new uint[4];

    public override void Process(ref Frame frame)
    {
        var port = frame.Ingress.Index & 3;
        var now = (uint)(frame.Time >> 10);
        var elapsed = now - _last[port];
        _bytes[port] += (uint)frame.Length;
        if (elapsed == 0) return;
        var rate = _bytes[port] / elapsed;
        if (elapsed > 1000) (_last[port], _bytes[port]) = (now, 0);
        if (rate <= Most) frame.Flood();
    }
}

/// <summary>A bucket of tokens for each port, which a rate of its own fills.</summary>
public sealed class TokenBuckets : Service
{
    private const uint Burst = 12_000;
    private const int Shift = 10;

    private readonly uint[] _tokens = [Burst, Burst, Burst, Burst];
    private readonly uint[] _filled = new uint[4];
    private readonly ushort[] _rates = [125, 250, 1250, 12500];

    public override void Process(ref Frame frame)
    {
        var port = frame.Ingress.Index & 3;
        var now = (uint)(frame.Time >> 8);
        var earned = (ulong)(now - _filled[port]) * _rates[port] >> Shift;
        _filled[port] = now;
        var tokens = (uint)Math.Min(_tokens[port] + earned, Burst);
        var conforms = tokens >= (uint)frame.Length;
        _tokens[port] = conforms ? tokens - (uint)frame.Length : tokens;
        if (conforms) frame.Flood();
    }
}

/// <summary>A moving average of the length of each port's frames; what is much longer is dropped.</summary>
public sealed class MovingAverage : Service
{
    private readonly int[] _means = new int[4];

    public override void Process(ref Frame frame)
    {
        var port = frame.Ingress.Index & 3;
        var mean = _means[port];
        var sample = frame.Length << 8;
        _means[port] = mean + ((sample - mean) * 13 >> 6);
        if (sample <= 3 * mean + 65_536) frame.Flood();
    }
}

/// <summary>Writes the milliseconds and the remaining microseconds of the time into the frame.</summary>
public sealed class Milliseconds : Service
{
    public override void Process(ref Frame frame)
    {
        if (frame.Length < 22) return;
        var microseconds = (uint)(frame.Time >> 10);
        frame.Bytes.SetUInt32(14, microseconds / 1000);
        frame.Bytes.SetUInt32(18, microseconds % 1000);
        frame.Flood();
    }
}

internal static class Words
{
    public static void SetUInt32(this Span<byte> bytes, int offset, uint value) =>
        System.Buffers.Binary.BinaryPrimitives.WriteUInt32BigEndian(bytes[offset..], value);

    public static void SetUInt64(this Span<byte> bytes, int offset, ulong value) =>
        System.Buffers.Binary.BinaryPrimitives.WriteUInt64BigEndian(bytes[offset..], value);

    public static ushort UInt16(this Span<byte> bytes, int offset) =>
        System.Buffers.Binary.BinaryPrimitives.ReadUInt16BigEndian(bytes[offset..]);

    public static uint UInt32(this Span<byte> bytes, int offset) =>
        System.Buffers.Binary.BinaryPrimitives.ReadUInt32BigEndian(bytes[offset..]);

    public static ulong UInt64(this Span<byte> bytes, int offset) =>
        System.Buffers.Binary.BinaryPrimitives.ReadUInt64BigEndian(bytes[offset..]);
}
