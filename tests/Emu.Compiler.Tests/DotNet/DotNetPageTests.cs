using System.Runtime.CompilerServices;
using System.Text;
using Emu.Compiler.Diagnostics;
using Emu.Compiler.Frontend;
using Emu.Fuzz;
using Emu.Testing;
using Microsoft.CodeAnalysis;

namespace Emu.Compiler.Tests;

/// <summary>
/// docs/dotnet.md lists what of .NET compiles: each member that it lists was compiled, and does what it does on .NET.
/// </summary>
public sealed class DotNetPageTests
{
    private const int Frames = 60;

    private const string Head = """
        # What of .NET compiles

        In `Process`, and in what it calls, these members of .NET compile; each does in hardware what it does on .NET,
        faults included. The operators of C# on the other integer types, `char`, `bool` and enums do too, `checked` or
        not. A member of an interface of `System.Numerics`, called on a type parameter, compiles where the type that
        stands for it has it here. In the constructor all of .NET may be used.

        What is not here is refused, with what to write instead ([EMU0016](diagnostics/EMU0016.md)). To ask for a
        member, open an issue with the line of your service that needs it.

        This page is written by the tests of the compiler, which try every public member of these types. `T` is the type
        itself under the headings of integers, and a type parameter under the others. A member is of all types of its
        heading unless some are named.

        """;

    /// <summary>Members that C# and members of the page call, or that compile only where they cannot fail.</summary>
    private static readonly string[] s_inside =
    [
        "<PrivateImplementationDetails>.InlineArrayAsReadOnlySpan/2",
        "<PrivateImplementationDetails>.InlineArrayAsSpan/2",
        "<PrivateImplementationDetails>.InlineArrayElementRef/2",
        "<PrivateImplementationDetails>.InlineArrayElementRefReadOnly/2",
        "<PrivateImplementationDetails>.InlineArrayFirstElementRef/1",
        "<PrivateImplementationDetails>.InlineArrayFirstElementRefReadOnly/1",
        "<PrivateImplementationDetails>.ThrowSwitchExpressionException/1",
        "<PrivateImplementationDetails>.ThrowSwitchExpressionExceptionParameterless/0",
        "Emu.IEventHost.TryHold/4",
        "Emu.IFrameOutput.Send/3",
        "Emu.Service.WaitForFrame/0",
        "System.Collections.Generic.Comparer`1.get_Default/0",
        "System.Collections.Generic.EqualityComparer`1.get_Default/0",
        "System.Int128.op_CheckedMultiply/2",
        "System.Math.ThrowMinMaxException/2",
        "System.Math.ThrowNegateTwosCompOverflow/0",
        "System.Nullable`1.get_Value/0",
        "System.ReadOnlySpan`1..ctor/2",
        "System.ReadOnlySpan`1.GetPinnableReference/0",
        "System.Span`1..ctor/2",
        "System.ThrowHelper.ThrowOverflowException/0",
        "System.Type.GetTypeFromHandle/1",
        "System.UInt128.op_CheckedMultiply/2",
    ];

    private static readonly Lazy<List<Trial>> s_trials = new(Build);

    [Fact]
    [Slow("time")]
    public void The_page_lists_the_members_that_compile()
    {
        var page = Page();
        var file = Path.Combine(Folder(), "dotnet.md");
        if (Environment.GetEnvironmentVariable("EMU_RECORD") == "1") File.WriteAllText(file, page);
        var found = Path.Combine(AppContext.BaseDirectory, "dotnet.md");
        File.WriteAllText(found, page);
        Assert.True(
            File.Exists(file) && page == File.ReadAllText(file).ReplaceLineEndings("\n"),
            $"docs/dotnet.md is not what compiles now, which is in {found}: compare, and record it with EMU_RECORD=1");
    }

    [Fact]
    [Slow("time")]
    public void Each_member_that_compiles_does_what_it_does_on_NET()
    {
        var frames = EdgeFrames.Of(Frames);
        var differences = s_trials.Value
            .Where(trial => trial.Refusal is null)
            .Select(trial => (trial.Call, Difference: Ladder.Difference(
                new Subject(() => New(trial.Service)), frames, [new DotNetRung(), new InterpreterRung()])))
            .Where(trial => trial.Difference is not null)
            .Select(trial => $"{Describe(trial.Call)}: {trial.Difference}\n{trial.Call.Body}")
            .ToList();
        Assert.True(differences.Count == 0, string.Join("\n", differences));
    }

    [Fact]
    public void No_member_breaks_the_compiler()
    {
        var broken = s_trials.Value
            .Where(trial => trial.Refusal?.Number == DiagnosticNumber.InternalError)
            .Select(trial => $"{Describe(trial.Call)}: {trial.Refusal!.Message}\n{trial.Call.Body}");
        Assert.True(!broken.Any(), string.Join("\n", broken));
    }

