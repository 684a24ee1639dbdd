using Emu.Compiler.IR;
using Emu.Fuzz;
using Emu.Services;
using Emu.Testing;
using Microsoft.CodeAnalysis;

namespace Emu.Compiler.Tests;

/// <summary>The IR's text is the whole of it: what is read again prints the same and does the same.</summary>
public sealed class ReaderTests
{
    private const string Every = """
        register Hits: 8 = 255
        memory "odd name": 48 x 6 = 1, 0 * 4, 281474976710655
        register Hits#2: 64 = 7
        transient register argument: 8 = 0
        memory Empty: 8 x 0 =
        function Process
        b0:
            %0:32 = Input Length
            %1:1 = LessUnsigned %0, 60:32 !1
            branch %1 ? b5 : b1
        b1:  from b0, b2
            %2:8 = phi 0:8, %7
            %3:8 = RegisterRead [Hits]
            %4:1 = Equal %2, %3
            branch %4 ? b3 : b2
        b2:  from b1
            %5:48 = MemoryRead ["odd name"] %2
            %6:8 = Extract %5 low 40
            %7:8 = Add %2, 1:8
            FrameWrite 5:32, %6
            Count [Hits#2] 1:1
            RegisterWrite [argument] 1:8
            Call "a procedure"
            jump b1
        b3:  from b1
            %12:8 = RegisterRead [Hits | Hits] %4
            side-exit b4 "a \"loop\" \\ has no bound" !1
        b4:  from b3
            %13:8 = MemoryRead [Empty] %12
            return frame 0:32, length %0, egress 3:64
        b5:  from b0
            fault IndexOutOfRange !0
        function Tick
        b0:
            side-exit "never"
        function "a procedure"
        b0:
            go-back
        !0 = library "Span.get_Item" in "" line 0
        !1 = "Demo.Process" in "/src/Demo \"x\".cs" line 12 named "total" from !0

        """;

    [Fact]
    public void Everything_that_a_text_says_is_kept()
    {
        var listing = Reader.Read(Every);
        Assert.Equal(["Hits", "odd name", "Hits", "argument", "Empty"], listing.State.Select(s => s.Name));
        Assert.Equal(7, (int)((Register)listing.State[2]).Reset);
        Assert.Equal([1, 0, 0, 0, 0, 281474976710655], ((Memory)listing.State[1]).Reset.Select(bits => (long)bits));
        var operations = listing.Functions[0].Blocks().SelectMany(b => b.Operations).ToList();
        Assert.Equal(40, operations.Single(o => o.Opcode == Opcode.Extract).Low);
        Assert.Same(listing.State[0], operations.First(o => o.Opcode == Opcode.RegisterRead).State[0]);
        var location = operations[1].Location!;
        Assert.Equal(("Demo.Process", "/src/Demo \"x\".cs", 12, true),
            (location.Method, location.File, location.Line, location.Caller!.IsLibrary));
        Assert.Equal(
            "a \"loop\" \\ has no bound",
            listing.Functions[0].Blocks().Select(b => b.Terminator).OfType<SideExit>().Single().Reason);
        Assert.Equal(["Process", "Tick", "a procedure"], listing.Functions.Select(f => f.Name));
    }

    [Fact]
    public void What_is_read_prints_the_same() => Assert.Equal(Every, Printer.Print(Reader.Read(Every).Functions));

    public static TheoryData<string> ServiceNames =>
        [nameof(LearningSwitch), nameof(IcmpEcho), nameof(TcpPing), nameof(Nat), nameof(Filter)];

    [Theory]
    [MemberData(nameof(ServiceNames))]
    public void A_service_prints_the_same(string name) =>
        AssertPrintsTheSame(
            HardwareCompiler.Translate(Service(name), Subject.Ports, Subject.Capacity).Functions, name);

    /// <summary>From the front end's loops to the two parts of a pipeline.</summary>
    [Fact]
    public void A_service_prints_the_same_behind_every_pass()
    {
        var passes = new HashSet<string>();
        var compilation = HardwareCompiler.Translate(
            Service(nameof(IcmpEcho)), Subject.Ports, Subject.Capacity, keepsFrameOperations: true,
            (pass, functions) =>
            {
                if (passes.Add(pass)) AssertPrintsTheSame(functions, pass);
            });
        compilation.Optimise();
        compilation.Split();
        Assert.Equal(PassRun.All.Select(pass => pass.Name).Distinct().Order(), passes.Order());
        AssertPrintsTheSame(compilation.InWork, "all passes");
    }

    private static void AssertPrintsTheSame(IReadOnlyList<Function> functions, string when)
    {
        var text = Printer.Print(functions);
        Assert.True(text == Printer.Print(Reader.Read(text).Functions), when);
    }

