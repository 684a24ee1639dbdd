using Emu.Compiler.IR;
using Emu.Compiler.Rtl;
using Emu.Compiler.Units;

namespace Emu.Compiler.Tests;

/// <summary>Parts of a state that need one another are together, behind those that they need.</summary>
public sealed class StateComponentsTests
{
    private readonly List<Wire> _state = [.. Enumerable.Range(0, 6)
        .Select(i => new Wire($"part_{i}", new Constant(8, 0)))];

    [Fact]
    public void Parts_that_need_one_another_are_together_and_behind_what_they_need()
    {
        var components = StateComponents.Of(_state, [Sum(0), Sum(0, 2, 5), Sum(1), Sum(3, 1), null, Sum(5)])
            .ConvertAll(parts => string.Join(' ', parts));
        Assert.Equal(["0", "1 2", "3", "5"], components.Order(StringComparer.Ordinal));
        Assert.True(components.IndexOf("0") < components.IndexOf("1 2"));
        Assert.True(components.IndexOf("5") < components.IndexOf("1 2"));
        Assert.True(components.IndexOf("1 2") < components.IndexOf("3"));
    }

    [Fact]
    public void A_ring_is_one_component() =>
        Assert.Equal(
            [[0, 1, 2, 3, 4, 5]],
            StateComponents.Of(_state, [.. Enumerable.Range(0, 6).Select(i => Sum((i + 1) % 6))]));

    private Value Sum(params int[] parts) => parts.Select(part => (Value)_state[part])
        .Aggregate((a, b) => new Operation(Opcode.Add, 8, a, b));
}
