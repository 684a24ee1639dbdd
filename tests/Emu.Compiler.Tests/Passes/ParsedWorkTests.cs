using System.Buffers.Binary;
using Emu.Compiler.IR;
using Emu.Compiler.Layouts;
using Emu.Compiler.Passes;
using Emu.Testing;

namespace Emu.Compiler.Tests;

/// <summary>
/// Work in front of parsers: counts and sums out of loops, reads in front of tables, writes behind checksums.
/// </summary>
public sealed class ParsedWorkTests
{
    private const string AsksBetween =
        """
        memory asked: 8 x 16 = 0 * 16
        function Process
        b0:
            %0:8 = FrameRead 14:32
            %1:4 = Extract %0 low 0
            %2:32 = Concat 0:28, %1
            %3:32 = Add %2, 20:32
            %4:8 = FrameRead %3
            %5:4 = Extract %4 low 0
            %6:8 = MemoryRead [asked] %5
            %7:1 = Equal %6, 7:8
            branch %7 ? b1 : b2
        b1:  from b0
            %8:32 = Add %3, 2:32
            %9:8 = FrameRead %8
            %10:1 = Equal %9, 1:8
            %11:64 = Select %10, 1:64, 2:64
            return frame 0:32, length 60:32, egress %11
        b2:  from b0
            return frame 0:32, length 60:32, egress 4:64

        """;

    /// <summary>An option is made zeros, or its last byte another, with a checksum over the frame.</summary>
    private sealed class Overwrites(ulong pseudo) : Service
    {
        public override void Process(ref Frame frame)
        {
            var bytes = frame.Bytes;
            var at = 14 + (bytes[12] & 15);
            if (at + 6 > bytes.Length) return;
            var length = bytes[at] & 3;
            at += length;
            if (bytes[at] == 0) bytes[at + 1] = 0;
            else BinaryPrimitives.WriteUInt16BigEndian(bytes[(at + 1)..], 0);
            var sum = pseudo + InternetChecksum.Sum(bytes[13..]);
            BinaryPrimitives.WriteUInt16BigEndian(bytes[4..], InternetChecksum.Finish(sum));
            frame.Flood();
        }
    }

    /// <summary>Zeros where nothing but zeros is left, which has two forms in ones' complement.</summary>
    private static IEnumerable<IncomingFrame> Zeros()
    {
        for (var i = 0; i < 120; i++)
        {
            var bytes = new byte[20 + i % 60];
            bytes[12] = (byte)(i % 16);
            if (i % 3 == 0) bytes[^1] = (byte)i;
            for (var k = 14 + i % 16; k < bytes.Length && i % 4 != 3; k++) bytes[k] = i % 4 == 0 ? (byte)0 : (byte)255;
            yield return new IncomingFrame(i % 4, bytes, (ulong)(1000 + i));
        }
    }

    private static Function Parsed(string text) => Reader.Read(text).Functions[0];

    [Fact]
    public void A_read_at_a_place_that_is_known_stands_in_front_of_a_table()
    {
        var compilation = PassRun.Read(AsksBetween);
        Assert.True(EarlyReads.Run(compilation));
        var function = compilation.Process;
        Verifier.Verify(function, nameof(EarlyReads));
        var operations = function.Entry.Operations;
        Assert.Equal(3, operations.Count(operation => operation.Opcode == Opcode.FrameRead));
        Assert.True(
            operations.FindLastIndex(operation => operation.Opcode == Opcode.FrameRead)
            < operations.FindIndex(operation => operation.Opcode == Opcode.MemoryRead));
    }

    [Fact]
    public void It_passes_a_write_of_bytes_that_are_a_constant_number_in_front_of_it()
    {
        var compilation = PassRun.Read(AsksBetween.Replace(
            "    %7:1 = Equal %6, 7:8\n", "    FrameWrite %3, 0:16\n    %7:1 = Equal %6, 7:8\n"));
        Assert.True(EarlyReads.Run(compilation));
        var operations = compilation.Process.Entry.Operations;
        Assert.True(
            operations.FindLastIndex(operation => operation.Opcode == Opcode.FrameRead)
            < operations.FindIndex(operation => operation.Opcode == Opcode.FrameWrite));
    }

    [Fact]
    public void It_stays_behind_a_write_of_its_bytes_and_behind_a_check_of_its_length()
    {
        Assert.False(EarlyReads.Run(PassRun.Read(AsksBetween.Replace(
            "    %7:1 = Equal %6, 7:8\n", "    FrameWrite %3, 0:32\n    %7:1 = Equal %6, 7:8\n"))));
        Assert.False(EarlyReads.Run(PassRun.Read(AsksBetween.Replace(
            "    %7:1 = Equal %6, 7:8\n", "    %12:32 = Input Length\n    %7:1 = LessUnsigned 40:32, %12\n"))));
    }

    [Theory]
    [InlineData(0ul)]
    [InlineData(17ul)]
    public void A_checksum_over_bytes_at_a_computed_place_is_exact(ulong pseudo) => Ladder.Check(
        () => new Overwrites(pseudo), [.. Zeros()], new LadderOptions
        {
            BusBits = [64, 256, 512],
            Outside = OutsideSimulators.None,
        });

    [Fact]
    public void It_is_a_pipeline_where_something_else_is_added()
    {
        var compiled = HardwareCompiler.Compile(new Overwrites(17), new HardwareOptions());
        Assert.Equal(Layout.Pipeline, compiled.Layout);
        Assert.DoesNotContain(compiled.SlowPaths, exit => exit.Reason.Contains("written", StringComparison.Ordinal));
    }
}
