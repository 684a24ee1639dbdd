using System.Reflection;
using Emu.Compiler.Clocked;
using Emu.Compiler.Diagnostics;
using KiwiSystem;

namespace Emu.Clocked.Tests;

/// <summary>Each member of the dialect compiles, or is refused by number with its line and what to do.</summary>
public sealed class MemberTests
{
    private const string Index = "use an index into an array";
    private const string Property = "what was kept of the cycle before";
    private const string Handler = "static Kiwi.ObjectHandler<uint> handler = new Kiwi.ObjectHandler<uint>();";

    /// <summary>Names that do not compile, a program that uses each, and the end of the message.</summary>
    public static TheoryData<string, string, string> Refused => new()
    {
        { "setGpioLeds8", Statement("Kiwi.setGpioLeds8(3);"), "write an output of eight bits" },
        { "hpr_sysleds", Statement("hpr_primitives.hpr_sysleds(3);"), "write an output of eight bits" },
        { "next", Statement("if (Kiwi.next((int)sum) == 3) sum = 0;"), Property },
        { "until", Statement("if (Kiwi.until(sum == 1, sum == 2)) sum = 0;"), Property },
        { "wuntil", Statement("if (Kiwi.wuntil(sum == 1, sum == 2)) sum = 0;"), Property },
        { "CTLInternal", OnMethod("CTLInternal(\"next\")"), Property },
        { "HprPrimitiveFunction", OnMethod("HprPrimitiveFunction"), "write the method in C#" },
        { "ObjectHandler", Statement("new Kiwi.ObjectHandler<uint>();"), Index },
        { "size", Statement("sum = (uint)handler.size();", Handler), Index },
        { "handleArith", Statement("sum = handler.handleArith(null, 1);", Handler), Index },
        { "Remote", OnMethod("Remote(\"HFAST\")"), "a handshake of fields" },
        { "RemoteClass", OnMethod("RemoteClass(\"HFAST\")"), "a handshake of fields" },
        { "Stub", OnMethod("Stub"), "a handshake of fields" },
        { "Server", OnMethod("Server"), "a handshake of fields" },
        { "PipelinedAccelerator", OnMethod("PipelinedAccelerator(\"a\", \"b\")"), "with a pause behind each" },
        { "AssertCTL", OnMethod("AssertCTL(\"AG\")"), "use Debug.Assert" },
        { "ClockDom", Statement("sum++;", "#line 94\n[Kiwi.ClockDom(\"clock\", \"rst\")]"), "its reset is reset" },
        {
            "OutboardArray",
            Statement("sum = far[sum & 3];", "[Kiwi.OutboardArray(\"x\")] static uint[] far = new uint[4];"),
            "ports towards a memory outside"
        },
    };

    [Theory]
    [MemberData(nameof(Refused))]
    public void A_name_that_does_not_compile_is_refused_where_it_stands(string name, string program, string instead)
    {
        var refused = Assert.Throws<CompileException>(() => ClockedCompiler.Compile(Source.Program(program)));
        Assert.Equal((DiagnosticNumber.ClockedMember, 100), (refused.Number, refused.Location?.Line));
        Assert.Contains(name, refused.Reason, StringComparison.Ordinal);
        Assert.EndsWith(instead, refused.Reason, StringComparison.Ordinal);
    }

    [Fact]
    public void Every_name_has_a_program()
    {
        var compiled = string.Concat(NameTests.Members.Select(row => row.Data))
            .Replace("hpr_primitives.", "Kiwi.", StringComparison.Ordinal)
            .Replace("KiwiBasicStatusMonitor.", "Kiwi.", StringComparison.Ordinal);
        var refused = Refused.Select(row => row.Data.Item1).ToHashSet();
        const BindingFlags Own =
            BindingFlags.Public | BindingFlags.Static | BindingFlags.Instance | BindingFlags.DeclaredOnly;
        string[] names =
        [
            .. new[]
            {
                typeof(Kiwi), typeof(KiwiBasicStatusMonitor), typeof(hpr_primitives), typeof(Kiwi.ObjectHandler<>),
            }
                .SelectMany(type => type.GetMethods(Own)).Select(method => method.Name.Replace("get_", "")),
            .. typeof(Kiwi).GetNestedTypes().Where(type => !type.IsAbstract)
                .Select(type => type.Name.Split('`')[0].Replace("Attribute", "")),
        ];
        Assert.DoesNotContain(names, name =>
            !refused.Contains(name) && !compiled.Contains($"Kiwi.{name}", StringComparison.Ordinal));
    }

    private static string Statement(string statement, string before = "") => $$"""
        [Kiwi.OutputWordPort("sum")] static uint sum;
        {{before}}
        [Kiwi.HardwareEntryPoint]
        public static void Main()
        {
            while (true)
            {
                Kiwi.Pause();
        {{(before.StartsWith('#') ? "" : "#line 100")}}
                {{statement}}
            }
        }
        """;

    private static string OnMethod(string attribute) =>
        Statement("sum = Next(sum);", $"[Kiwi.{attribute}] static uint Next(uint number) => number + 1;");
}
