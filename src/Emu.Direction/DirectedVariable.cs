using System.Buffers.Binary;
using System.Text;

namespace Emu.Direction;

/// <summary>A variable of a service that direction packets name.</summary>
/// <param name="Name">Its path from the service: <c>Forwarded</c>, or <c>Stations[].Value</c> for one with an index.
/// </param>
/// <param name="Width">Bits of an element, 1 to 128.</param>
/// <param name="Kind">How the bits are shown.</param>
/// <param name="Elements">Elements; 1 if it has no index.</param>
/// <param name="IsWritable">True if it may be written.</param>
public sealed record DirectedVariable(string Name, int Width, VariableKind Kind, int Elements, bool IsWritable)
{
    private const uint OffsetBasis = 2166136261, Prime = 16777619;

    /// <summary>
    /// The number that stands for the name in packets: FNV-1a of its UTF-8 (Fowler, Noll and Vo; RFC 9923 §2).
    /// </summary>
    public uint NameHash => HashOf(Name);

    /// <inheritdoc cref="NameHash"/>
    public static uint HashOf(string name)
    {
        ArgumentNullException.ThrowIfNull(name);
        return Encoding.UTF8.GetBytes(name).Aggregate(OffsetBasis, (hash, part) => (hash ^ part) * Prime);
    }

    /// <summary>The text in a part of a name, as packets describe it.</summary>
    public static string TextOf(UInt128 part)
    {
        Span<byte> bytes = stackalloc byte[Controller.NamePart];
        BinaryPrimitives.WriteUInt128BigEndian(bytes, part);
        return Encoding.UTF8.GetString(bytes.TrimEnd((byte)0));
    }
}
