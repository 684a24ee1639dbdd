using System.Reflection;
using System.Reflection.Metadata;
using System.Reflection.PortableExecutable;
using System.Text;
using Emu.Compiler.Diagnostics;
using Emu.Fuzz;
using Emu.Testing;
using Microsoft.CodeAnalysis;

namespace Emu.Compiler.Tests;

/// <summary>Whatever an assembly holds, the answer is a service or a numbered diagnostic.</summary>
public sealed class HostileCodeTests : IDisposable
{
    private const int Mutations = 400;

    private readonly string _folder = Directory.CreateTempSubdirectory("emu-").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    public void CIL_with_random_bytes_is_translated_or_refused()
    {
        var bytes = File.ReadAllBytes(Build("Original", OptimizationLevel.Debug).Location);
        var (start, length) = BodyOfProcess(bytes);
        var random = new Random(1);
        var numbers = new HashSet<int>();
        for (var i = 0; i < Mutations; i++)
        {
            var mutated = bytes.ToArray();
            for (var n = random.Next(3); n >= 0; n--) mutated[start + random.Next(length)] = (byte)random.Next(256);
            try
            {
                HardwareCompiler.Translate(Assembly.Load(mutated).GetType("Example")!, Subject.Ports, Subject.Capacity);
            }
            catch (CompileException exception)
            {
                numbers.Add(exception.Number);
            }
        }
        Assert.Contains(DiagnosticNumber.InvalidCil, numbers);
    }

    [Fact]
    public void Without_symbols_the_method_is_named()
    {
        var assembly = Build("Bare", OptimizationLevel.Debug);
        File.Delete(Path.ChangeExtension(assembly.Location, ".pdb"));
        Assert.EndsWith("at Refused.Name called from Example.Process", Refusal(assembly).Message);
        Assert.Equal(0, Refusal(assembly).Location!.Line);
    }

    [Theory]
    [InlineData("")]
    [InlineData("Microsoft C/C++ MSF 7.00")]
    [InlineData("BSJB and then nothing that makes sense")]
    public void Symbols_that_cannot_be_read_are_as_none(string symbols)
    {
        var assembly = Build($"Odd{symbols.Length}", OptimizationLevel.Debug);
        File.WriteAllText(Path.ChangeExtension(assembly.Location, ".pdb"), symbols, Encoding.ASCII);
        Assert.Equal(0, Refusal(assembly).Location!.Line);
    }

    [Fact]
    public void Symbols_name_the_line_and_every_call_on_the_way()
    {
        var refusal = Refusal(Build("Whole", OptimizationLevel.Debug));
        Assert.EndsWith("at Example.cs:29 (Refused.Name) called from Example.cs:15 (Example.Process)", refusal.Message);
    }

    [Fact]
    public void Types_that_cannot_be_constructed_as_services_are_refused()
    {
        foreach (var (type, why) in new (Type, string)[]
        {
            (typeof(string), "String is no service: derive it from Service"),
            (typeof(Service), "Service is no service: derive it from Service"),
            (typeof(Open<>), "Open`1 has open type parameters: derive a class from it that names them"),
            (typeof(Demanding),
                "Demanding has no public constructor that takes no arguments: give it one, or other arguments"),
        })
        {
            var refused = Assert.Throws<CompileException>(() =>
                HardwareCompiler.Translate(type, Subject.Ports, Subject.Capacity));
            Assert.Equal((DiagnosticNumber.NoService, why), (refused.Number, refused.Reason));
        }
    }

    [Fact]
    public void A_span_cannot_be_shown()
    {
        var refused = Assert.Throws<CompileException>(() => HardwareCompiler.Compile(
            new Shown(), new Layouts.HardwareOptions()));
        Assert.Equal(
            (DiagnosticNumber.NoService, "Frames of Shown is a span, which lasts no longer than a method; [Control] "
                + "marks what can be read between two frames: a number, an array, or a block that is an IControlTable"),
            (refused.Number, refused.Reason));
    }

    private sealed class Shown : Service
    {
        private readonly uint[] _frames = new uint[4];

        [Control]
        public ReadOnlySpan<uint> Frames => _frames;

        public override void Process(ref Frame frame) => _frames[frame.Ingress.Index]++;
    }

    private static CompileException Refusal(Assembly assembly) =>
        Assert.Throws<CompileException>(() =>
            HardwareCompiler.Translate(assembly.GetType("Refused")!, Subject.Ports, Subject.Capacity));

    private Assembly Build(string name, OptimizationLevel level) =>
        SourceAssembly.LoadWithSymbols(SourceAssembly.Parse($"Hostile.{name}", level, [("Example.cs", Text)]), _folder);

    private static (int Start, int Length) BodyOfProcess(byte[] bytes)
    {
        using var file = new PEReader(new MemoryStream(bytes));
        var metadata = file.GetMetadataReader();
        var process = metadata.MethodDefinitions.Select(metadata.GetMethodDefinition)
            .First(m => metadata.GetString(m.Name) == "Process");
        var body = file.GetMethodBody(process.RelativeVirtualAddress).GetILBytes()!;
        return (bytes.AsSpan().IndexOf(body), body.Length);
    }

    private const string Text = """
        public class Example : Service
        {
            private readonly int[] _counts = new int[8];
            private readonly byte[][] _rows = [new byte[4], new byte[4]];
            private ulong _sum;

            public override void Process(ref Frame frame)
            {
                frame.Flood();
                var bytes = frame.Bytes;
                foreach (var octet in bytes[..6]) _sum += octet;
                _counts[bytes[0] & 7]++;
                ref var cell = ref _rows[bytes[1] & 1][bytes[2] & 3];
                cell ^= (byte)_sum;
                if (Name(bytes[3]) > 5 && _sum % 3 == 1) frame.Resize(60);
                for (var i = 0; i < 4; i++)
                {
                    if ((_counts[i] & 1) != 0) continue;
                    if (_counts[i + 1] > 9) break;
                    bytes[i] = checked((byte)(cell + i));
                }
            }

            protected virtual int Name(int n) => n switch { 0 => 5, 1 => 7, 2 => 9, 3 => n * 2, _ => n << 3 };
        }

        public sealed class Refused : Example
        {
            protected override int Name(int n) => "emu"[n];
        }
        """;

    private sealed class Open<T> : Service
    {
        public override void Process(ref Frame frame) => frame.Flood();
    }

    private sealed class Demanding(int size) : Service
    {
        public override void Process(ref Frame frame) => frame.Resize(size);
    }
}
