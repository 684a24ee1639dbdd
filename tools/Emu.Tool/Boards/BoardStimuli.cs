using System.Globalization;
using System.Text;
using Emu.Hosting;
using Emu.Testing;

namespace Emu.Tool;

/// <summary>
/// The frames that a project's simulation is given, and what a run of the service makes of them: what has to leave by
/// each port, and the counters.
/// </summary>
internal sealed class BoardStimuli
{
    /// <summary>The time of the first frame where no capture has one: November 2023.</summary>
    private const ulong Start = 1_700_000_000_000_000_000;

    private const ulong Microsecond = 1_000;
    private const int QuietCycles = 12_000;

    private static readonly int[] s_lengths = [60, 61, 64, 65, 127, 590, 1514];

    private readonly BoardManifest _manifest;
    private readonly List<(int Port, byte[] Bytes, ulong Time)> _frames = [];

    /// <summary>Takes frames.</summary>
    /// <param name="manifest">The project.</param>
    /// <param name="captures">
    /// A capture for each port, in their order; without any, frames that the service may answer.
    /// </param>
    /// <exception cref="CommandException">A capture cannot be read, or there are more than ports.</exception>
    public BoardStimuli(BoardManifest manifest, IReadOnlyList<string> captures)
    {
        _manifest = manifest;
        if (captures.Count > manifest.Ports)
            throw CommandException.Usage($"--in: there are {manifest.Ports} ports, not {captures.Count}");
        if (captures.Count > 0) AddCaptures(captures);
        else AddOwn();
    }

    /// <summary>The number of frames.</summary>
    public int Count => _frames.Count;

    /// <summary>The steps of a run with these frames, and the values of registers after it.</summary>
    /// <param name="service">Used by this run alone.</param>
    public (IReadOnlyList<BoardStep> Steps, IReadOnlyDictionary<string, uint> Registers) Run(Service service)
    {
        var run = new ServiceRun(service, _manifest.Ports, _manifest.Mtu, _frames[0].Time);
        var steps = new List<BoardStep>();
        foreach (var (port, bytes, time) in _frames)
        {
            var sent = run.Receive(port, bytes, time);
            steps.Add(new BoardStep(port, bytes, time,
            [
                .. sent.SelectMany(frame => Enumerable.Range(0, _manifest.Ports)
                    .Where(i => frame.Ports.Contains(new PortId(i))).Select(i => (i, frame.Bytes))),
            ]));
        }
        var registers = new Dictionary<string, uint>
        {
            ["frames_in"] = (uint)run.Sequence.FramesIn.Value,
            ["frames_out"] = (uint)run.Sequence.FramesOut.Value,
            ["drops"] = (uint)run.Sequence.Drops.Value,
            ["frames_stamped"] = (uint)_frames.Count,
            ["frames_dropped"] = 0,
        };
        foreach (var (name, counter) in RunSnapshot.CountersOf(service))
            if (_manifest.Registers.ContainsKey(name)) registers[name] = (uint)counter.Value;
        return (steps, registers);
    }

    /// <summary>Writes the stimuli and the schedule of a bench.</summary>
    /// <param name="folder">The bench's.</param>
    /// <param name="accesses">The accesses to registers at the end.</param>
    public void Write(string folder, IEnumerable<RegisterAccess> accesses)
    {
        for (var port = 0; port < _manifest.Ports; port++)
        {
            var text = new StringBuilder();
            foreach (var frame in _frames.Where(f => f.Port == port))
                text.Append(AxiStimulus.Write(frame.Bytes, port, _manifest.BusBits));
            File.WriteAllText(Path.Combine(folder, $"nf_interface_{port}_stim.axi"), text.ToString());
        }
        // The board's clock stands still, and is set before each frame: so each has the time that it has in a run.
        var schedule = new StringBuilder();
        Step(schedule, 'W', Address("time_step"), 0);
        for (var i = 0; i < _frames.Count; i++)
        {
            Step(schedule, 'W', Address("time_low"), (uint)_frames[i].Time);
            Step(schedule, 'W', Address("time_high"), (uint)(_frames[i].Time >> 32));
            Step(schedule, 'P', _frames[i].Port, 0);
            Step(schedule, 'F', i + 1, 0);
        }
        Step(schedule, 'Q', QuietCycles, 0);
        foreach (var access in accesses)
            Step(schedule, access.Value is null ? 'R' : 'W', access.Address, access.Value ?? 0);
        File.WriteAllText(Path.Combine(folder, "schedule.txt"), schedule.ToString());
    }

    private static void Step(StringBuilder schedule, char letter, long one, long two) =>
        schedule.Append(CultureInfo.InvariantCulture, $"{letter} {one:x} {two:x}\n");

    private int Address(string register) => _manifest.Registers[register];

    private void AddCaptures(IReadOnlyList<string> captures)
    {
        var ports = new List<Port>();
        try
        {
            foreach (var capture in captures)
                ports.Add(PortSpecification.Open(PortSpecification.OfCapture(capture, null), _manifest.Mtu));
            var now = 0UL;
            for (var frames = new MergedCaptures(ports); !frames.HasEnded; frames.MoveNext())
            {
                now = Math.Max(now, frames.Frame.Time);
                if (frames.Frame.Length is > 0 and <= ushort.MaxValue)
                    _frames.Add((frames.Port, frames.Frame.Bytes.ToArray(), now));
            }
        }
        finally
        {
            foreach (var port in ports) port.Dispose();
        }
        if (_frames.Count == 0) throw CommandException.Failure($"{captures[0]}: it holds no frame");
    }

    /// <summary>Each kind of frame at each port, and lengths about the bounds of beats.</summary>
    private void AddOwn()
    {
        var kinds = MeasuringFrames.For(_manifest.Arguments, null).Frames.Select(f => f.Bytes.ToArray()).ToList();
        var time = Start;
        void Add(int port, byte[] frame) => _frames.Add((port, frame, time += Microsecond));
        foreach (var (kind, i) in kinds.Select((kind, i) => (kind, i)))
        {
            for (var port = 0; port < _manifest.Ports; port++) Add(port, kind);
            var length = s_lengths[i % s_lengths.Length];
            if (length > kind.Length) Add(i % _manifest.Ports, [.. kind, .. new byte[length - kind.Length]]);
            // Back to where it came from: a switch has learnt that.
            Add((i + 1) % _manifest.Ports, [.. kind[6..12], .. kind[..6], .. kind[12..]]);
        }
        time += 1_500_000 * Microsecond;
        foreach (var length in s_lengths)
            Add(0, [.. kinds[0][..14], .. Enumerable.Range(0, length - 14).Select(b => (byte)b)]);
    }
}
