namespace Emu.Compiler.Tests;

/// <summary>The names that services look up: of any length, some the beginning of others.</summary>
internal static class StoredNames
{
    private static readonly string[] s_names =
        ["a", "ab", "abc", "abcdefg", "bcdefgh1", "cafe", "dddddddddddddddddddddddddd", "e", "eee", "f0f0f0f0f0f0f0f0"];

    public static byte[] Bytes { get; } = [.. s_names.SelectMany(name => name.Select(letter => (byte)letter))];

    public static byte[] Lengths { get; } = [.. s_names.Select(name => (byte)name.Length), .. new byte[6]];

    public static ushort[] Starts { get; } =
        [.. s_names.Select((_, i) => (ushort)s_names.Take(i).Sum(name => name.Length)), .. new ushort[6]];

    /// <summary>The slots of a table, by the hash of a name modulo 16, in which the number behind a name is.</summary>
    public static byte[] Slots { get; } = MakeSlots();

    public static byte[] Name(int number) => [.. s_names[number].Select(letter => (byte)letter)];

    public static int Count => s_names.Length;

    private static byte[] MakeSlots()
    {
        var slots = new byte[16];
        for (var number = 0; number < s_names.Length; number++)
        {
            var hash = 5381u;
            foreach (var letter in Name(number)) hash = hash * 33 ^ letter;
            slots[hash & 15] = (byte)(number + 1);
        }
        return slots;
    }
}

/// <summary>
/// Sums as many bytes as a table says, in which the hash of others is looked up: bounds of one loop come of another.
/// </summary>
public sealed class LookedUpLength : Service
{
    private readonly byte[] _lengths = [.. Enumerable.Range(0, 16).Select(i => (byte)(i * i / 3))];

    public uint Total { get; private set; }

    public override void Process(ref Frame frame)
    {
        var bytes = frame.Bytes;
        var (hash, hashed) = (5381u, bytes[0] & 63);
        for (var i = 0; i < hashed; i++) hash = hash * 33 ^ bytes[14 + i];
        var (sum, count) = (hash, _lengths[hash & 15]);
        for (var i = 0; i < count; i++) sum += bytes[16 + i];
        Total += sum;
        frame.ForwardTo(new PortSet(sum & 15u));
    }
}

/// <summary>
/// Looks up a name by its hash, and compares it byte by byte with the one that is stored: the words of a table come
/// turn by turn.
/// </summary>
public sealed class StoredName : Service
{
    private readonly byte[] _names = StoredNames.Bytes;
    private readonly byte[] _lengths = StoredNames.Lengths;
    private readonly ushort[] _starts = StoredNames.Starts;
    private readonly byte[] _slots = StoredNames.Slots;

    public uint Found { get; private set; }

    public override void Process(ref Frame frame)
    {
        var bytes = frame.Bytes;
        var length = bytes[14];
        var hash = 5381u;
        for (var i = 0; i < length; i++) hash = hash * 33 ^ bytes[15 + i];
        var number = _slots[hash & 15] - 1;
        if (number < 0 || _lengths[number] != length) return;
        if (!IsAt(bytes, _starts[number], length)) return;
        Found++;
        frame.ForwardTo(new PortSet((uint)number & 15u));
    }

    private bool IsAt(ReadOnlySpan<byte> bytes, int start, int length)
    {
        for (var i = 0; i < length; i++)
            if (bytes[15 + i] != _names[start + i]) return false;
        return true;
    }
}

/// <summary>
/// Compares as many bytes as the header says with those of a table from where it says on, beyond its end too, and
/// beyond that of the frame; no hash is before it.
/// </summary>
public sealed class AnyStart : Service
{
    private readonly byte[] _names = StoredNames.Bytes;

    public override void Process(ref Frame frame)
    {
        var bytes = frame.Bytes;
        var (start, length, at) = (bytes[0], bytes[1] & 63, 0);
        for (; at < length; at++)
            if (bytes[17 + at] != _names[start + at]) break;
        frame.ForwardTo(new PortSet((uint)(at ^ at >> 4) & 15u));
    }
}
