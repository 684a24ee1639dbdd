namespace Emu.Compiler.Tests;

/// <summary>Reads a decimal number up to the first byte that is no digit; some frames have none read.</summary>
public sealed class DecimalNumber : Service
{
    public uint Number { get; private set; }

    public override void Process(ref Frame frame)
    {
        var bytes = frame.Bytes;
        if (bytes[1] == 1)
        {
            frame.Flood();
            return;
        }
        var (number, at) = (0u, 14);
        for (; at < bytes.Length; at++)
        {
            var digit = (uint)bytes[at] - '0';
            if (digit > 9) break;
            number = number * 10 + digit;
        }
        Number = number;
        frame.ForwardTo(new PortSet((number ^ (uint)at) & 15u));
    }
}

/// <summary>
/// Counts what is quoted, from a place on that is a part of the type: an automaton of three states, which begins in
/// one that the header says.
/// </summary>
public sealed class QuotedText(int first) : Service
{
    public uint Quoted { get; private set; }

    public byte Where { get; private set; }

    public override void Process(ref Frame frame)
    {
        var bytes = frame.Bytes;
        var (state, quoted, where) = ((byte)(bytes[0] & 1), Quoted, (byte)0);
        for (var i = first; i < bytes.Length; i++)
        {
            var octet = bytes[i];
            if (octet == 0xFF) _ = bytes[2000];
            if (state == 2) state = 1;
            else if (octet == 0) state ^= 1;
            else if (octet == 1 && state == 1) state = 2;
            else if (state == 1)
            {
                quoted++;
                if (octet == 2)
                {
                    where = (byte)i;
                    break;
                }
            }
        }
        (Quoted, Where) = (quoted, where);
        frame.ForwardTo(new PortSet((uint)(state ^ where) & 15u));
    }
}

/// <summary>A hash of as many bytes as the header says, each with another behind it: a row of a table.</summary>
public sealed class HashedPairs : Service
{
    private readonly uint[] _frames = new uint[16];

    public uint Last { get; private set; }

    public override void Process(ref Frame frame)
    {
        var bytes = frame.Bytes;
        var (hash, count) = ((uint)bytes[1] | 0x811C0000, bytes[0]);
        for (var i = 0; i < count; i++) hash = (hash ^ bytes[13 + i] ^ (uint)bytes[15 + i] << 7) * 0x01000193;
        Last = hash;
        var slot = hash >> 13 & 15;
        _frames[slot]++;
        frame.ForwardTo(new PortSet(_frames[slot] & 15u));
    }
}

/// <summary>A CRC of all bytes behind the header by a table, of which each word is a sum of others.</summary>
public sealed class TableCrc : Service
{
    public uint Crc { get; private set; }

    public override void Process(ref Frame frame)
    {
        Crc = Crc32.Compute(frame.Bytes[14..]);
        frame.ForwardTo(new PortSet(Crc & 15));
    }
}

/// <summary>
/// Sends by another port if the bytes behind the header have an odd number of ones, by a table of bits.
/// </summary>
public sealed class TableParity : Service
{
    private static readonly bool[] s_isOdd = [.. Enumerable.Range(0, 16).Select(i => (int.PopCount(i) & 1) != 0)];

    public override void Process(ref Frame frame)
    {
        var isOdd = false;
        foreach (var octet in frame.Bytes[14..]) isOdd ^= s_isOdd[octet & 15] != s_isOdd[octet >> 4];
        frame.ForwardTo(new PortId(isOdd ? 1 : 2));
    }
}

/// <summary>
/// Tells more of a text than one value of the compiler holds: each number is at most as large as the text is long.
/// </summary>
public sealed class ManyTallies : Service
{
    public int Longest { get; private set; }

    public int Digits { get; private set; }

    public int Words { get; private set; }

    public int Greatest { get; private set; }

    public override void Process(ref Frame frame)
    {
        var bytes = frame.Bytes;
        int run = 0, longest = 0, digits = 0, words = 3, greatest = 0;
        for (var i = 14; i < bytes.Length; i++)
        {
            var letter = bytes[i];
            if (letter == 0) break;
            run = letter is >= (byte)'0' and <= (byte)'9' ? run + 1 : 0;
            if (run > 0) digits++;
            if (run == 1) words += 2;
            longest = Math.Max(longest, run);
            greatest = Math.Max(greatest, letter);
        }
        (Longest, Digits, Words, Greatest) = (longest, digits, words, greatest);
        frame.ForwardTo(new PortSet((uint)(longest ^ digits ^ words ^ greatest) & 15u));
    }
}
