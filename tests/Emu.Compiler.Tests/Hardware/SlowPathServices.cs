using System.Buffers.Binary;

namespace Emu.Compiler.Tests;

/// <summary>
/// IPv4 as the services here read it: the fields behind the header move with its options, so packets that have some
/// go by the slow path of a pipeline.
/// </summary>
internal static class IPv4Fields
{
    public const int Header = 14;
    public const int MinHeaderLength = 20;
    public const int MinLength = Header + MinHeaderLength;

    public static uint Destination(in Frame frame) =>
        BinaryPrimitives.ReadUInt32BigEndian(frame.Bytes[(Header + 16)..]);

    public static int Class(in Frame frame) => frame.Bytes[Header + 1] >> 2;

    /// <summary>The bytes from Ethernet's header to the payload.</summary>
    public static int HeaderLength(in Frame frame) => (frame.Bytes[Header] & 15) * 4;
}

/// <summary>
/// Routes by the longest prefix, or else by tables that the constructor filled: a next hop for the last byte of the
/// address, a weight for the class. The first byte of the payload has a say.
/// </summary>
public sealed class PrefixRouter : Service
{
    private const int Hops = 256;
    private const int Classes = 64;

    private readonly uint[] _prefixes = [0x0A000000, 0x0A010000, 0x0A010200, 0xC0A80000];
    private readonly uint[] _masks = [0xFF000000, 0xFFFF0000, 0xFFFFFF00, 0xFFFF0000];
    private readonly byte[] _ports = [1, 2, 4, 8];
    private readonly byte[] _hops = new byte[Hops];
    private readonly byte[] _weights = new byte[Classes];

    public PrefixRouter()
    {
        for (var i = 0; i < Hops; i++) _hops[i] = (byte)(i * 7 >> 2);
        for (var i = 0; i < Classes; i++) _weights[i] = (byte)(i * i);
    }

    public Counter Routed { get; } = new();

    public override void Process(ref Frame frame)
    {
        if (frame.Length < IPv4Fields.MinLength + 1) return;
        var header = IPv4Fields.HeaderLength(frame);
        if (header < IPv4Fields.MinHeaderLength || frame.Length < IPv4Fields.Header + header + 1) return;
        var payload = IPv4Fields.Header + header;
        var destination = IPv4Fields.Destination(frame);
        var ports = _hops[destination & Hops - 1] ^ _weights[IPv4Fields.Class(frame)] ^ frame.Bytes[payload];
        for (var i = 0; i < _prefixes.Length; i++)
        {
            if ((destination & _masks[i]) == _prefixes[i]) ports = _ports[i];
        }
        Routed.Increment();
        frame.ForwardTo(new PortSet((ulong)ports));
    }
}

/// <summary>
/// Passes requests of HTTP but those to put something, counts those to get something in either case, and writes the
/// first byte of each behind the method as hexadecimal digits.
/// </summary>
public sealed class MethodFilter : Service
{
    private const int Digits = 5;

    public Counter Gets { get; } = new();

    private static ReadOnlySpan<byte> Get => "get "u8;

    public override void Process(ref Frame frame)
    {
        if (frame.Length < IPv4Fields.MinLength + Digits + 2) return;
        var header = IPv4Fields.HeaderLength(frame);
        if (header < IPv4Fields.MinHeaderLength || frame.Length < IPv4Fields.Header + header + Digits + 2) return;
        var payload = IPv4Fields.Header + header;
        var text = frame.Bytes[payload..];
        if (text.StartsWith("PUT "u8)) return;
        if (IsGet(text)) Gets.Increment();
        var first = text[0];
        text[Digits] = "0123456789abcdef"u8[first >> 4];
        text[Digits + 1] = "0123456789abcdef"u8[first & 15];
        frame.Flood();
    }

    private static bool IsGet(Span<byte> text)
    {
        for (var i = 0; i < Get.Length; i++)
        {
            if ((text[i] | 0x20) != Get[i]) return false;
        }
        return true;
    }
}

/// <summary>Limits for classes of packets, as objects of which the class chooses one.</summary>
public sealed class ClassLimits : Service
{
    private sealed record Limit(int Longest, PortSet Ports)
    {
        public byte Mark { get; init; } = 5;
    }

    private readonly Limit[] _limits =
    [
        new(100, new PortSet(1)),
        new(70, new PortSet(2)),
        new(90, new PortSet(7)) { Mark = 9 },
        new(60, new PortSet(8)),
    ];

    private readonly Limit _reserve = new(80, new PortSet(3));

    public override void Process(ref Frame frame)
    {
        if (frame.Length < IPv4Fields.MinLength + 1) return;
        var header = IPv4Fields.HeaderLength(frame);
        if (header < IPv4Fields.MinHeaderLength || frame.Length < IPv4Fields.Header + header + 1) return;
        var payload = IPv4Fields.Header + header;
        var limit = _limits[IPv4Fields.Class(frame) & 3];
        var isLong = frame.Length > limit.Longest;
        frame.Bytes[payload] ^= isLong ? _reserve.Mark : limit.Mark;
        frame.ForwardTo(isLong ? _reserve.Ports : limit.Ports);
    }
}

