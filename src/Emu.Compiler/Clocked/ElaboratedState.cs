using Emu.Compiler.IR;

namespace Emu.Compiler.Clocked;

/// <summary>Registers and memories as the elaboration leaves them, which is how reset leaves them.</summary>
/// <param name="after">The state after the elaboration.</param>
internal sealed class ElaboratedState(Interpreter after)
{
    private readonly Dictionary<StateElement, StateElement> _elements = new(ReferenceEqualityComparer.Instance);

    /// <summary>The register or memory in place of one of the elaboration.</summary>
    public StateElement Of(StateElement element)
    {
        if (_elements.TryGetValue(element, out var known)) return known;
        return _elements[element] = element switch
        {
            Register register => new Register(register.Name, register.Width, after[register]),
            Memory memory => new Memory(
                memory.Name, memory.Width, [.. Enumerable.Range(0, memory.Depth).Select(i => after[memory, i])]),
            _ => throw new InvalidOperationException($"{element.Name} is neither a register nor a memory"),
        };
    }

    /// <summary>The register in place of one of the elaboration.</summary>
    public Register Of(Register register) => (Register)Of((StateElement)register);
}
