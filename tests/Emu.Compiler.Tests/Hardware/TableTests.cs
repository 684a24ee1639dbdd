using System.Buffers.Binary;
using Emu.Compiler.Layouts;
using Emu.Services;
using Emu.Simulation;
using Emu.Testing;

namespace Emu.Compiler.Tests;

/// <summary>
/// The tables that [Control] shows, through AXI4-Lite: each read is an event between two frames, and changes nothing.
/// </summary>
public sealed class TableTests
{
    private const int TableHold = 1 << 31;

    public static TheoryData<Layout, int, int> Circuits => new()
    {
        { Layout.Pipeline, 64, 16 },
        { Layout.Pipeline, 256, 16 },
        { Layout.Pipeline, 512, 16 },
        { Layout.Engine, 64, 16 },
        { Layout.Engine, 256, 128 }, // block RAM
    };

    [Theory]
    [InlineData(Layout.Pipeline, 16, true)]
    [InlineData(Layout.Pipeline, 256, false)]
    [InlineData(Layout.Engine, 16, true)]
    public void The_stations_of_a_switch_are_those_of_DotNet(Layout layout, int capacity, bool hasStatic)
    {
        var service = Switch();
        var frames = HardwareSubject.Frames(nameof(LearningSwitch), Enumerable.Repeat(60, 100));
        var run = new ServiceRun(service, Subject.Ports);
        foreach (var frame in frames) run.Receive(frame.Port, frame.Bytes, frame.Time);
        var circuit = new Subjected(Switch(), layout, 256);
        HardwareSubject.Drive(circuit.Bench, frames);

        var rows = Enumerable.Range(0, capacity).Select(i =>
        {
            circuit.Write("table_index", (uint)i);
            return (
                Key: circuit.Wide("Stations.ways.Key.Bits"),
                Ports: circuit.Read("Stations.ways.Value.Bits"),
                Expiry: circuit.Wide("Stations.ways.Expiry"),
                IsPermanent: hasStatic ? circuit.Read("Stations.ways.IsPermanent") : 0);
        });
        Assert.Equal(
            service.Stations.Entries(time: 0).Select(
                e => (e.Key.Bits, (uint)e.Value.Bits, e.TimeLeft ?? 0, e.TimeLeft is null ? 1u : 0)).Order(),
            rows.Where(r => r.IsPermanent == 1 || r.Expiry > 0).Order());

        LearningSwitch Switch() => new(
            capacity, 300, hasStatic ? [new StaticEntry(new MacAddress(0xFEDC_BA98_7650), PortSet.Parse("1,3"))] : []);
    }

    [Theory]
    [MemberData(nameof(Circuits))]
    public void A_read_among_frames_in_flight_is_of_one_moment_and_disturbs_none(
        Layout layout, int busBits, int entries)
    {
        // Back to back, and with stalls.
        foreach (var (source, sink) in new[]
        {
            (StallPattern.None, StallPattern.None),
            (StallPattern.Random(1, 0.3), StallPattern.Random(2, 0.3)),
        })
        {
            var random = new Random(busBits);
            var frames = HardwareSubject.Frames(
                nameof(LearningSwitch), Enumerable.Range(0, 3_000).Select(_ => random.Next(14, 120)));
            var run = new ServiceRun(new Ledger(entries), Subject.Ports);
            var expected = frames.SelectMany(f => run.Receive(f.Port, f.Bytes, f.Time)).ToList();
            var circuit = new Subjected(new Ledger(entries), layout, busBits, source, sink);
            foreach (var frame in frames) circuit.Bench.Send(frame.Bytes, new PortId(frame.Port), frame.Time);
            var seen = new HashSet<ulong>();
            while (!circuit.Bench.Source.IsIdle) seen.Add(Look(circuit, random, entries));
            Assert.True(seen.Count > 20, $"{seen.Count} moments were seen");
            circuit.Bench.RunUntilIdle();
            HardwareSubject.AssertEqual(
                expected,
                [.. circuit.Bench.Received.Select(f => new SentFrame(f.Destinations, f.Bytes.ToArray(), f.User.Time))]);
        }
    }

    /// <summary>
    /// Reads an entry and the count: words of one number belong together, and so does all while frames are held.
    /// </summary>
    private static ulong Look(Subjected circuit, Random random, int entries)
    {
        var index = (uint)random.Next(Math.Min(entries, 10)); // where frames go
        circuit.Write("table_index", index);
        var alone = circuit.Wide("Book.rows.Number");
        Assert.Equal((uint)alone, (uint)(alone >> 32));

        circuit.Write("table_index", index | unchecked((uint)TableHold));
        var (count, number, inverse) =
            (circuit.Wide("count"), circuit.Wide("Book.rows.Number"), circuit.Wide("Book.rows.Inverse"));
        Assert.True(number == 0 && inverse == 0 || number == ~inverse, $"entry {index} is {number:x}, {inverse:x}");
        Assert.Equal((uint)count, (uint)(count >> 32));
        Assert.InRange((uint)number, (uint)alone, (uint)count);
        // Nothing moves on.
        circuit.Bench.Run(random.Next(200));
        Assert.Equal(count, circuit.Wide("count"));
        circuit.Write("table_index", index);
        circuit.Bench.Run(random.Next(30));
        return count;
    }

