using System.Buffers.Binary;

namespace Emu.Compiler.Tests;

/// <summary>Says in each frame which flow has had none for the longest time: exact LRU of all flows.</summary>
public sealed class IdleFlow : Service
{
    private readonly LruList _uses;
    private readonly int _flows;

    public IdleFlow(int flows)
    {
        (_uses, _flows) = (new LruList(flows), flows);
        for (var flow = 0; flow < flows; flow++) _uses.Add(flow);
    }

    public override void Process(ref Frame frame)
    {
        _uses.Use(Flow.To(frame, _flows));
        BinaryPrimitives.WriteUInt16BigEndian(frame.Bytes, (ushort)_uses.Oldest);
        frame.Reply();
    }
}

/// <summary>
/// Writes several words of an array, by what a frame says: two of them may be one, and a word is read between.
/// </summary>
public sealed class SeveralWords(int words) : Service
{
    private readonly ushort[] _words = new ushort[words];

    public override void Process(ref Frame frame)
    {
        var (to, from, kind) = (Flow.To(frame, words), Flow.From(frame, words), Flow.Kind(frame));
        var before = _words[to];
        if ((kind & 1) != 0) _words[from] = (ushort)(before + 1);
        _words[to ^ 1] = (ushort)(kind << 8 | to);
        var between = _words[from];
        if ((kind & 2) != 0) _words[from] = between;
        else _words[to] += 3;
        BinaryPrimitives.WriteUInt16BigEndian(frame.Bytes, before);
        BinaryPrimitives.WriteUInt16BigEndian(frame.Bytes[2..], between);
        frame.Reply();
    }
}
