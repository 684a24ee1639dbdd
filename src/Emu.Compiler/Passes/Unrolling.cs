namespace Emu.Compiler;

/// <summary>Writes out loops whose end is decided by constants, iteration by iteration, innermost first.</summary>
internal static class Unrolling
{
    public static void Run(Function function)
    {
        var kept = new HashSet<Block>();
        while (Loop.Innermost(function).Find(loop => !kept.Contains(loop.Header)) is { } loop)
        {
            if (new BlockCopy(function, loop.Header, loop.Body).TryUnroll()) Simplification.Run(function);
            else kept.Add(loop.Header);
        }
    }
}
