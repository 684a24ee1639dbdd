namespace Emu.Simulation;

/// <summary>A frame to measure with.</summary>
/// <param name="Kind">The kind in words.</param>
/// <param name="Bytes">The frame from the destination address to the last byte before the FCS.</param>
/// <param name="Ingress">The port that it comes by: the first unless another is named.</param>
public sealed record TestFrame(string Kind, ReadOnlyMemory<byte> Bytes, PortId Ingress = default);

/// <summary>The frames that circuits are measured with.</summary>
public sealed class TestTraffic
{
    private TestTraffic(string origin, IReadOnlyList<TestFrame> frames, bool isGiven)
    {
        if (frames.Count == 0) throw new ArgumentException("there is no frame to measure with", nameof(frames));
        (Origin, Frames, IsGiven) = (origin, frames, isGiven);
    }

    /// <summary>The origin of the frames, for the report.</summary>
    public string Origin { get; }

    /// <summary>All frames, in their order.</summary>
    public IReadOnlyList<TestFrame> Frames { get; }

    /// <summary>
    /// Frames that a circuit takes before it is measured, in their order: what is in its state then is in it.
    /// </summary>
    public IReadOnlyList<TestFrame> Before { get; private init; } = [];

    /// <summary>True if the user gave them, so that all count, also those that the service drops.</summary>
    public bool IsGiven { get; }

    /// <summary>Frames of a user, such as a capture's, in their order.</summary>
    /// <param name="origin">The capture's name.</param>
    /// <param name="frames">The frames, at least one.</param>
    /// <exception cref="ArgumentException">There is none.</exception>
    public static TestTraffic Given(string origin, IEnumerable<ReadOnlyMemory<byte>> frames) =>
        Given(origin, frames.Select(frame => (frame, new PortId(0))));

    /// <summary>Frames of a user, each with the port that it comes by.</summary>
    /// <param name="origin">The capture's name.</param>
    /// <param name="frames">The frames, at least one, in their order.</param>
    /// <exception cref="ArgumentException">There is none.</exception>
    public static TestTraffic Given(
        string origin, IEnumerable<(ReadOnlyMemory<byte> Bytes, PortId Ingress)> frames) =>
        new(origin, [.. frames.Select(NamedByItself)], isGiven: true);

    /// <summary>Frames of several kinds, one each. The service may answer only some of them: those count.</summary>
    /// <param name="origin">The common property of the frames, for the report.</param>
    /// <param name="frames">The frames, at least one.</param>
    /// <exception cref="ArgumentException">There is none.</exception>
    public static TestTraffic Guessed(string origin, IReadOnlyList<TestFrame> frames) =>
        new(origin, frames, isGiven: false);

    /// <summary>Some of the frames.</summary>
    /// <param name="frames">The frames, at least one, in their order.</param>
    public TestTraffic Only(IReadOnlyList<TestFrame> frames) => new(Origin, frames, IsGiven) { Before = Before };

    /// <summary>The same frames behind others, which are not measured.</summary>
    /// <param name="before">The others, in their order.</param>
    public TestTraffic Behind(IReadOnlyList<TestFrame> before) => new(Origin, Frames, IsGiven) { Before = before };

    private static TestFrame NamedByItself((ReadOnlyMemory<byte> Bytes, PortId Ingress) frame)
    {
        var name = FrameKindName.Of(frame.Bytes.Span);
        return new TestFrame(
            frame.Ingress.Index == 0 ? name : $"{name}, by port {frame.Ingress}", frame.Bytes, frame.Ingress);
    }
}
