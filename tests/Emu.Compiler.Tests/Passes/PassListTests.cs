using System.Reflection;
using Emu.Compiler.Passes;

namespace Emu.Compiler.Tests;

/// <summary>Every pass of <see cref="PassList"/> has tests of its own.</summary>
public sealed class PassListTests
{
    [Fact]
    public void Every_pass_has_tests_that_show_what_it_does_and_where_it_must_not()
    {
        var tests = typeof(PassTests).Assembly.GetTypes().Where(type => type.IsSubclassOf(typeof(PassTests))).ToList();
        Assert.Equal(
            PassRun.All.Select(pass => pass.Name).Distinct().Order(StringComparer.Ordinal),
            tests.Select(type => ((PassTests)Activator.CreateInstance(type)!).Name).Order(StringComparer.Ordinal));
        const BindingFlags Own = BindingFlags.Public | BindingFlags.Instance | BindingFlags.DeclaredOnly;
        Assert.All(tests, type => Assert.True(
            type.GetMethods(Own).Count(method => method.GetCustomAttribute<FactAttribute>() is not null) >= 2,
            $"{type.Name} needs a text that the pass changes, and one that it must leave"));
    }
}
