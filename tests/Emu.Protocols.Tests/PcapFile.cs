using System.Buffers.Binary;

namespace Emu.Protocols.Tests;

/// <summary>
/// Just enough of the classic capture format for the outside parsers: little-endian, Ethernet, whole frames.
/// </summary>
internal static class PcapFile
{
    private const int FileHeaderLength = 24;
    private const int RecordHeaderLength = 16;
    private const int CapturedLengthOffset = 8;

    public static void Write(string path, IEnumerable<byte[]> frames)
    {
        using var writer = new BinaryWriter(File.Create(path));
        foreach (var word in (ReadOnlySpan<uint>)[0xA1B2_C3D4, 0x0004_0002, 0, 0, 65535, 1]) writer.Write(word);
        foreach (var frame in frames)
        {
            foreach (var word in (ReadOnlySpan<uint>)[0, 0, (uint)frame.Length, (uint)frame.Length]) writer.Write(word);
            writer.Write(frame);
        }
    }

    public static List<byte[]> Read(string path)
    {
        var frames = new List<byte[]>();
        var rest = File.ReadAllBytes(path).AsSpan(FileHeaderLength);
        while (rest.Length > 0)
        {
            var length = BinaryPrimitives.ReadInt32LittleEndian(rest[CapturedLengthOffset..]);
            frames.Add(rest.Slice(RecordHeaderLength, length).ToArray());
            rest = rest[(RecordHeaderLength + length)..];
        }
        return frames;
    }
}
