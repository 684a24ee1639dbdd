using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.Emit;

namespace Emu.Clocked.Tests;

/// <summary>C# that is compiled when a test runs, by the compiler that users have.</summary>
internal static class Source
{
    private const string Usings =
        "global using System; global using System.Diagnostics; global using System.Threading; global using KiwiSystem;";

    private static readonly string s_folder = Directory.CreateTempSubdirectory("emu-clocked-").FullName;
    private static int s_count;

    static Source() => AppDomain.CurrentDomain.ProcessExit += (_, _) => Directory.Delete(s_folder, recursive: true);

    /// <summary>The members of a class <c>Example</c> as a program.</summary>
    public static ClockedProgram Program(string members, OptimizationLevel level = OptimizationLevel.Release) =>
        File($"public static class Example\n{{\n{members}\n}}", level);

    /// <summary>A file as a program.</summary>
    public static ClockedProgram File(string text, OptimizationLevel level = OptimizationLevel.Release) =>
        ClockedProgram.Load(Assembly(text, level));

    /// <summary>The path of the assembly that a file is compiled to.</summary>
    public static string Assembly(string text, OptimizationLevel level = OptimizationLevel.Release)
    {
        var name = $"example{Interlocked.Increment(ref s_count)}";
        var references = ((string)AppContext.GetData("TRUSTED_PLATFORM_ASSEMBLIES")!).Split(Path.PathSeparator)
            .Select(file => MetadataReference.CreateFromFile(file));
        var compilation = CSharpCompilation.Create(
            name,
            [Tree("Example.cs", text), Tree("Usings.cs", Usings)],
            references,
            new CSharpCompilationOptions(OutputKind.DynamicallyLinkedLibrary, optimizationLevel: level));
        var path = Path.Combine(s_folder, name + ".dll");
        using (var code = System.IO.File.Create(path))
        using (var symbols = System.IO.File.Create(Path.ChangeExtension(path, ".pdb")))
        {
            var result = compilation.Emit(
                code, symbols, options: new EmitOptions(debugInformationFormat: DebugInformationFormat.PortablePdb));
            Assert.True(result.Success, string.Join('\n', result.Diagnostics));
        }
        return path;
    }

    private static SyntaxTree Tree(string name, string text) =>
        CSharpSyntaxTree.ParseText(
            text, new CSharpParseOptions(preprocessorSymbols: ["DEBUG"]), name, System.Text.Encoding.UTF8);
}
