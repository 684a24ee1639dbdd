using Emu.Compiler.IR;
using Emu.Compiler.Scheduling;

namespace Emu.Compiler.Clocked;

/// <summary>A cycle of a thread as expressions.</summary>
/// <param name="Thread">The number of the thread.</param>
/// <param name="IsActive">1 while the thread is in the state in which the cycle begins.</param>
/// <param name="Flow">Its reads and writes.</param>
internal sealed record ActiveCycle(int Thread, Value IsActive, Dataflow Flow);
