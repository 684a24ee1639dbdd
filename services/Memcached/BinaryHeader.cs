using Emu.Protocols;

namespace Emu.Services;

/// <summary>The fields of an answer's headers: all of those of one answer have the same.</summary>
internal sealed class BinaryHeader
{
    private MemcachedOpcode _opcode;
    private uint _opaque;

    public MemcachedStatus Status { get; set; }

    /// <summary>The unique number of the item.</summary>
    public ulong Unique { get; set; }

    /// <summary>Begins the answer to a request.</summary>
    public void Begin(MemcachedMessage request) => (_opcode, _opaque) = (request.Opcode, request.Opaque);

    /// <summary>Writes a header.</summary>
    /// <param name="bytes">Its place.</param>
    /// <param name="lengths">The bytes of the key, and in the upper half of the extras.</param>
    public void Write(Span<byte> bytes, ulong lengths)
    {
        if (!MemcachedMessage.TryInitializeAnswer(bytes, _opcode, _opaque, out var answer)) return;
        answer.Status = Status;
        answer.Unique = Unique;
        answer.KeyLength = (ushort)lengths;
        answer.ExtrasLength = (byte)(lengths >> 16);
    }
}
