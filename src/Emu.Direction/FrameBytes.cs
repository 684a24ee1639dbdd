namespace Emu.Direction;

/// <summary>The bytes of a frame, as direction reads and sets them. Woven services call it.</summary>
public static class FrameBytes
{
    /// <summary>The bytes of a stopped frame that can be read and set, from its first on: 128.</summary>
    public const int Kept = 128;

    /// <summary>A byte of a frame; 0 behind its end.</summary>
    public static byte At(in Frame frame, int index) => index < frame.Length ? frame.Bytes[index] : (byte)0;

    /// <summary>Copies the first bytes of a frame; what is behind its end is 0.</summary>
    /// <param name="frame">The frame.</param>
    /// <param name="bytes">Where they go, <see cref="Kept"/> bytes.</param>
    [Cold]
    public static void Save(in Frame frame, byte[] bytes)
    {
        for (var i = 0; i < Kept; i++) bytes[i] = At(frame, i);
    }

    /// <summary>Puts the first bytes of a frame back, as far as it is long.</summary>
    /// <param name="frame">The frame.</param>
    /// <param name="bytes">What <see cref="Save"/> has copied.</param>
    [Cold]
    public static void Restore(in Frame frame, byte[] bytes)
    {
        for (var i = 0; i < Kept && i < frame.Length; i++) frame.Bytes[i] = bytes[i];
    }
}
