using System.Runtime.CompilerServices;
using Emu.Compiler.Diagnostics;
using Emu.Fuzz;
using Emu.Testing;
using Microsoft.CodeAnalysis;

namespace Emu.Compiler.Tests;

/// <summary>
/// The statements that pages of docs/diagnostics list: each is refused with the page's number, its line and the reason
/// on the page. After a change on purpose: EMU_RECORD=1.
/// </summary>
public sealed class RefusedStatementTests : IDisposable
{
    private const string Before = """
        using System.Buffers; using System.Diagnostics; using System.IO; using System.Net;
        using System.Net.NetworkInformation; using System.Security.Cryptography; using System.Text;
        using System.Text.RegularExpressions; using System.Threading; using System.Threading.Tasks;

        public abstract class Context : Service
        {
            protected readonly byte[] _bytes = new byte[4];
            protected readonly List<int> _list = [1];
            protected readonly Dictionary<uint, int> _table = [];
            protected readonly HashSet<uint> _set = [];
            protected readonly Queue<int> _queue = [];
            protected readonly MemoryStream _stream = new();
            protected readonly Random _random = new(1);
            protected readonly Lock _lock = new();
            protected readonly IPAddress _address = IPAddress.Loopback;
            protected readonly PhysicalAddress _mac = PhysicalAddress.None;
            protected readonly string _name = "emu";
            protected int? _maybe = 1;
            protected int _n;

            protected static IEnumerable<int> Numbers() { yield return 1; }
            protected static async Task LaterAsync() => await Task.Delay(1);
            protected static bool IsText(object value) => value is string;
            protected static int Sum(params ReadOnlySpan<int> numbers) => numbers[0];
        }

        """;

    private static readonly Lazy<IReadOnlyDictionary<(OptimizationLevel, string), Type>> s_types = new(Build);

    private readonly List<string> _differences = [];

    public static TheoryData<int> Pages =>
        [.. DiagnosticPage.All.Where(page => page.Others.Count > 0).Select(page => page.Number)];

    public void Dispose() => Assert.True(_differences.Count == 0, string.Join("\n", _differences));

    [Theory]
    [MemberData(nameof(Pages))]
    public void Each_statement_of_a_page_is_refused_with_its_number_line_and_reason(int number)
    {
        var page = DiagnosticPage.All.Single(p => p.Number == number);
        foreach (var level in new[] { OptimizationLevel.Debug, OptimizationLevel.Release })
        {
            foreach (var (code, reason) in page.Others) Check(page, level, code, reason);
        }
    }

    private void Check(DiagnosticPage page, OptimizationLevel level, string code, string reason)
    {
        var type = s_types.Value[(level, code)];
        var refused = Record.Exception(
            () => HardwareCompiler.Translate(type, Subject.Ports, Subject.Capacity)) as CompileException;
        var line = refused?.Location;
        while (line?.Caller is { } caller) line = caller;
        var actual = (refused?.Number, refused?.Reason, line?.Line);
        if (actual == (page.Number, reason, LineOf(code))) return;
        _differences.Add($"{level}: {code} is refused as {actual}, {refused?.Location}");
        if (level == OptimizationLevel.Debug && refused?.Number == page.Number)
            Rewrite(page, code, reason, refused.Reason);
    }

    internal static int LineOf(string code) => Source().Split('\n').IndexOf(code + ";") + 1;

    private static IEnumerable<string> Statements =>
        DiagnosticPage.All.SelectMany(page => page.Others).Select(other => other.Code);

    internal static string Source() => Before + string.Concat(Statements.Select((code, i) => $$"""

        public sealed class Statement{{i}} : Context
        {
            public override unsafe void Process(ref Frame frame)
            {
                var n = (int)frame.Bytes[0];
                var c = (char)n;
        {{code}};
                _n = n;
            }
        }

        """));

    private static Dictionary<(OptimizationLevel, string), Type> Build()
    {
        var folder = Directory.CreateTempSubdirectory("emu-").FullName;
        var types = new Dictionary<(OptimizationLevel, string), Type>();
        foreach (var level in new[] { OptimizationLevel.Debug, OptimizationLevel.Release })
        {
            var compilation = SourceAssembly.Parse($"Statements.{level}", level, [("Statements.cs", Source())]);
            var assembly = SourceAssembly.LoadWithSymbols(compilation, folder);
            foreach (var (i, code) in Statements.Index()) types[(level, code)] = assembly.GetType($"Statement{i}")!;
        }
        return types;
    }

    private static void Rewrite(
        DiagnosticPage page, string code, string before, string after, [CallerFilePath] string thisFile = "")
    {
        if (Environment.GetEnvironmentVariable("EMU_RECORD") != "1" || before == after) return;
        var folder = Path.Combine(Path.GetDirectoryName(thisFile)!, "..", "..", "docs", "diagnostics");
        var file = Path.Combine(folder, $"EMU{page.Number:D4}.md");
        var (old, @new) = (DiagnosticPage.EntryOf(code, before), DiagnosticPage.EntryOf(code, after));
        File.WriteAllText(file, File.ReadAllText(file).Replace(old, @new, StringComparison.Ordinal));
    }
}
