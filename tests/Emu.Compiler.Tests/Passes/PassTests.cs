using Emu.Compiler.Passes;

namespace Emu.Compiler.Tests;

/// <summary>Tests of one pass: a few lines in, a few lines out; programs do the same before and after.</summary>
/// <param name="name">The name of the pass in <see cref="PassList"/>.</param>
public abstract class PassTests(string name)
{
    /// <summary>The name of the pass.</summary>
    public string Name => name;

    [Fact]
    public void Some_programs_are_changed_and_none_does_anything_else_behind_it()
    {
        var (changed, difference) = PassWalk.Of(name);
        Assert.Null(difference);
        Assert.True(changed > 0, $"{name} changes no program");
    }

    /// <summary>Asserts what a pass makes of a text.</summary>
    /// <param name="before">The text.</param>
    /// <param name="after">What is left.</param>
    /// <param name="place">Which of the passes of this name, from 0.</param>
    protected void Makes(string before, string after, int place = 0) =>
        Assert.Equal(after, PassRun.Of(Passes[place], before).Left);

    /// <summary>Asserts that a pass leaves a text as it is.</summary>
    protected void Leaves(string text, int place = 0)
    {
        var (given, left) = PassRun.Of(Passes[place], text);
        Assert.Equal(given, left);
    }

    /// <summary>Asserts what a pass makes of a text, and that no other pass does so.</summary>
    /// <remarks><c>side-exits</c> ends with all passes of the optimisation, so it is not asked.</remarks>
    protected void AloneMakes(string before, string after, int place = 0)
    {
        Makes(before, after, place);
        foreach (var other in PassRun.All.Where(pass => pass.Name != name && pass.Name != "side-exits"))
        {
            var (given, left) = PassRun.Of(other, before);
            Assert.True(given == left || left != after, $"{other.Name} does the same");
        }
    }

    private List<Pass> Passes => [.. PassRun.All.Where(pass => pass.Name == name)];
}
