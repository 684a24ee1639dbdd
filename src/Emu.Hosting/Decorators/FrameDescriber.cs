namespace Emu.Hosting;

/// <summary>Says in a few words, on one line, what a frame is.</summary>
/// <param name="frame">The bytes without FCS; of any content.</param>
public delegate string FrameDescriber(ReadOnlySpan<byte> frame);
