namespace Emu.Compiler.Tests;

/// <summary>Hashes a text up to the first byte of 0 (FNV-1a, 32 bits).</summary>
public sealed class HashedText : Service
{
    public uint Hash { get; private set; }

    public override void Process(ref Frame frame)
    {
        var bytes = frame.Bytes;
        var hash = 2166136261u;
        for (var i = 14; i < bytes.Length && bytes[i] != 0; i++) hash = (hash ^ bytes[i]) * 16777619;
        Hash = hash;
        frame.ForwardTo(new PortSet(hash & 15));
    }
}

/// <summary>
/// Hashes what is behind a place that the header says, from a number on that it says as well (FNV-1a, 64 bits).
/// </summary>
public sealed class HashedRest : Service
{
    public ulong Hash { get; private set; }

    public override void Process(ref Frame frame)
    {
        var bytes = frame.Bytes;
        var first = 14 + (bytes[0] & 31);
        if (first > bytes.Length) return;
        var hash = 14695981039346656037 ^ bytes[1];
        foreach (var octet in bytes[first..]) hash = (hash ^ octet) * 1099511628211;
        Hash = hash;
        frame.ForwardTo(new PortSet(hash >> 32 & 15));
    }
}

/// <summary>Multiplies before it takes a byte, of two bytes each time (FNV-1), and counts what it has taken.</summary>
public sealed class ProductFirst : Service
{
    public uint Hash { get; private set; }

    public uint Taken { get; private set; }

    public override void Process(ref Frame frame)
    {
        var bytes = frame.Bytes;
        var (hash, taken) = (bytes[1] * 257u, 0u);
        for (var i = 15; i < bytes.Length; i++)
        {
            hash = hash * 33 ^ (uint)(bytes[i] << 4 | bytes[i - 1] & 15);
            taken++;
            if (bytes[i] == 0xFF) break;
        }
        (Hash, Taken) = (hash, taken);
        frame.ForwardTo(new PortSet((hash ^ taken) & 15));
    }
}
