using System.Numerics;

namespace Emu.Compiler.Tests;

/// <summary>
/// Writes two sums of the bytes behind the header modulo a number, each of which adds to the other (Fletcher 1982,
/// <em>An arithmetic checksum for serial transmissions</em>).
/// </summary>
/// <param name="modulus">The number.</param>
public sealed class ModuloSums(int modulus) : Service
{
    public override void Process(ref Frame frame)
    {
        var (one, other) = (0, 0);
        foreach (var octet in frame.Bytes[14..])
        {
            one = (one + octet) % modulus;
            other = (other + one) % modulus;
        }
        (frame.Bytes[0], frame.Bytes[1]) = ((byte)one, (byte)other);
        frame.Flood();
    }
}

/// <summary>Sends a copy for each bit of a byte, with the bits that are left; the frame itself follows.</summary>
public sealed class CopyOfEachBit : Service
{
    public override void Process(ref Frame frame)
    {
        uint bits = frame.Bytes[12];
        while (bits != 0)
        {
            var port = BitOperations.TrailingZeroCount(bits) & 3;
            bits &= bits - 1;
            frame.Bytes[0] = (byte)bits;
            frame.Send(PortSet.Of(new PortId(port)));
        }
        frame.Bytes[1] = 1;
        frame.Flood();
    }
}
