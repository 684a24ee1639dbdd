using System.Buffers.Binary;
using Emu.Protocols;
using Emu.Testing;

namespace Emu.Network.Tests;

/// <summary>Random requests of memcached's binary protocol.</summary>
internal static class RandomBinary
{
    private static readonly MemcachedOpcode[] s_opcodes = Enum.GetValues<MemcachedOpcode>();

    /// <summary>A datagram of some requests that are valid.</summary>
    public static byte[] Requests(Random random, string[] keys) =>
        [.. Enumerable.Range(0, random.Next(1, 5)).SelectMany(_ => Request(random, keys, mayBeInvalid: false))];

    /// <summary>A request, of lengths that it must not have now and then if that may be.</summary>
    public static byte[] Request(Random random, string[] keys, bool mayBeInvalid)
    {
        var opcode = s_opcodes[random.Next(s_opcodes.Length)];
        while (opcode is MemcachedOpcode.Statistics
            || (!mayBeInvalid && opcode is MemcachedOpcode.Quit or MemcachedOpcode.QuitQuietly))
            opcode = s_opcodes[random.Next(s_opcodes.Length)];
        var isInvalid = mayBeInvalid && random.Next(10) == 0;
        if (isInvalid && random.Next(2) == 0) opcode = (MemcachedOpcode)random.Next(0x25, 256);
        var extras = Extras(random, opcode);
        if (isInvalid && random.Next(2) == 0) extras = new byte[random.Next(30)];
        var hasKey = HasKey(opcode);
        if (isInvalid && random.Next(4) == 0) hasKey = !hasKey;
        return Packet.Bare.MemcachedRequest(
            (byte)opcode,
            opcode > MemcachedOpcode.GetWithKeyAndTouchQuietly || !hasKey ? ""
                : IsCount(opcode) && keys.Length > 3 ? keys[3]
                : keys[random.Next(keys.Length)],
            opcode > MemcachedOpcode.GetWithKeyAndTouchQuietly ? [] : extras,
            HasValue(opcode) ? Value(random) : "",
            random.Next(4) == 0 ? (ulong)random.Next(300) : 0,
            (uint)random.Next());
    }

    private static byte[] Extras(Random random, MemcachedOpcode opcode)
    {
        var expiry = random.Next(6) switch { 0 => 1_000_000_000u, 1 => 1000u, 2 => uint.MaxValue, _ => 0u };
        if (opcode is MemcachedOpcode.Flush or MemcachedOpcode.FlushQuietly)
            return random.Next(2) == 0 ? [] : new byte[4];
        if (IsTouch(opcode)) return Bytes(expiry);
        if (IsCount(opcode))
            return [.. Bytes(0), .. Bytes((uint)random.Next(200)), .. Bytes(0), .. Bytes(77), .. Bytes(expiry)];
        return IsStore(opcode) ? [.. Bytes((uint)random.Next()), .. Bytes(expiry)] : [];
    }

    private static string Value(Random random) => random.Next(2) == 0
        ? $"{random.Next(1000)}"
        : new string((char)random.Next(256), random.Next(9) * random.Next(30));

    private static byte[] Bytes(uint number)
    {
        var bytes = new byte[sizeof(uint)];
        BinaryPrimitives.WriteUInt32BigEndian(bytes, number);
        return bytes;
    }

    private static bool HasKey(MemcachedOpcode opcode) => opcode is not (
        MemcachedOpcode.Flush or MemcachedOpcode.FlushQuietly or MemcachedOpcode.NoOperation or MemcachedOpcode.Version
        or MemcachedOpcode.Quit or MemcachedOpcode.QuitQuietly);

    private static bool HasValue(MemcachedOpcode opcode) => IsStore(opcode) || opcode is MemcachedOpcode.Append
        or MemcachedOpcode.AppendQuietly or MemcachedOpcode.Prepend or MemcachedOpcode.PrependQuietly;

    private static bool IsStore(MemcachedOpcode opcode) => opcode is MemcachedOpcode.Set or MemcachedOpcode.SetQuietly
        or MemcachedOpcode.Add or MemcachedOpcode.AddQuietly or MemcachedOpcode.Replace
        or MemcachedOpcode.ReplaceQuietly;

    private static bool IsCount(MemcachedOpcode opcode) => opcode is MemcachedOpcode.Increment
        or MemcachedOpcode.IncrementQuietly or MemcachedOpcode.Decrement or MemcachedOpcode.DecrementQuietly;

    private static bool IsTouch(MemcachedOpcode opcode) => opcode is MemcachedOpcode.Touch
        or MemcachedOpcode.GetAndTouch or MemcachedOpcode.GetAndTouchQuietly or MemcachedOpcode.GetWithKeyAndTouch
        or MemcachedOpcode.GetWithKeyAndTouchQuietly;
}
