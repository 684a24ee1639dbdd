using System.Buffers.Binary;

namespace Emu.Compiler.Tests;

/// <summary>The text that services put into frames, and parts of it: some overlap, one is empty, one is all.</summary>
internal static class LoadedText
{
    public static byte[] Bytes { get; } = [.. Enumerable.Range(0, 203).Select(i => (byte)(i * 77 + 5))];

    public static byte[] Starts { get; } = [0, 1, 5, 31, 32, 33, 100, 150, 202, 0, 64, 7, 11, 13, 17, 190];

    public static byte[] Lengths { get; } = [1, 2, 31, 32, 33, 64, 70, 53, 1, 203, 0, 3, 19, 100, 8, 13];
}

/// <summary>Appends a part of a table to the frame, its length and sum in front, and behind it a trailer.</summary>
public sealed class AppendedText : Service
{
    private readonly byte[] _text = LoadedText.Bytes;
    private readonly byte[] _starts = LoadedText.Starts;
    private readonly byte[] _lengths = LoadedText.Lengths;
    private readonly ushort[] _sums = [.. LoadedText.Starts.Zip(
        LoadedText.Lengths, (start, length) => (ushort)InternetChecksum.Sum(LoadedText.Bytes.AsSpan(start, length)))];

    public override void Process(ref Frame frame)
    {
        var part = frame.Bytes[0] & 15;
        var (end, length) = (frame.Length, _lengths[part]);
        if (end > 1200) return;
        frame.Resize(end + 2 + length + 4);
        var bytes = frame.Bytes[end..];
        BinaryPrimitives.WriteUInt16BigEndian(frame.Bytes[4..], (ushort)InternetChecksum.Behind(end, _sums[part]));
        BinaryPrimitives.WriteUInt16BigEndian(bytes, length);
        _text.AsSpan(_starts[part], length).CopyTo(bytes[2..]);
        BinaryPrimitives.WriteUInt32BigEndian(bytes[(2 + length)..], 0xC0DEC0DE);
        frame.Reply();
    }
}

/// <summary>
/// Puts one of two tables into the frame where its header says, in some frames both, the second over the first; a copy
/// of the frame before is sent, and one between.
/// </summary>
public sealed class TwoTexts : Service
{
    private readonly byte[] _text = LoadedText.Bytes;
    private readonly byte[] _other = [.. LoadedText.Bytes.Reverse()];

    public override void Process(ref Frame frame)
    {
        var bytes = frame.Bytes;
        var (what, at, length) = (bytes[0], 14 + (bytes[1] & 63), bytes[2] & 127);
        if (frame.Length < 240) frame.Resize(240);
        bytes = frame.Bytes;
        if ((what & 4) != 0) frame.Send(PortSet.Of(new PortId(1)));
        if ((what & 1) != 0) _text.AsSpan(what & 31, length).CopyTo(bytes[at..]);
        else _text.AsSpan(3, length).CopyTo(bytes[(at + 5)..]);
        if ((what & 8) != 0) frame.Send(PortSet.Of(new PortId(2)));
        if ((what & 2) != 0) _other.AsSpan(9, length).CopyTo(bytes[(at + 10)..]);
        frame.ForwardTo(new PortId(3));
    }
}

/// <summary>Copies as many bytes as the frame says: sometimes more than there are, or than there is room for.</summary>
public sealed class AnyText : Service
{
    private readonly byte[] _text = LoadedText.Bytes;

    public int Copied { get; private set; }

    public override void Process(ref Frame frame)
    {
        var bytes = frame.Bytes;
        var (start, at, length) = (bytes[0], (int)bytes[1], bytes[2]);
        bytes[3] = 9;
        _text.AsSpan(start, length).CopyTo(bytes[(20 + at)..]);
        Copied++;
        frame.ForwardTo(new PortId(start & 3));
    }
}

/// <summary>
/// Keeps a text for each of a few names, as long as the frame that says it has; frames that ask for it are given it, in
/// one place or behind their last byte.
/// </summary>
public sealed class LearnedText : Service
{
    private const int MaxLength = 64, TextOffset = 20;

    private readonly byte[] _texts = new byte[16 * MaxLength];
    private readonly byte[] _lengths = new byte[16];

    public override void Process(ref Frame frame)
    {
        var (name, kind) = (frame.Bytes[0] & 15, frame.Bytes[1] & 7);
        var text = _texts.AsSpan(name * MaxLength, MaxLength);
        if (kind == 0)
        {
            _lengths[name] = (byte)Math.Min(frame.Length - TextOffset, MaxLength);
            frame.Bytes.Slice(TextOffset, _lengths[name]).CopyTo(text);
            frame.Reply();
            return;
        }
        var end = kind < 4 ? TextOffset : frame.Length;
        frame.Resize(end + _lengths[name]);
        text[.._lengths[name]].CopyTo(frame.Bytes[end..]);
        frame.Reply();
    }
}

/// <summary>Puts a part of a table where the header ends.</summary>
public sealed class FixedPlace : Service
{
    private readonly byte[] _text = LoadedText.Bytes;

    public override void Process(ref Frame frame)
    {
        var length = frame.Bytes[0] & 63;
        frame.Resize(20 + length);
        _text.AsSpan(5, length).CopyTo(frame.Bytes[20..]);
        frame.Reply();
    }
}