    [Fact]
    public void Every_model_is_of_a_member_on_the_page()
    {
        var listed = s_trials.Value.Where(trial => trial.Refusal is null).Select(trial => trial.Call.Model).ToHashSet();
        var others = Translator.Models
            .Where(model => !listed.Contains(model))
            .Where(model => !model.StartsWith("System.Runtime.Intrinsics.", StringComparison.Ordinal))
            .Order(StringComparer.Ordinal);
        Assert.Equal(string.Join("\n", s_inside), string.Join("\n", others));
    }

    private static string Page()
    {
        var compiled = s_trials.Value
            .GroupBy(trial => (trial.Call.Type, trial.Call.Member, trial.Call.Signature))
            .Where(group => group.All(trial => trial.Refusal is null))
            .Select(group => group.Key)
            .ToList();
        var page = new StringBuilder(Head);
        var integers = compiled.Where(c => SubsetType.Integers.Contains(c.Type))
            .ToLookup(
                c => c.Member.Contains(' ') || c.Member == "conversion",
                c => (c.Member, c.Signature, SubsetType.Name(c.Type)));
        Append(page, "The integer types", integers[false], SubsetType.Integers.Count);
        Append(page, "Operators and conversions of `Int128` and `UInt128`", integers[true], 2);
        var others = compiled.Where(c => !SubsetType.Integers.Contains(c.Type)).GroupBy(c => SubsetType.Text(c.Type));
        foreach (var type in others.OrderBy(g => g.Key, StringComparer.OrdinalIgnoreCase))
            Append(page, $"`{type.Key}`", type.Select(c => (c.Member, c.Signature, type.Key)), 1);
        return page.ToString();
    }

    /// <summary>A table with a row for each member of some types.</summary>
    private static void Append(
        StringBuilder page,
        string heading,
        IEnumerable<(string Member, string Signature, string Type)> members,
        int types)
    {
        page.Append($"\n## {heading}\n\n| member | parameters |\n|---|---|\n");
        foreach (var member in members.GroupBy(m => m.Member).OrderBy(g => g.Key, StringComparer.OrdinalIgnoreCase))
        {
            // Of int itself, a parameter that is an int for all types looks like one of the type.
            var all = member.Select(m => m.Signature).ToHashSet();
            string Common(string signature, string type) => type != "int" ? signature
                : all.FirstOrDefault(s => s != signature && s.Replace("int", "T") == signature) ?? signature;
            var signatures = member.GroupBy(m => Common(m.Signature, m.Type), m => m.Type)
                .Select(group => Parameters(group.Key, [.. group], types))
                .Order(StringComparer.Ordinal);
            page.Append($"| `{Escaped(member.Key)}` | {string.Join(", ", signatures)} |\n");
        }
    }

    private static string Parameters(string signature, List<string> types, int all)
    {
        var text = signature.Length == 0 ? "property" : $"`{signature}`";
        return types.Count == all ? text : $"{text} of {string.Join(" ", types)}";
    }

    private static string Escaped(string text) => text.Replace("|", "\\|", StringComparison.Ordinal);

    private static CompileException? Refusal(Type service)
    {
        try
        {
            HardwareCompiler.Translate(New(service), Subject.Ports, Subject.Capacity);
            return null;
        }
        catch (CompileException refusal)
        {
            return refusal;
        }
    }

    private static Service New(Type service) => (Service)Activator.CreateInstance(service)!;

    private static List<Trial> Build()
    {
        var calls = DotNetMembers.All().ToList();
        var text = SubsetType.Base + string.Concat(calls.Select((call, i) => $$"""
            public sealed class Call{{i}} : Caller
            {
                public override void Process(ref Frame frame)
                {
                    var bytes = frame.Bytes;
                    _first[bytes[0] % 5] = BinaryPrimitives.ReadUInt32BigEndian(bytes[14..]);
                    {{call.Body}}
                }
            }

            """));
        var compilation = SourceAssembly.Parse("DotNet", OptimizationLevel.Release, [("Calls.cs", text)]);
        var assembly = SourceAssembly.Load(compilation);
        return
        [
            .. from item in calls.Index()
               let service = assembly.GetType($"Call{item.Index}")!
               select new Trial(item.Item, service, Refusal(service)),
        ];
    }

    private static string Describe(DotNetCall call) => $"{call.Type.Name}.{call.Member}{call.Signature}";

    private static string Folder([CallerFilePath] string thisFile = "") =>
        Path.Combine(Path.GetDirectoryName(thisFile)!, "..", "..", "..", "docs");

    /// <summary>A call, the service that does it, and why that does not compile; null when it does.</summary>
    private sealed record Trial(DotNetCall Call, Type Service, CompileException? Refusal);
}