    [Fact]
    public void Random_programs_print_and_do_the_same()
    {
        const int Programs = 12, Frames = 20;
        List<ulong> seeds = [.. Enumerable.Range(7001, Programs).Select(seed => (ulong)seed)];
        foreach (var (seed, subject) in seeds.Zip(Fuzzer.Subjects(seeds, OptimizationLevel.Release)))
        {
            var functions = subject.Compilation.Functions;
            var text = Printer.Print(functions);
            var listing = Reader.Read(text);
            Assert.Equal(text, Printer.Print(listing.Functions));
            var frames = FrameGenerator.Generate(seed, Frames);
            Assert.Equal(Seen(functions, Behaviour.StateOf(functions)), Seen(listing.Functions, listing.State));
            List<string> Seen(IReadOnlyList<Function> functions, IEnumerable<StateElement> state) =>
                Behaviour.Of(functions[0], null, functions.ElementAtOrDefault(1), state, frames);
        }
    }

    [Theory]
    [InlineData("functions", "line 1, column 1: expected 'register', 'memory' or 'function', found 'functions'")]
    [InlineData("register A 8 = 0", "line 1, column 12: expected ':', found '8'")]
    [InlineData("register A: 129 = 0", "line 1, column 13: a width is 1 to 128, not 129")]
    [InlineData("register A: 8 = 256", "line 1, column 17: 256 has more than 8 bits")]
    [InlineData("register A: 8 = 0\nregister A: 8 = 0", "line 2, column 10: A is declared twice")]
    [InlineData("memory A: 8 x 3 = 0 * 2", "line 1, column 8: A has 3 elements, and 2 numbers")]
    [InlineData("memory A: 8 x 3 = 0 * 4", "line 1, column 8: A has 3 elements, and more numbers")]
    [InlineData("function F\n", "line 2, column 1: expected a block, such as b0, found the end of the text")]
    [InlineData("function F\nb0:\n  fault Overflown", "line 3, column 9: expected a kind of fault, found 'Overflown'")]
    [InlineData(
        "function F\nb0:\n  %0:8 = Plus 1:8",
        "line 3, column 10: expected an opcode or the end of the block, found 'Plus'")]
    [InlineData(
        "function F\nb0:\n  %0:8 = Add 1:8\n  fault Overflow",
        "line 3, column 10: Add has operands of wrong number, widths or state")]
    [InlineData("function F\nb0:\n  Add 1:8, 2:8", "line 3, column 3: Add has a result, which needs a value and '='")]
    [InlineData("function F\nb0:\n  %0:8 = Add 1:8, %1\n  fault Overflow", "line 3, column 19: '%1' is not defined")]
    [InlineData("function F\nb0:\n  %0:8 = RegisterRead [A]", "line 3, column 24: no register or memory A is declared")]
    [InlineData("function F\nb0:\n  jump b1", "line 3, column 8: there is no block b1")]
    [InlineData(
        "function F\nb0:\n  jump b1\nb1:\n  fault Overflow",
        "line 4, column 1: b1 is entered from [b0], not from []")]
    [InlineData("function F\nb0:\n  fault Overflow !0", "line 3, column 18: there is no line '!0' before this")]
    [InlineData("function F\nb0:\n  fault Overflow ;", "line 3, column 18: expected the end of the line, found ';'")]
    [InlineData(
        "function F\nb0:\n  fault Overflow\n!1 = \"\" in \"\" line 1",
        "line 4, column 1: expected '!0', found '!1'")]
    public void A_wrong_text_is_refused_at_its_place(string text, string message)
    {
        var exception = Assert.Throws<FormatException>(() => Reader.Read(text));
        Assert.Equal(message, exception.Message);
    }

    [Fact]
    public void A_fault_that_only_dotnet_has_is_refused()
    {
        var exception = Assert.Throws<FormatException>(() => Reader.Read("function F\nb0:\n  fault Exception"));
        Assert.Contains("a fault on .NET only", exception.Message, StringComparison.Ordinal);
    }

    private static Service Service(string name) => name switch
    {
        nameof(LearningSwitch) => new LearningSwitch(capacity: 16),
        nameof(IcmpEcho) => new IcmpEcho(LadderFrames.IP, LadderFrames.Mac),
        nameof(TcpPing) => new TcpPing(LadderFrames.IP, LadderFrames.Mac),
        nameof(Nat) => new Nat(
            LadderFrames.Inside, LadderFrames.IP, capacity: new NatCapacity { Mappings = 16, Neighbors = 16 }),
        _ => new Filter(rule: ["-P FORWARD DROP", "-A FORWARD -p tcp --dport 80 -j ACCEPT"]),
    };

}