    [Theory]
    [InlineData(Layout.Pipeline)]
    [InlineData(Layout.Engine)]
    public void A_reset_ends_a_hold(Layout layout)
    {
        const int ResetRegister = 0x08;
        var circuit = new Subjected(new Ledger(16), layout, 256);
        circuit.Write("table_index", unchecked((uint)TableHold));
        var frames = HardwareSubject.Frames(nameof(LearningSwitch), Enumerable.Repeat(60, 5));
        foreach (var frame in frames) circuit.Bench.Send(frame.Bytes, new PortId(frame.Port), frame.Time);
        circuit.Bench.Run(2_000);
        Assert.Empty(circuit.Bench.Received);
        circuit.Bench.Registers.Write(ResetRegister, 1);
        circuit.Bench.RunUntilIdle();
        Assert.Equal(frames.Count, circuit.Bench.Received.Count);
    }

    [Fact]
    public void State_is_not_seen_in_the_middle_of_an_event()
    {
        var circuit = new Subjected(new Flickering(), Layout.Engine, 256, sink: StallPattern.Random(4, 0.5));
        for (var i = 0; i < 200; i++) circuit.Bench.Send(new byte[60], new PortId(0), (ulong)i);
        var isOver = 0;
        while (!circuit.Bench.Source.IsIdle)
        {
            Assert.Equal(0u, circuit.Read("isBusy"));
            isOver++;
        }
        Assert.True(isOver > 20);
    }

    [Fact]
    public void Numbers_of_128_bits_have_four_words()
    {
        var circuit = new Subjected(new Wide(), Layout.Engine, 256);
        var frame = Enumerable.Range(0, 60).Select(i => (byte)i).ToArray();
        circuit.Bench.Send(frame, new PortId(0), 0);
        circuit.Bench.RunUntilIdle();
        circuit.Write("table_index", 2);
        var expected = BinaryPrimitives.ReadUInt128BigEndian(frame);
        foreach (var name in new[] { "last", "All.words" })
        {
            var words = Enumerable.Range(0, 4).Select(i => circuit.Read(i == 0 ? name : $"{name}.word{i}")).ToList();
            Assert.Equal(expected, words.Select((word, i) => (UInt128)word << 32 * i).Aggregate((a, b) => a | b));
        }
        Assert.Equal(4, circuit.Entries("All.words"));
        Assert.Null(circuit.Entries("last"));
    }

    /// <summary>A circuit on a bench, its registers by name.</summary>
    private sealed class Subjected
    {
        private readonly Dictionary<string, RegisterEntry> _registers;

        public Subjected(
            Service service, Layout layout, int busBits, StallPattern? source = null, StallPattern? sink = null)
        {
            var compiled = HardwareCompiler.Compile(service, new HardwareOptions { BusBits = busBits }, layout);
            _registers = compiled.Circuit.Registers.ToDictionary(r => r.Name);
            Bench = new Bench(new ManagedSimulator(compiled.Circuit.Design), source, sink) { QuietCycles = 2_000 };
        }

        public Bench Bench { get; }

        public int? Entries(string name) => _registers[name].Entries;

        public uint Read(string name) => Bench.Registers.Read(_registers[name].Address).Data;

        public ulong Wide(string name) => Read(name) | (ulong)Read($"{name}.high") << 32;

        public void Write(string name, uint data) => Bench.Registers.Write(_registers[name].Address, data);
    }

    /// <summary>A block of its own: the numbers that frames got, each with its inverse.</summary>
    private sealed class Book(int entries) : IControlTable
    {
        private struct Row
        {
            public ulong Number;
            public ulong Inverse;
        }

        private readonly Row[] _rows = new Row[entries];

        public IReadOnlyList<string> Columns => ["number", "inverse"];

        public IEnumerable<IReadOnlyList<string>> Rows(ulong nanoseconds) =>
            _rows.Select(row => new[] { $"{row.Number}", $"{row.Inverse}" });

        public ulong NumberAt(int at) => _rows[at].Number;

        public void Enter(int at, ulong number)
        {
            _rows[at].Number = number;
            _rows[at].Inverse = ~number;
        }
    }

    /// <summary>
    /// Counts frames in both halves of a number, and enters the count under a byte of the frame,
    /// which what was there decides about.
    /// </summary>
    private sealed class Ledger(int entries) : Service
    {
        private ulong _count;

        [Control]
        public Book Book { get; } = new(entries);

        public override void Process(ref Frame frame)
        {
            _count += 0x1_0000_0001;
            if ((Book.NumberAt(frame.Bytes[5] & entries - 1) & 1) == 0) frame.Flood();
            else frame.Reply();
            Book.Enter(frame.Bytes[5] & entries - 1, _count);
        }
    }

    private sealed class Flickering : Service
    {
        private bool _isBusy;

        public override void Process(ref Frame frame)
        {
            if (_isBusy) return;
            _isBusy = true;
            frame.Send(frame.Ports);
            for (var i = 0; i < frame.Length; i++) frame.Bytes[i]++;
            _isBusy = false;
        }
    }

    private sealed class Wide : Service
    {
        private UInt128 _last;

        [Control]
        public Words All { get; } = new();

        public override void Process(ref Frame frame)
        {
            _last = BinaryPrimitives.ReadUInt128BigEndian(frame.Bytes);
            All.Set(2, _last);
        }
    }

    private sealed class Words : IControlTable
    {
        private readonly UInt128[] _words = new UInt128[4];

        public IReadOnlyList<string> Columns => ["word"];

        public IEnumerable<IReadOnlyList<string>> Rows(ulong nanoseconds) => _words.Select(word => new[] { $"{word}" });

        public void Set(int at, UInt128 word) => _words[at] = word;
    }
}
