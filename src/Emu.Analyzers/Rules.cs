using System.Collections.Immutable;
using Emu.Compiler.Refusals;
using Microsoft.CodeAnalysis;

namespace Emu.Analyzers;

/// <summary>The diagnostics of the compiler that syntax and types show.</summary>
internal static class Rules
{
    private static readonly DiagnosticDescriptor s_writtenStatic =
        Rule("EMU0003", "What a static field holds is written");

    private static readonly DiagnosticDescriptor s_text = Rule("EMU0004", "A string");
    private static readonly DiagnosticDescriptor s_keptObject = Rule("EMU0006", "An object is kept");
    private static readonly DiagnosticDescriptor s_recursion = Rule("EMU0007", "Recursion");
    private static readonly DiagnosticDescriptor s_noCode = Rule("EMU0008", "A method without code");
    private static readonly DiagnosticDescriptor s_tryBlock = Rule("EMU0009", "A try block");
    private static readonly DiagnosticDescriptor s_thrown = Rule("EMU0010", "An exception is thrown");
    private static readonly DiagnosticDescriptor s_allocation = Rule("EMU0011", "Memory is allocated");
    private static readonly DiagnosticDescriptor s_floatingPoint = Rule("EMU0013", "Floating point");
    private static readonly DiagnosticDescriptor s_mutableStatic = Rule("EMU0014", "A static field that can change");

    private static readonly DiagnosticDescriptor s_wideChecked =
        Rule("EMU0015", "Checked multiplication of 128 bits");

    private static readonly DiagnosticDescriptor s_noModel = Rule("EMU0016", "A method of .NET without a model");
    private static readonly DiagnosticDescriptor s_unsafeCode = Rule("EMU0020", "Unsafe code");

    private static readonly DiagnosticDescriptor s_structLayout =
        Rule("EMU0021", "A struct that is more than its fields");

    /// <summary>All of them.</summary>
    public static ImmutableArray<DiagnosticDescriptor> All { get; } =
    [
        s_writtenStatic, s_text, s_keptObject, s_recursion, s_noCode, s_tryBlock, s_thrown, s_allocation,
        s_floatingPoint, s_mutableStatic, s_wideChecked, s_noModel, s_unsafeCode, s_structLayout,
    ];

    /// <summary>The diagnostic of a refusal, at its place.</summary>
    public static Diagnostic Diagnostic(Refusal refusal, Location location) =>
        Microsoft.CodeAnalysis.Diagnostic.Create(
            All.Single(rule => rule.Id == $"EMU{refusal.Number:D4}"), location, refusal.Reason);

    private static DiagnosticDescriptor Rule(string id, string title) => new(
        id,
        title,
        "{0}",
        "Emu",
        DiagnosticSeverity.Warning,
        isEnabledByDefault: true,
        helpLinkUri: $"docs/diagnostics/{id}.md");
}
