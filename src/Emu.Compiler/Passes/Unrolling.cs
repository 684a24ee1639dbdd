namespace Emu.Compiler;

/// <summary>Writes out loops whose end is decided by constants, iteration by iteration, inner ones first.</summary>
internal static class Unrolling
{
    public static void Run(Function function)
    {
        var kept = new HashSet<Block>();
        while (Loop.All(function).Where(loop => !kept.Contains(loop.Header)).MinBy(loop => loop.Body.Count) is { } loop)
        {
            if (new BlockCopy(function, loop.Header, loop.Body).TryUnroll()) Simplification.Run(function);
            else kept.Add(loop.Header);
        }
    }
}
