using Emu.Compiler.Devices;
using Emu.Compiler.IR;

namespace Emu.Compiler.Scheduling;

/// <summary>The delays of an opcode on a device: a row of <see cref="OperatorTable"/>.</summary>
/// <param name="Opcode">The opcode.</param>
/// <param name="Path">The cells on the longest way through an operation alone, as synthesis makes them.</param>
/// <param name="Planned">
/// The tenths of levels that a schedule keeps for an operation. It knows nothing of the operations around, with which
/// synthesis takes it apart; and a carry cell is a level to it, as it is to the depth that is measured of circuits.
/// </param>
internal sealed record OperatorRow(
    Opcode Opcode, Func<Operation, Device, CellPath> Path, Func<Operation, Device, int> Planned);
