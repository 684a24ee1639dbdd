using Emu.Compiler.Diagnostics;
using Microsoft.CodeAnalysis;

namespace Emu.Compiler.Tests.Editor;

/// <summary>
/// Code that pages of docs/diagnostics show is refused in an editor too, with the compiler's words; code that they
/// recommend instead is not.
/// </summary>
public sealed class EditorPageTests
{
    /// <summary>
    /// The compiler alone says these: they need the CIL, the objects, the values or a layout, or are no code of a
    /// method.
    /// </summary>
    private static readonly int[] s_onlyCompiler =
    [
        DiagnosticNumber.InvalidCil, DiagnosticNumber.SeveralPlaces, DiagnosticNumber.UnknownObject,
        DiagnosticNumber.Instruction, DiagnosticNumber.Layout, DiagnosticNumber.NoService,
        DiagnosticNumber.FailedConstructor, DiagnosticNumber.TooLarge, DiagnosticNumber.InternalError,
        DiagnosticNumber.Interval, DiagnosticNumber.RegisterMap, DiagnosticNumber.LongPath, DiagnosticNumber.Size,
        DiagnosticNumber.VerilogCore, .. DiagnosticPage.ClockLevel,
    ];

    /// <summary>The example of a method without code is an attribute that does not fit; both know extern.</summary>
    public static TheoryData<int> Claimed =>
        [.. DiagnosticPage.All.Select(page => page.Number).Except(s_onlyCompiler).Except([DiagnosticNumber.NoCode])];

    public static TheoryData<int> WithInstead =>
        [.. DiagnosticPage.All.Where(page => page.Instead is not null).Select(page => page.Number)];

    [Theory]
    [MemberData(nameof(Claimed))]
    public async Task The_first_example_is_found_with_the_words_of_the_page(int number)
    {
        var page = DiagnosticPage.All.Single(p => p.Number == number);
        var found = await EditorDiagnostics.Of($"EMU{number:D4}.cs", page.Example!);
        Assert.Contains(found, diagnostic => page.Message!.StartsWith(
            $"{diagnostic.Id}: {diagnostic.Message} at EMU{number:D4}.cs:", StringComparison.Ordinal));
    }

    [Theory]
    [MemberData(nameof(WithInstead))]
    public async Task The_code_to_write_instead_is_not_refused(int number) =>
        Assert.Empty(await EditorDiagnostics.Of(
            "Instead.cs", DiagnosticPage.All.Single(page => page.Number == number).Instead!));

    [Fact]
    public async Task Each_statement_of_a_page_is_refused_with_its_number_line_and_reason()
    {
        var source = RefusedStatementTests.Source();
        var found = await EditorDiagnostics.Of("Statements.cs", source);
        var missing =
            from page in DiagnosticPage.All
            where !s_onlyCompiler.Contains(page.Number)
            from other in page.Others
            let line = RefusedStatementTests.LineOf(other.Code)
            where !found.Any(one =>
                one.Id == $"EMU{page.Number:D4}" && one.Line == line && one.Message == other.Reason)
            select $"EMU{page.Number:D4} {other.Code}: {string.Join(" | ", found.Where(one => one.Line == line))}";
        Assert.Empty(missing);
    }

    [Fact]
    public async Task A_loop_over_a_span_is_not_refused() => Assert.Empty(await EditorDiagnostics.Of(
        "Spans.cs",
        """
            using System;
            using Emu;
            public sealed class Example : Service
            {
                public override void Process(ref Frame frame)
                {
                    var sum = 0;
                    ReadOnlySpan<byte> bytes = frame.Bytes;
                    foreach (var octet in bytes[14..]) sum += octet;
                    foreach (var octet in frame.Bytes[..14]) sum ^= octet;
                    if (sum == 7) frame.Flood();
                }
            }
            """));

