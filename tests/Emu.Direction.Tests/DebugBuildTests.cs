using System.Reflection;
using System.Runtime.CompilerServices;
using Emu.Fuzz;
using Emu.Testing;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;

namespace Emu.Direction.Tests;

/// <summary>
/// Services and samples as the C# compiler builds them for Debug: with branches, locals and handlers of another form
/// than those for Release, of which the other tests are.
/// </summary>
public sealed class DebugBuildTests : IClassFixture<DebugBuildTests.Builds>, IDisposable
{
    private const string Usings =
        "global using System.IO; global using System.Threading; global using System.Threading.Tasks;";

    private readonly Builds _builds;
    private readonly Woven _woven = new();

    public DebugBuildTests(Builds builds) => _builds = builds;

    public static TheoryData<string> Services => WeaverTests.Services;

    public void Dispose() => _woven.Dispose();

    [Theory]
    [MemberData(nameof(Services))]
    public void Woven_it_does_with_frames_what_it_did(string name)
    {
        var service = _builds.Find(name);
        var woven = _woven.Load(service, WeaverTests.Everything);
        Woven.CompileAll(woven);
        WeaverTests.DoesTheSame(service, woven, WeaverTests.Find(name));
    }

    [Fact]
    public void A_session_stops_it_where_it_stops_what_is_built_for_Release()
    {
        var session = new RecordedSession().Do("break LearningSwitch.cs:51").Receive(Frame(1, 2)).Receive(Frame(2, 1))
            .Do("status").Do("print Process.ports").Do("print Forwarded").Do("continue").Do("print Forwarded");
        var release = typeof(Services.LearningSwitch);
        List<IReadOnlyList<string>> transcripts = [];
        foreach (var service in new[] { release, _builds.Find(release.FullName!) })
        {
            using var woven = new Woven();
            var type = woven.Load(service, "print,break:LearningSwitch.cs:51");
            var run = HostedRun.Run(WeaverTests.Construct(type, release), 4, session.Frames);
            transcripts.Add(session.Transcript(run.SelectMany(outcome => outcome.Sent)));
        }
        Assert.Contains("Process.ports = {1}", transcripts[0]);
        Assert.Equal(transcripts[0], transcripts[1]);
    }

    private static byte[] Frame(byte from, byte to) => [2, 0, 0, 0, 0, to, 2, 0, 0, 0, 0, from, .. new byte[48]];

    /// <summary>The builds, each made when it is asked for first.</summary>
    public sealed class Builds : IDisposable
    {
        private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("emu-debug-");
        private readonly Dictionary<string, Assembly> _assemblies = [];

        public void Dispose() => _folder.Delete(recursive: true);

        /// <summary>A service or sample of the repository, built for Debug.</summary>
        public Type Find(string name)
        {
            var sources = name.StartsWith("Emu.Samples.", StringComparison.Ordinal)
                ? "samples"
                : $"services/{name.Split('.')[^1]}";
            if (!_assemblies.TryGetValue(sources, out var assembly)) _assemblies[sources] = assembly = Build(sources);
            return assembly.GetType(name, throwOnError: true)!;
        }

        private Assembly Build(string sources)
        {
            var root = Path.Combine(Root(), sources);
            var files = Directory.EnumerateFiles(root, "*.cs", SearchOption.AllDirectories)
                .Where(file => Path.GetRelativePath(root, file).Split('/')[0]
                    // Programs of the clock level are a project of their own.
                    is not ("bin" or "obj" or "Program.cs" or "clocked"))
                .Order(StringComparer.Ordinal).Select(file => (file, File.ReadAllText(file)));
            var name = $"Debug.{sources.Replace('/', '.')}";
            var compilation = SourceAssembly.Parse(name, OptimizationLevel.Debug, files.Append(("Usings2.cs", Usings)));
            RegexGenerator(compilation).RunGeneratorsAndUpdateCompilation(compilation, out var whole, out _);
            return SourceAssembly.LoadWithSymbols((CSharpCompilation)whole, _folder.FullName);
        }

        /// <summary>The generator that the SDK has for <c>[GeneratedRegex]</c>.</summary>
        private static CSharpGeneratorDriver RegexGenerator(CSharpCompilation compilation)
        {
            var sdk = Path.Combine(Path.GetDirectoryName(typeof(object).Assembly.Location)!, "../../../packs");
            var file = Directory.GetFiles(
                sdk, "System.Text.RegularExpressions.Generator.dll", SearchOption.AllDirectories).Order().Last();
            var generator = Assembly.LoadFrom(file)
                .GetType("System.Text.RegularExpressions.Generator.RegexGenerator", throwOnError: true)!;
            return CSharpGeneratorDriver.Create(
                [((IIncrementalGenerator)Activator.CreateInstance(generator)!).AsSourceGenerator()],
                parseOptions: (CSharpParseOptions)compilation.SyntaxTrees[0].Options);
        }

        private static string Root([CallerFilePath] string thisFile = "") =>
            Path.GetFullPath(Path.Combine(Path.GetDirectoryName(thisFile)!, "..", ".."));
    }
}
