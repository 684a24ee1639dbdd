using Emu.Compiler.IR;

namespace Emu.Simulation.Tests.External;

/// <summary>Random numbers that like the edges.</summary>
internal static class Numbers
{
    public static UInt128 Next(Random random, int width)
    {
        var bits = new UInt128(
            (ulong)random.NextInt64() * 2 + (ulong)random.Next(2),
            (ulong)random.NextInt64() * 2 + (ulong)random.Next(2));
        return Arithmetic.Mask(width) & random.Next(10) switch
        {
            0 => 0,
            1 => UInt128.MaxValue,
            2 => UInt128.One << (width - 1),
            3 => Arithmetic.Mask(width - 1 == 0 ? 1 : width - 1),
            4 => (UInt128)random.Next(4),
            5 => (UInt128)random.Next(2 * width),
            6 => UInt128.One << random.Next(width),
            _ => bits >> random.Next(4),
        };
    }

    /// <summary>Puts a number into an input.</summary>
    public static void Set(this Simulator simulator, string port, UInt128 bits)
    {
        var words = simulator.Input(port);
        words[0] = (ulong)bits;
        if (words.Length > 1) words[1] = (ulong)(bits >> 64);
    }
}
