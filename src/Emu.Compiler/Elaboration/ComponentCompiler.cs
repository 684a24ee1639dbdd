using Emu.Compiler.Diagnostics;

namespace Emu.Compiler.Elaboration;

/// <summary>Compiles a program of the clock level as the module of a method of a service.</summary>
/// <param name="program">The class with the entry point.</param>
/// <param name="refuse">Makes the refusal of a class that is no program.</param>
/// <returns>The module's name, and the Verilog that holds it.</returns>
/// <exception cref="CompileException">It does not compile.</exception>
internal delegate (string Module, string Text) ComponentCompiler(Type program, Func<string, CompileException> refuse);
