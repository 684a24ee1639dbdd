using Emu.Compiler.IR;

namespace Emu.Compiler.Passes;

/// <summary>Told of each pass over the IR when it has run.</summary>
/// <param name="pass">The name of the pass.</param>
/// <param name="functions">The functions that it has left; the next pass changes them.</param>
public delegate void PassObserver(string pass, IReadOnlyList<Function> functions);
