using Emu.Samples.Clocked;

namespace Emu.Clocked.Tests;

/// <summary>The samples are the same on every rung, and do what they say.</summary>
public sealed class SampleTests
{
    private static readonly string s_assembly = typeof(SpiReader).Assembly.Location;

    public static TheoryData<string> All => [.. ClockedProgram.ClassesOf(s_assembly)];

    [Theory]
    [MemberData(nameof(All))]
    public void A_sample_is_the_same_on_every_rung(string sample) =>
        Trace.Check(ClockedProgram.Load(s_assembly, sample), 1000);

    [Fact]
    public void The_divider_divides()
    {
        var trace = Trace.OfDotNet(
            ClockedProgram.Load(s_assembly, nameof(Divider)), 100,
            (cycle, port) => port.Name switch
            {
                "dividend" => 1_000_003,
                "divisor" => 1009,
                _ => cycle == 3 ? 1UL : 0,
            });
        Assert.Equal(
            (1UL, 1_000_003UL / 1009, 1_000_003UL % 1009),
            (trace.Outputs[^1]["done"], trace.Outputs[^1]["quotient"], trace.Outputs[^1]["remainder"]));
    }

    /// <summary>Three frames: to an unknown station, back to it, and to one on the same port.</summary>
    [Fact]
    public void The_classic_switch_floods_learns_and_filters()
    {
        (ulong Destination, ulong Source, int Port)[] frames =
        [
            (0x0B0000000002, 0x0A0000000002, 0), (0x0A0000000002, 0x0B0000000002, 2),
            (0x0A0000000002, 0x0C0000000002, 0),
        ];
        var (frame, word, ports) = (0, 0, new List<ulong>());
        new ClockedRun(ClockedProgram.Load(s_assembly, nameof(ClassicSwitch))).Run(run =>
        {
            if (run.Get("m_axis_tvalid") != 0 && run.Get("m_axis_tlast") != 0)
                ports.Add(run.Get("m_axis_tuser") >> 24);
            var isSent = run.Get("s_axis_tready") != 0 && frame < frames.Length;
            run.Set("s_axis_tvalid", isSent ? 1UL : 0);
            run.Set("m_axis_tready", 1);
            if (!isSent) return run.Cycle < 200;
            var (destination, source, port) = frames[frame];
            run.Set("s_axis_tdata", word == 0 ? destination | source << 48 : source >> 16);
            run.Set("s_axis_tuser", 64 | 1UL << 16 + 2 * port);
            run.Set("s_axis_tlast", word == 7 ? 1UL : 0);
            (frame, word) = word == 7 ? (frame + 1, 0) : (frame, word + 1);
            return run.Cycle < 200;
        });
        Assert.Equal([0x54UL, 0x01UL], ports);
    }

    /// <summary>The classic calls on bytes of a frame.</summary>
    [Fact]
    public void The_bytes_of_a_classic_frame_are_taken_out_and_put_back() => Trace.Check(Source.Program("""
        [Kiwi.InputWordPort("word")] static ulong word;
        [Kiwi.OutputWordPort("seen")] static ulong seen;
        [Kiwi.OutputWordPort("port")] static uint port;
        static Emu.Clocked.Classic.NetFPGA_Data frame = new Emu.Clocked.Classic.NetFPGA_Data();
        static byte[] bytes = new byte[20];

        [Kiwi.HardwareEntryPoint]
        public static void Main()
        {
            while (true)
            {
                for (int i = 0; i < 3; i++)
                {
                    Kiwi.Pause();
                    frame.tdata[i] = word;
                }
                frame.tuser_low[0] = 20;
                Kiwi.Pause();
                Emu.Clocked.Classic.NetFPGA.Set_Input_Port(ref frame, word & 3);
                Emu.Clocked.Classic.NetFPGA.Get_Frame(frame, ref bytes);
                bytes[0] ^= 0xFF;
                Kiwi.Pause();
                port = Emu.Clocked.Classic.NetFPGA.Read_Input_Port(frame);
                Emu.Clocked.Classic.NetFPGA.Set_Frame(bytes, ref frame);
                for (int i = 0; i < 3; i++)
                {
                    Kiwi.Pause();
                    seen = frame.tdata[i] ^ frame.tkeep[i];
                }
            }
        }
        """), 400);

    /// <summary>A memory on the other side of the wires: it answers the byte that belongs to the address.</summary>
    [Fact]
    public void The_reader_reads_what_a_serial_memory_answers()
    {
        var (isHigh, bits, word) = (false, 0, 0u);
        var (answer, data, isDone) = (0u, 0UL, false);
        new ClockedRun(ClockedProgram.Load(s_assembly, nameof(SpiReader))).Run(run =>
        {
            if (run.Get("sclk") != 0 && !isHigh)
            {
                word = word << 1 | (uint)run.Get("mosi");
                if (++bits == 32) answer = (word & 0xFF) ^ 0x5A;
            }
            isHigh = run.Get("sclk") != 0;
            run.Set("miso", bits > 32 ? answer >> (40 - bits) & 1 : 0);
            run.Set("start", run.Cycle == 2 ? 1UL : 0);
            run.Set("address", 0x123456);
            (data, isDone) = (run.Get("data"), run.Get("done") != 0);
            return !isDone && run.Cycle < 200;
        });
        Assert.True(isDone);
        Assert.Equal(0x56UL ^ 0x5A, data);
    }
}