    [Fact]
    public async Task A_method_without_code_is_refused()
    {
        const string Source = """
            public sealed class Example : Service
            {
                [DllImport("c", EntryPoint = "rand")]
                private static extern int Draw();

                public override void Process(ref Frame frame) => frame.Bytes[0] = (byte)Draw();
            }
            """;
        var found = Assert.Single(await EditorDiagnostics.Of("Example.cs", Source));
        Assert.Equal("EMU0008", found.Id);
        Assert.StartsWith("Example.Draw has no code to translate; ", found.Message);
    }

    /// <summary>Neither do constructors, nor methods that only they call, nor tests of a service.</summary>
    [Fact]
    public async Task What_no_event_calls_may_use_all_of_NET()
    {
        const string Source = """
            public sealed class Example : Service
            {
                private readonly string[] _names = Names().ToArray();
                private readonly int _count;

                public Example() => _count = (int)Math.Round(_names.Sum(name => name.Length * 0.5));

                public string Text => $"{_count} of {string.Join(", ", _names)}";

                public override void Process(ref Frame frame)
                {
                    if (frame.Length > _count) frame.Flood();
                }

                private static IEnumerable<string> Names() { yield return "a"; }
            }
            """;
        Assert.Empty(await EditorDiagnostics.Of("Example.cs", Source));
    }

    /// <summary>The methods that an event reaches, through interfaces and base classes too.</summary>
    [Fact]
    public async Task What_an_event_calls_is_looked_at()
    {
        const string Source = """
            public interface IRule { int Of(int n); }
            public sealed class First : IRule { public int Of(int n) => new int[n].Length; }
            public abstract class Second { public abstract void Do(int n); }
            public sealed class Third : Second { public override void Do(int n) => throw new Exception(); }
            public sealed class Unused { public int Of(int n) => new int[n].Length; }
            public readonly struct Pair(int n) { public int Sum => Of(n); static int Of(int n) => new int[n].Length; }

            public sealed class Example(IRule rule, Second second) : Service
            {
                public override void Process(ref Frame frame)
                {
                    second.Do(rule.Of(new Pair(frame.Length).Sum));
                    Local(1);
                    int Local(int n) => new int[n].Length;
                }

                public override ulong TickInterval => 1;
                public override void Tick(ref Frame frame) => Later(() => new int[1].Length);
                private static int Later(Func<int> f) => f();
            }
            """;
        var found = await EditorDiagnostics.Of("Example.cs", Source);
        Assert.Equal([2, 4, 6, 14, 18], found.Select(one => one.Line));
    }

    /// <summary>A rule of rules is as deep as the constructor has made it.</summary>
    [Fact]
    public async Task Calls_from_object_to_object_are_no_recursion()
    {
        const string Source = """
            public abstract class Match { public abstract bool Of(int n); }
            public sealed class Not(Match inner) : Match { public override bool Of(int n) => !inner.Of(n); }
            public sealed class Long : Match { public override bool Of(int n) => n > 60; }
            public sealed class Example : Service
            {
                private readonly Match _match = new Not(new Not(new Long()));
                public override void Process(ref Frame frame) { if (_match.Of(frame.Length)) frame.Flood(); }
            }
            """;
        Assert.Empty(await EditorDiagnostics.Of("Example.cs", Source));
    }

    /// <summary>One squiggle a statement: not one more for each consequence.</summary>
    [Fact]
    public async Task Statements_are_refused_once()
    {
        var lines = DiagnosticPage.All.SelectMany(page => page.Others)
            .ToDictionary(other => RefusedStatementTests.LineOf(other.Code), other => other.Code);
        var found = await EditorDiagnostics.Of("Statements.cs", RefusedStatementTests.Source());
        Assert.Empty(found.Where(one => lines.ContainsKey(one.Line)).GroupBy(one => one.Line)
            .Where(group => group.Count() > 1)
            .Select(group => $"{lines[group.Key]}: {string.Join(" | ", group)}"));
    }
}