/// <summary>Counts the bytes that go each way, those of payloads, and a weight that the packet chooses.</summary>
public sealed class ByteCounts : Service
{
    public Counter FramesIn { get; } = new();

    public Counter BytesUp { get; } = new();

    public Counter BytesDown { get; } = new();

    public Counter PayloadBytes { get; } = new();

    public Counter Weights { get; } = new();

    public Counter Classes { get; } = new();

    public override void Process(ref Frame frame)
    {
        FramesIn.Increment();
        if (frame.Ingress.Index == 0) BytesUp.Add((ulong)frame.Length);
        else BytesDown.Add((ulong)frame.Length);
        if (frame.Length < IPv4Fields.MinLength + 8) return;
        var header = IPv4Fields.HeaderLength(frame);
        if (header < IPv4Fields.MinHeaderLength || frame.Length < IPv4Fields.Header + header + 8) return;
        var payload = IPv4Fields.Header + header;
        PayloadBytes.Add((ulong)(frame.Length - payload));
        Weights.Add(BinaryPrimitives.ReadUInt64BigEndian(frame.Bytes[payload..]));
        if (IPv4Fields.Class(frame) > 3) Classes.Add((ulong)IPv4Fields.Class(frame));
        else Classes.Add(1000);
        frame.ForwardTo(new PortSet(frame.Bytes[payload]));
    }
}

/// <summary>Adds up in fields of every width, which wrap as in C#.</summary>
public sealed class FieldCounts : Service
{
    private byte _labels;
    private ushort _lengths;
    private uint _words;
    private long _balance;

    public Counter Frames { get; } = new();

    public override void Process(ref Frame frame)
    {
        Frames.Increment();
        _lengths += (ushort)(frame.Length * 999);
        _balance -= frame.Length;
        if (frame.Length < IPv4Fields.MinLength + 8) return;
        var header = IPv4Fields.HeaderLength(frame);
        if (header < IPv4Fields.MinHeaderLength || frame.Length < IPv4Fields.Header + header + 8) return;
        var payload = IPv4Fields.Header + header;
        _labels++;
        _words += BinaryPrimitives.ReadUInt32BigEndian(frame.Bytes[payload..]);
        frame.ForwardTo(new PortSet(frame.Bytes[payload]));
    }
}

/// <summary>
/// Counts at several places for one frame: each label of as many as the frame says, and what follows them.
/// </summary>
public sealed class LabelCounts : Service
{
    private const int Labels = 16;
    private const int MostLabels = 5;

    public Counter Seen { get; } = new();

    public Counter Bytes { get; } = new();

    public override void Process(ref Frame frame)
    {
        if (frame.Length < Labels + MostLabels + 1) return;
        var labels = frame.Bytes[Labels - 2] & 7;
        if (labels == 0 || labels > MostLabels) return;
        Bytes.Add(frame.Bytes[Labels - 1]);
        for (var i = 0; i < labels; i++)
        {
            Seen.Increment();
            Bytes.Add(frame.Bytes[Labels + i]);
        }
        if (frame.Bytes[Labels + labels] > 100) Seen.Increment();
        frame.Flood();
    }
}

/// <summary>Counts frames and bytes for each port.</summary>
public sealed class PortCounts : Service
{
    private readonly Counter[] _frames = [new(), new(), new(), new()];
    private readonly Counter[] _bytes = [new(), new(), new(), new()];

    public override void Process(ref Frame frame)
    {
        _frames[frame.Ingress.Index & 3].Increment();
        _bytes[frame.Ingress.Index & 3].Add((ulong)frame.Length);
        if (frame.Length < IPv4Fields.MinLength + 1) return;
        var header = IPv4Fields.HeaderLength(frame);
        if (header < IPv4Fields.MinHeaderLength || frame.Length < IPv4Fields.Header + header + 1) return;
        frame.ForwardTo(new PortSet(frame.Bytes[IPv4Fields.Header + header]));
    }
}

/// <summary>A table that can be read from outside, and that only the constructor wrote.</summary>
public sealed class ShownTable(int entries) : Service
{
    [Control]
    public Codes Codes { get; } = new(entries);

    public override void Process(ref Frame frame)
    {
        if (frame.Length < IPv4Fields.MinLength + 1) return;
        var header = IPv4Fields.HeaderLength(frame);
        if (header < IPv4Fields.MinHeaderLength || frame.Length < IPv4Fields.Header + header + 1) return;
        var payload = IPv4Fields.Header + header;
        frame.ForwardTo(new PortSet(Codes.Of(frame.Bytes[payload])));
    }
}

/// <summary>A number for each byte.</summary>
public sealed class Codes(int entries) : IControlTable
{
    private readonly ushort[] _codes = [.. Enumerable.Range(0, entries).Select(i => (ushort)(i * 40503))];

    public IReadOnlyList<string> Columns => ["code"];

    public IEnumerable<IReadOnlyList<string>> Rows(ulong nanoseconds) => _codes.Select(code => new[] { $"{code}" });

    public ushort Of(int octet) => _codes[octet & entries - 1];
}
