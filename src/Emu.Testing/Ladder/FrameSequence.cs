using System.Collections;
using Emu.Hosting;

namespace Emu.Testing;

/// <summary>Frames for a service to receive, and where they come from.</summary>
public sealed class FrameSequence : IReadOnlyList<IncomingFrame>
{
    private const ulong Start = 1_700_000_000_000_000_000;
    private const ulong Microsecond = 1_000;

    // Long enough for what is kept some seconds to expire in some tens of frames.
    private const long LongestPause = 1_200_000_000;

    private readonly IReadOnlyList<IncomingFrame> _frames;

    private FrameSequence(string origin, IEnumerable<IncomingFrame> frames) =>
        (Origin, _frames) = (origin, [.. frames]);

    /// <summary>The expression that makes them again.</summary>
    public string Origin { get; }

    /// <inheritdoc/>
    public int Count => _frames.Count;

    /// <inheritdoc/>
    public IncomingFrame this[int index] => _frames[index];

    /// <summary>
    /// Random frames between the stations 02:00:00:00:00:01 to :04, which are 10.0.0.1 to .4 and fd00::1 to ::4: ARP,
    /// IPv4 and IPv6 with ICMP, UDP and TCP, tags, groups, bare payload. A quarter are cut anywhere, a quarter have
    /// bytes changed. At random times, up to 1.2 seconds apart.
    /// </summary>
    /// <param name="count">The number of frames.</param>
    /// <param name="seed">Equal frames for equal seeds.</param>
    /// <param name="ports">The ports at which they arrive.</param>
    public static FrameSequence Random(int count, ulong seed = 1, int ports = 4) =>
        Drawn($"Random({count}, {seed}, {ports})", RandomPackets.Next, count, seed, ports);

    /// <summary>
    /// Frames made from samples: half as they are, a quarter cut anywhere, a quarter with bytes changed.
    /// Times as for <see cref="Random"/>.
    /// </summary>
    /// <param name="samples">The samples, at least one: frames that the service does something with.</param>
    /// <param name="count">The number of frames.</param>
    /// <param name="seed">Equal frames for equal seeds.</param>
    /// <param name="ports">The ports at which they arrive.</param>
    public static FrameSequence Like(IReadOnlyList<byte[]> samples, int count, ulong seed = 1, int ports = 4)
    {
        ArgumentNullException.ThrowIfNull(samples);
        ArgumentOutOfRangeException.ThrowIfZero(samples.Count);
        return Drawn(
            $"Like(samples, {count}, {seed}, {ports})", random => samples[random.Next(samples.Count)], count, seed,
            ports);
    }

    /// <summary>The frames given, a microsecond apart.</summary>
    /// <param name="frames"><see cref="Packet"/>s or bytes.</param>
    /// <param name="port">The port at which all of them arrive.</param>
    public static FrameSequence Of(IEnumerable<byte[]> frames, int port = 0) =>
        new("Of(frames)", frames.Select((bytes, i) => new IncomingFrame(port, bytes, Start + Microsecond * (ulong)i)));

    /// <summary>The frames of a capture, pcap or pcapng, with their times.</summary>
    /// <param name="path">The file.</param>
    /// <param name="port">The port at which all of them arrive.</param>
    /// <exception cref="CommandException">There is no such file, or it is no capture.</exception>
    public static FrameSequence ReadCapture(string path, int port = 0)
    {
        using var reader = CaptureReader.Open(path);
        var frames = new List<IncomingFrame>();
        while (reader.TryRead(out var packet)) frames.Add(new IncomingFrame(port, packet.Bytes.ToArray(), packet.Time));
        return new FrameSequence($"ReadCapture(\"{path}\")", frames);
    }

    /// <inheritdoc/>
    public IEnumerator<IncomingFrame> GetEnumerator() => _frames.GetEnumerator();

    IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();

    private static FrameSequence Drawn(string origin, Func<Random, byte[]> next, int count, ulong seed, int ports)
    {
        var random = new Random(unchecked((int)SplitMix64.Draw(seed, 0)));
        var time = Start;
        return new FrameSequence(origin, Enumerable.Range(0, count).Select(_ =>
            new IncomingFrame(
                random.Next(ports), Changed(next(random), random), time += (ulong)random.NextInt64(LongestPause))));
    }

    private static byte[] Changed(byte[] frame, Random random)
    {
        byte[] changed = [.. frame];
        switch (random.Next(4))
        {
            case 0:
                return changed[..random.Next(1, changed.Length + 1)];
            case 1:
                for (var i = random.Next(3); i >= 0; i--) changed[random.Next(changed.Length)] = (byte)random.Next(256);
                return changed;
            default:
                return changed;
        }
    }
}
