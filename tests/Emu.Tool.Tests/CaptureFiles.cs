using Emu.Hosting;

namespace Emu.Tool.Tests;

/// <summary>Capture files as lists of frames.</summary>
internal static class CaptureFiles
{
    public static List<TimedFrame> Read(string path)
    {
        using var reader = CaptureReader.Open(path);
        var frames = new List<TimedFrame>();
        while (reader.TryRead(out var packet)) frames.Add(new TimedFrame(packet.Bytes.ToArray(), packet.Time));
        return frames;
    }

    public static void Write(string path, IEnumerable<TimedFrame> frames)
    {
        using var writer = CaptureWriter.Create(path);
        var captured = writer.AddInterface("frames");
        foreach (var frame in frames) writer.Write(captured, frame.Bytes, frame.Time);
    }
}
