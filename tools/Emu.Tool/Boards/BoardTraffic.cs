using System.Globalization;
using System.Text;
using Emu.Simulation;
using Emu.Testing;

namespace Emu.Tool;

/// <summary>
/// Frames that all MACs of a board bring at once, at their lines' pace: of the first kind that the service answers or
/// forwards, those of each port from a station of its own. A frame for nobody is for the station of the port beside.
/// </summary>
internal sealed class BoardTraffic
{
    private const int Shortest = 60;
    private const int MostShort = 512;
    private const int MostLong = 48;
    private const long Start = 1_700_000_000_000_000_000;

    private readonly BoardManifest _manifest;
    private readonly Board _board;
    private readonly int _macs;
    private readonly FrameKind _kind;

    /// <summary>Looks for the kind of frames.</summary>
    /// <param name="manifest">The project.</param>
    public BoardTraffic(BoardManifest manifest)
    {
        _manifest = manifest;
        _board = BoardCatalog.Find(manifest.Board);
        _macs = _board.MacsOf(manifest.Ports);
        List<FrameKind> kinds =
            [.. MeasuringFrames.For(manifest.Arguments, null).Frames.Select(f => new FrameKind(f.Kind, f.Bytes))];
        _kind = kinds.FirstOrDefault(Leaves) ?? kinds[0];
    }

    // Without a tag.
    private int Longest => FrameLength.Header + _manifest.Mtu;

    private int[] Lengths => [Math.Max(Shortest, _kind.Bytes), Longest];

    /// <summary>Writes the stimuli and the schedule of a bench.</summary>
    /// <param name="folder">The bench's.</param>
    public void Write(string folder)
    {
        var first = Math.Max(2, _macs);
        for (var port = 0; port < _manifest.Ports; port++)
        {
            var text = new StringBuilder();
            if (port < first) Append(text, port, Lengths[0], 1);
            if (port < _macs)
            {
                Append(text, port, Lengths[0], 1 + MostShort);
                Append(text, port, Lengths[1], 1 + MostLong);
            }
            File.WriteAllText(Path.Combine(folder, $"nf_interface_{port}_stim.axi"), text.ToString());
        }
        var schedule = new StringBuilder();
        void Step(char letter, long one, long two) =>
            schedule.Append(CultureInfo.InvariantCulture, $"{letter} {one:x} {two:x}\n");
        Step('W', _manifest.Registers["time_low"], Start & uint.MaxValue);
        Step('W', _manifest.Registers["time_high"], Start >> 32);
        // Each station is heard once, alone, before any is sent to.
        for (var port = 0; port < first; port++)
        {
            Step('P', port, 0);
            Step('F', port + 1, 0);
        }
        // Cycles of a byte on the line, in 2^-24.
        var pace = (long)Math.Round(8.0 * _board.ClockMhz / (_board.LineGbps * 1000) * (1 << 24));
        foreach (var frames in new[] { 1, MostShort, 1, MostLong }) Step('G', frames, pace);
        File.WriteAllText(Path.Combine(folder, "schedule.txt"), schedule.ToString());
    }

    /// <summary>The rates, of the shortest and of the longest frames.</summary>
    /// <param name="rates">As the bench has said them.</param>
    public IReadOnlyList<BoardRate> Rates(IReadOnlyList<BenchRate> rates) =>
        [.. Lengths.Select((length, i) =>
            BoardRate.Of(_board, _macs, _kind.Name, length, rates[2 * i], rates[2 * i + 1]))];

    private void Append(StringBuilder text, int port, int length, int times)
    {
        var frame = AxiStimulus.Write(Frame(_kind, port, length), port, _manifest.BusBits);
        for (var i = 0; i < times; i++) text.Append(frame);
    }

    private bool Leaves(FrameKind kind)
    {
        var service = Construction.Of(ServiceCatalog.Find(_manifest.Service), _manifest.Arguments);
        var run = new ServiceRun(service, _manifest.Ports, _manifest.Mtu, Start);
        var length = Math.Max(Shortest, kind.Bytes);
        for (var port = 0; port < Math.Max(2, _macs); port++) run.Receive(port, Frame(kind, port, length), Start);
        return Enumerable.Range(0, _macs).Any(port => run.Receive(port, Frame(kind, port, length), Start).Count > 0);
    }

    private static byte[] Frame(FrameKind kind, int port, int length)
    {
        var frame = kind.OfLength(length);
        var isForNobody = frame.AsSpan(0, Station(0).Length).SequenceEqual(MeasuringFrames.NobodysAddress);
        if (isForNobody) Station(port ^ 1).CopyTo(frame, 0);
        Station(port).CopyTo(frame, Station(0).Length);
        return frame;
    }

    private static byte[] Station(int port) => [0x02, 0, 0, 0, 1, (byte)port];
}
