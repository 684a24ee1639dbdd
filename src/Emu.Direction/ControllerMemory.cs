using System.Buffers.Binary;
using Emu.Direction.Packets;

namespace Emu.Direction;

/// <summary>
/// The bytes that a controller works on, in words of 64 bits: a packet, and what it keeps from packet to packet. It is
/// one array, so that a circuit has one memory, and a choice of addresses where registers would be a choice of words.
/// </summary>
internal sealed class ControllerMemory
{
    private const int PrefixWords = 2, HashedWords = PrefixWords + PacketWords;
    private const int WordBytes = sizeof(ulong), PacketWords = DirectionPacket.Length / WordBytes, Depth = 32;

    private readonly ulong[] _words = new ulong[Depth];

    /// <summary>Makes a memory with nothing kept.</summary>
    /// <param name="spacing">The nanoseconds before time 0 at which a packet might have come last.</param>
    /// <param name="bootCount">A number that is another one each time that the service is started.</param>
    public ControllerMemory(ulong spacing, uint bootCount)
    {
        this[ControllerWord.Time] = BinaryPrimitives.ReverseEndianness(unchecked(0 - spacing));
        this[ControllerWord.End] = BinaryPrimitives.ReverseEndianness(SipHash.LastWord(HashedWords * WordBytes));
        this[ControllerWord.Boot] = BinaryPrimitives.ReverseEndianness(bootCount + 1UL);
    }

    /// <summary>A word.</summary>
    public ulong this[ControllerWord word]
    {
        get => _words[(int)word];
        set => _words[(int)word] = value;
    }

    /// <summary>Takes in a packet.</summary>
    /// <param name="bytes">Its bytes, and others behind it.</param>
    public void Read(ReadOnlySpan<byte> bytes)
    {
        for (var i = 0; i < PacketWords; i++)
            _words[i] = BinaryPrimitives.ReadUInt64BigEndian(bytes[(i * WordBytes)..]);
    }

    /// <summary>Gives the packet out.</summary>
    public void Write(Span<byte> bytes)
    {
        for (var i = 0; i < PacketWords; i++)
            BinaryPrimitives.WriteUInt64BigEndian(bytes[(i * WordBytes)..], _words[i]);
    }

    /// <summary>
    /// SipHash-2-4 of two words and the packet with a tag of 0. It is one loop over half rounds, so that a circuit has
    /// two adders for it.
    /// </summary>
    /// <param name="key">The key.</param>
    /// <param name="first">The place of the first word, which has its lowest byte first.</param>
    /// <param name="second">That of the second one.</param>
    public ulong Hash(UInt128 key, ControllerWord first, ControllerWord second)
    {
        var hash = new SipHash(key);
        for (var half = 0; half < (HashedWords + 1 + SipHash.LastWords) * SipHash.HalvesPerWord; half++)
        {
            if (half == (HashedWords + 1) * SipHash.HalvesPerWord) hash.End();
            var word = this[Hashed(half / SipHash.HalvesPerWord, first, second)];
            hash.AddQuarter(half % SipHash.HalvesPerWord, BinaryPrimitives.ReverseEndianness(word));
        }
        return hash.Value;
    }

    private static ControllerWord Hashed(int number, ControllerWord first, ControllerWord second) => number switch
    {
        0 => first,
        1 => second,
        HashedWords => ControllerWord.End,
        > HashedWords or PrefixWords + (int)ControllerWord.Tag => ControllerWord.Zero,
        _ => (ControllerWord)(number - PrefixWords),
    };
}
