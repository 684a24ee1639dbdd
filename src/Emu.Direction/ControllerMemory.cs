using System.Buffers.Binary;
using System.Numerics;
using System.Text;
using Emu.Direction.Packets;
using Emu.Direction.Probes;

namespace Emu.Direction;

/// <summary>
/// The bytes that a controller works on, in words of 64 bits: the most that each counter is to show, a packet, what it
/// keeps from packet to packet, and the directory of the variables. It is one array, so that a circuit has one memory,
/// and a choice of addresses where registers would be a choice of words; and one variable more is more words, not more
/// logic.
/// </summary>
internal sealed class ControllerMemory
{
    // What is written is in front and 0 at first, so that a reset has nothing to choose and leaves the rest as it is.
    // It is as many words as a power of two, so that a circuit tells them by the upper bits of an address.
    private const int WrittenWords = (int)ControllerWord.End, OwnWords = 24, EntryWords = 4, PairWords = 2;
    private const int WordBytes = sizeof(ulong), WordBits = 64, HalfBits = 32;
    private const int PacketWords = DirectionPacket.Length / WordBytes;
    private const int HashedWords = ControllerWord.End - ControllerWord.First;
    private const int ShownLow = 56, WidthLow = 48, WritableLow = 40;

    private readonly ulong[] _words;
    private readonly uint _mask;

    /// <summary>The first of the controller's words. In front of it are those of the counters.</summary>
    private readonly int _own;

    private readonly int _mostMask;

    /// <summary>Makes a memory with nothing kept.</summary>
    /// <param name="bootCount">A number that is another one each time that the service is started.</param>
    /// <param name="variables">The variables, in the order of their numbers.</param>
    public ControllerMemory(uint bootCount, IReadOnlyList<DirectedVariable> variables)
    {
        HasMost = variables.Any(CountProbe.Is);
        var counters = HasMost ? (int)BitOperations.RoundUpToPowerOf2((uint)variables.Count) : 0;
        _mostMask = counters - 1;
        _own = (int)BitOperations.RoundUpToPowerOf2((uint)(counters + WrittenWords)) - WrittenWords;
        FirstEntry = checked((ushort)((_own + OwnWords) / EntryWords));
        var last = checked((ushort)(FirstEntry + variables.Count));
        var pair = last * (uint)(EntryWords / PairWords);
        List<UInt128> parts = [];
        List<ulong> directory = [];
        foreach (var (number, variable) in variables.Index())
        {
            var own = PartsOf(variable.Name);
            directory.AddRange(
            [
                (ulong)variable.NameHash << HalfBits | (uint)number, ShownAs(variable),
                (ulong)own.Count << HalfBits | (pair + (uint)parts.Count), 0,
            ]);
            parts.AddRange(own);
        }
        directory.AddRange(parts.SelectMany(part => new[] { (ulong)(part >> WordBits), (ulong)part }));
        _words = new ulong[BitOperations.RoundUpToPowerOf2((uint)(_own + OwnWords + directory.Count))];
        _mask = (uint)_words.Length - 1;
        directory.CopyTo(_words, _own + OwnWords);
        this[ControllerWord.End] = BinaryPrimitives.ReverseEndianness(SipHash.LastWord(HashedWords * WordBytes));
        this[ControllerWord.Boot] = bootCount + 1UL;
        this[ControllerWord.Variables] = (ulong)variables.Count;
        this[ControllerWord.LastEntry] = last;
    }

    /// <summary>The entry of the first variable.</summary>
    public ushort FirstEntry { get; }

    /// <summary>True if there are counters, for each of which the most that it is to show is kept.</summary>
    public bool HasMost { get; }

    /// <summary>A word.</summary>
    public ulong this[ControllerWord word]
    {
        get => _words[_own + (int)word];
        set => _words[_own + (int)word] = value;
    }

    /// <summary>The most that a counter is to show, by the number of its variable; 0 at first.</summary>
    public ulong this[int counter]
    {
        get => _words[counter & _mostMask];
        set => _words[counter & _mostMask] = value;
    }

    /// <summary>A word of a variable.</summary>
    /// <param name="entry">The number of its entry, from <see cref="FirstEntry"/>.</param>
    /// <param name="word">The word.</param>
    public ulong this[ushort entry, DirectoryWord word] => _words[((uint)entry * EntryWords + (uint)word) & _mask];

    /// <summary>A half of a part of a name.</summary>
    /// <param name="pair">The number of the pair of words.</param>
    /// <param name="half">0 for the high one, 1 for the low one.</param>
    public ulong NamePart(uint pair, uint half) => _words[(pair * PairWords + half) & _mask];

    /// <summary>Takes in a packet.</summary>
    /// <param name="bytes">Its bytes, and others behind it.</param>
    public void Read(ReadOnlySpan<byte> bytes)
    {
        for (var i = 0; i < PacketWords; i++)
        {
            // That it is one of those that are written is seen from the mask.
            _words[_own + (((int)ControllerWord.Head + i) & (WrittenWords - 1))] =
                BinaryPrimitives.ReadUInt64BigEndian(bytes[(i * WordBytes)..]);
        }
    }

    /// <summary>Gives the packet out.</summary>
    public void Write(Span<byte> bytes)
    {
        for (var i = 0; i < PacketWords; i++)
            BinaryPrimitives.WriteUInt64BigEndian(bytes[(i * WordBytes)..], this[ControllerWord.Head + i]);
    }

    /// <summary>
    /// SipHash-2-4 of the words up to <see cref="ControllerWord.End"/>. It is one loop over half rounds, so that a
    /// circuit has two adders for it.
    /// </summary>
    /// <param name="key">The key.</param>
    public ulong Hash(UInt128 key)
    {
        var hash = new SipHash(key);
        var messageHalves = HalvesBefore(ControllerWord.Zero);
        var halves = messageHalves + SipHash.LastWords * SipHash.HalvesPerWord;
        for (var half = HalvesBefore(ControllerWord.First); half < halves; half++)
        {
            if (half == messageHalves) hash.End();
            var word = _words[half / SipHash.HalvesPerWord];
            hash.AddQuarter((int)(half % SipHash.HalvesPerWord), BinaryPrimitives.ReverseEndianness(word));
        }
        return hash.Value;
    }

    private uint HalvesBefore(ControllerWord word) => (uint)(_own + (int)word) * SipHash.HalvesPerWord;

    /// <summary>The parts of a name, and an empty one behind them, which shows the end.</summary>
    private static List<UInt128> PartsOf(string name) =>
    [
        .. Encoding.UTF8.GetBytes(name).Chunk(Controller.NamePart)
            .Select(part => part.Concat(new byte[Controller.NamePart - part.Length])
                .Aggregate(UInt128.Zero, (bits, next) => bits << 8 | next)),
        UInt128.Zero,
    ];

    private static ulong ShownAs(DirectedVariable variable) =>
        (ulong)variable.Kind << ShownLow | (ulong)variable.Width << WidthLow
        | (variable.IsWritable ? 1UL << WritableLow : 0) | (uint)variable.Elements;
}
