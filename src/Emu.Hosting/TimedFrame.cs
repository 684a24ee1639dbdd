namespace Emu.Hosting;

/// <summary>A frame and a time, as tests list them.</summary>
/// <param name="Bytes">The frame, without FCS.</param>
/// <param name="Time">The time at which it arrives, or was sent, in nanoseconds.</param>
public readonly record struct TimedFrame(byte[] Bytes, ulong Time);
