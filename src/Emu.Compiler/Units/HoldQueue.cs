using System.Numerics;
using Emu.Compiler.IR;
using Emu.Compiler.Layouts;
using Emu.Compiler.Rewriting;
using Emu.Compiler.Rtl;

namespace Emu.Compiler.Units;

/// <summary>
/// The frames that arrived while an event waited, and are handled after it: a queue of whole frames in block RAM.
/// </summary>
/// <remarks>It takes a beat in each cycle and gives one in two. It is never written while it is read.</remarks>
internal sealed class HoldQueue
{
    private readonly Netlist _n;
    private readonly Section _section;
    private readonly List<Ram> _beats, _users;
    private readonly Flop _count, _hasWord, _head, _frameHead;
    private readonly Value _frameTaken;

    /// <summary>Declares it.</summary>
    /// <param name="n">The netlist in which it is made.</param>
    /// <param name="options">The device.</param>
    /// <param name="capacity">The most frames that it keeps, 1 or more.</param>
    public HoldQueue(Netlist n, HardwareOptions options, int capacity)
    {
        _n = n;
        _section = n.Begin("hold queue: frames that arrived while an event waited");
        var beats = capacity * ((options.Capacity + options.Lanes - 1) / options.Lanes);
        _count = n.AddFlop("hold_count", Interval.Of((UInt128)capacity).Width, 0, "frames that are held");
        _hasWord = n.AddFlop("hold_has_word", 1, 0, "the word at the head has been read");
        HasRoom = n.Less(_count, new Constant(_count.Width, (UInt128)capacity));
        IsEmpty = n.Equal(_count, FoldingBuilder.Zero(_count.Width));

        List<int> beat = [.. Enumerable.Repeat(8, options.Lanes), options.Lanes, 1];
        _beats = Rams("hold", beat, beats);
        _users = Rams("hold_user", [StreamUserLayout.Bits], capacity);
        _head = Pointer("hold_head", _beats);
        _frameHead = Pointer("hold_frame_head", _users);
        var shown = Read(_beats, beat, _head, isRegistered: true);
        var taken = n.DeclareWire("hold_taken", 1, "the beat is taken");
        Beats = new BeatStream(
            shown[..^2], shown[^2], _hasWord, shown[^1],
            Read(_users, [StreamUserLayout.Bits], _frameHead, isRegistered: false)[0], taken);
        _frameTaken = n.AddWire("hold_frame_taken", n.And(taken, Beats.IsLast));
    }

    /// <summary>True if there is room for one more frame.</summary>
    public Value HasRoom { get; }

    /// <summary>True if no frame is held.</summary>
    public Value IsEmpty { get; }

    /// <summary>The beats of the frames that are held.</summary>
    public BeatStream Beats { get; }

    /// <summary>Connects it.</summary>
    /// <param name="comes">The beats of frames that are to be held; there is room for them.</param>
    /// <param name="clears">1 when it is emptied.</param>
    public void Build(BeatStream comes, Value clears)
    {
        var n = _n;
        n.Continue(_section);
        var frameComes = n.And(comes.IsValid, comes.IsLast);
        Write(_beats, [.. comes.Data, comes.Keep, comes.IsLast], "hold_tail", comes.IsValid, clears);
        Write(_users, [comes.User], "hold_frame_tail", frameComes, clears);
        Move(_head, Beats.Ready, clears);
        Move(_frameHead, _frameTaken, clears);
        // The word behind the one that is taken is there a cycle later.
        _hasWord.Next = n.And(n.Not(n.Or(Beats.Ready, clears)), n.Not(IsEmpty));
        var width = _count.Width;
        var less = n.Subtract(_count, new Constant(width, 1));
        var more = n.Add(_count, new Constant(width, 1));
        _count.Next = n.Select(clears, FoldingBuilder.Zero(width), n.Select(frameComes, more, less));
        _count.Enable = n.ReduceOr([clears, frameComes, _frameTaken]);
    }

    private List<Ram> Rams(string name, List<int> widths, int depth) =>
    [
        .. FifoWords.Join(_n, widths.Select(FoldingBuilder.Zero)).Select((word, i) => _n.AddRam(
            $"{name}_{i}", word.Width, (int)BitOperations.RoundUpToPowerOf2((uint)Math.Max(2, depth)))),
    ];

    private List<Value> Read(List<Ram> rams, List<int> widths, Flop head, bool isRegistered) => FifoWords.Split(
        _n, [.. rams.Select(ram => (Value)_n.AddRead($"{ram.Name}_read", ram, head, isRegistered))], widths);

    private void Write(List<Ram> rams, List<Value> values, string name, Value comes, Value clears)
    {
        var tail = Pointer(name, rams);
        Move(tail, comes, clears);
        foreach (var (ram, word) in rams.Zip(FifoWords.Join(_n, values))) ram.Write = new RamWrite(tail, word, comes);
    }

    private Flop Pointer(string name, List<Ram> rams) => _n.AddFlop(name, rams[0].AddressWidth, 0);

    private void Move(Flop pointer, Value moves, Value clears)
    {
        var next = _n.Add(pointer, new Constant(pointer.Width, 1));
        (pointer.Next, pointer.Enable) = (
            _n.Select(clears, FoldingBuilder.Zero(pointer.Width), next), _n.Or(moves, clears));
    }
}
