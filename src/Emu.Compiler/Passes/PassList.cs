namespace Emu.Compiler;

/// <summary>The passes over the IR, in order.</summary>
public static class PassList
{
    /// <summary>Runs them all on the functions of a service; each must leave a function that does the same.</summary>
    /// <param name="functions">All functions that share the state.</param>
    public static void Run(IReadOnlyList<Function> functions)
    {
        ArgumentNullException.ThrowIfNull(functions);
        foreach (var function in functions) Run(function, Simplification.Run, "simplification"); // the front end leaves a block for each call, and phis that join one value
        ConstantState.Run(functions); // what only the constructor wrote: configuration, seeds, tables that are never set
        foreach (var function in functions)
        {
            Run(function, Simplification.Run, "constant state"); // branches on configuration go
            Run(function, Unrolling.Run, "unrolling"); // ways of a table, rows of a hash: loops whose bounds are constants now
            Run(function, Simplification.Run, "unrolling and simplification"); // indices have become constants
        }
    }

    private static void Run(Function function, Action<Function> pass, string name)
    {
        pass(function);
        Verifier.Verify(function, name);
    }
}
