using Emu.Compiler.Elaboration;
using Emu.Compiler.IR;
using Emu.Compiler.Passes;

namespace Emu.Compiler.Tests;

/// <summary>The pass <c>linkage</c> leaves of procedures, their arguments and results what is used.</summary>
public sealed class LinkageTests
{
    [Fact]
    public void An_argument_that_is_one_number_in_all_calls_is_that_number() =>
        Makes(
            """
            transient register a: 8 = 0
            transient register b: 8 = 0
            register kept: 8 = 0
            function Process
            b0:
                %0:8 = Input Ingress
                RegisterWrite [a] 7:8
                RegisterWrite [b] %0
                Call Add
                RegisterWrite [a] 7:8
                RegisterWrite [b] 1:8
                Call Add
                return frame 0:32, length 60:32, egress 1:64
            function Add
            b0:
                %0:8 = RegisterRead [a]
                %1:8 = RegisterRead [b]
                %2:8 = Add %0, %1
                RegisterWrite [kept] %2
                go-back

            """,
            """
            transient register b: 8 = 0
            register kept: 8 = 0
            function Process
            b0:
                %0:8 = Input Ingress
                RegisterWrite [b] %0
                Call Add
                RegisterWrite [b] 1:8
                Call Add
                return frame 0:32, length 60:32, egress 1:64
            function Add
            b0:
                %0:8 = RegisterRead [b]
                %1:8 = Add 7:8, %0
                RegisterWrite [kept] %1
                go-back

            """);

    [Fact]
    public void What_nothing_calls_or_reads_is_dropped() =>
        Makes(
            """
            transient register result: 8 = 0
            register kept: 8 = 0
            transient register other: 8 = 0
            function Process
            b0:
                Call Add
                return frame 0:32, length 60:32, egress 1:64
            function Add
            b0:
                %0:8 = RegisterRead [kept]
                RegisterWrite [result] %0
                RegisterWrite [kept] 1:8
                go-back
            function Other
            b0:
                RegisterWrite [other] 1:8
                go-back

            """,
            """
            register kept: 8 = 0
            function Process
            b0:
                Call Add
                return frame 0:32, length 60:32, egress 1:64
            function Add
            b0:
                RegisterWrite [kept] 1:8
                go-back

            """);

    [Fact]
    public void Arguments_that_differ_and_registers_of_the_service_stay()
    {
        const string Text =
            """
            transient register a: 8 = 0
            register kept: 8 = 0
            function Process
            b0:
                RegisterWrite [a] 7:8
                Call Add
                RegisterWrite [a] 8:8
                Call Add
                return frame 0:32, length 60:32, egress 1:64
            function Add
            b0:
                %0:8 = RegisterRead [a]
                RegisterWrite [kept] %0
                go-back

            """;
        Makes(Text, Text);
    }

    private static void Makes(string before, string after)
    {
        var functions = Reader.Read(before).Functions;
        var compilation = new Compilation(
            new StateMap(new Nothing()), functions[0], null, 0, null, ports: 4, capacity: 1518)
        {
            Procedures = [.. functions.Skip(1)],
        };
        Linkage.Run(compilation);
        Assert.Equal(after, Printer.Print(compilation.Functions));
    }

    private sealed class Nothing : Service
    {
        public override void Process(ref Frame frame)
        {
        }
    }
}
