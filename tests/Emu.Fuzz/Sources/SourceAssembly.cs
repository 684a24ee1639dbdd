using System.Reflection;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.Emit;

namespace Emu.Fuzz;

/// <summary>
/// C# that is compiled when it is run, by the compiler that users have, as a Debug or a Release build.
/// </summary>
internal static class SourceAssembly
{
    private const string Usings = """
        global using System; global using System.Buffers.Binary; global using System.Text;
        global using System.Collections.Generic; global using System.Linq; global using System.Numerics;
        global using System.Runtime.InteropServices; global using Emu; global using Emu.Protocols;
        """;

    private static readonly CSharpParseOptions s_parsing = new(LanguageVersion.CSharp14);

    private static readonly MetadataReference[] s_references =
    [
        .. ((string)AppContext.GetData("TRUSTED_PLATFORM_ASSEMBLIES")!).Split(Path.PathSeparator)
            .Select(file => (MetadataReference)MetadataReference.CreateFromFile(file)),
    ];

    /// <summary>The C# compilation of files, not yet emitted.</summary>
    /// <param name="name">Of the assembly.</param>
    /// <param name="level">Debug or Release.</param>
    /// <param name="files">Names and texts.</param>
    public static CSharpCompilation Parse(
        string name, OptimizationLevel level, IEnumerable<(string Name, string Text)> files) =>
        CSharpCompilation.Create(
            name,
            files.Append(("Usings.cs", Usings)).Select(file => Tree(file.Item1, file.Item2)),
            s_references,
            new CSharpCompilationOptions(
                OutputKind.DynamicallyLinkedLibrary, optimizationLevel: level, allowUnsafe: true,
                concurrentBuild: false,
                nullableContextOptions: NullableContextOptions.Enable));

    /// <summary>One file of C#.</summary>
    public static SyntaxTree Tree(string name, string text) =>
        CSharpSyntaxTree.ParseText(text, s_parsing, name, System.Text.Encoding.UTF8);

    /// <summary>Emits and loads it, without a file.</summary>
    /// <exception cref="InvalidOperationException">The C# is wrong; the message has the compiler's.</exception>
    public static Assembly Load(CSharpCompilation compilation)
    {
        using var code = new MemoryStream();
        Emit(compilation, code, null);
        return Assembly.Load(code.ToArray());
    }

    /// <summary>Emits it with its symbols into a folder, and loads it from there.</summary>
    /// <exception cref="InvalidOperationException">The C# is wrong; the message has the compiler's.</exception>
    public static Assembly LoadWithSymbols(CSharpCompilation compilation, string folder)
    {
        var file = Path.Combine(folder, compilation.AssemblyName + ".dll");
        using (var code = File.Create(file))
        using (var symbols = File.Create(Path.ChangeExtension(file, ".pdb")))
        {
            Emit(compilation, code, symbols);
        }
        return Assembly.LoadFrom(file);
    }

    private static void Emit(CSharpCompilation compilation, Stream code, Stream? symbols)
    {
        var result = compilation.Emit(
            code, symbols, options: new EmitOptions(debugInformationFormat: DebugInformationFormat.PortablePdb));
        if (result.Success) return;
        var errors = result.Diagnostics.Where(d => d.Severity == DiagnosticSeverity.Error).Take(20);
        throw new InvalidOperationException($"{compilation.AssemblyName} is no valid C#:\n{string.Join('\n', errors)}");
    }
}
