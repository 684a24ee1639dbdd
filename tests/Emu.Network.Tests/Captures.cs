using Emu.Hosting;

namespace Emu.Network.Tests;

/// <summary>Capture files as lists of frames.</summary>
internal static class Captures
{
    public static void Write(string path, IEnumerable<TimedFrame> frames)
    {
        using var writer = CaptureWriter.Create(path);
        var number = writer.AddInterface("test");
        foreach (var frame in frames) writer.Write(number, frame.Bytes, frame.Time);
    }

    /// <summary>All frames of an interface that went this way.</summary>
    public static List<TimedFrame> Read(
        string path, int captureInterface = 0, PacketDirection direction = PacketDirection.Unknown)
    {
        using var reader = CaptureReader.Open(path);
        var frames = new List<TimedFrame>();
        while (reader.TryRead(out var packet))
        {
            if (packet.Interface == captureInterface && packet.Direction == direction)
                frames.Add(new TimedFrame(packet.Bytes.ToArray(), packet.Time));
        }
        return frames;
    }
}
