using System.Globalization;
using System.Text.RegularExpressions;
using Emu.Compiler;
using Emu.Compiler.Layouts;
using Emu.Compiler.Reports;
using Emu.Compiler.Verilog;
using Emu.Hosting;

namespace Emu.Tool;

/// <summary>
/// A project for a board: the files of its templates with the service's names and widths in them, the service's module,
/// the modules of netfpga/lib, and the register map in three forms.
/// </summary>
internal sealed partial class BoardProject
{
    /// <summary>The first address of the board's own registers; the service's have to be below.</summary>
    public const int OwnRegisters = 0xF80;

    /// <summary>Cycles between two beats without bytes, of a service that does something at ticks.</summary>
    private const int Silence = 64;

    /// <summary>The bytes that a queue of frames has room for, at least: two of the longest.</summary>
    private const int FramesOfQueue = 2;

    private static readonly (string Name, int Address, string Meaning)[] s_own =
    [
        ("board_id", OwnRegisters, "EMUB"),
        ("time_low", OwnRegisters + 4, "nanoseconds of the clock, low word; reading it keeps the high word"),
        ("time_high", OwnRegisters + 8, "high word; writing it sets the clock to both"),
        ("time_step", OwnRegisters + 12, "nanoseconds of a cycle times 2^24; 0 stops the clock"),
        ("frames_stamped", OwnRegisters + 16, "frames that have gone to the service"),
        ("frames_dropped", OwnRegisters + 20, "frames that an output queue had no room for"),
    ];

    private readonly SortedDictionary<string, string> _files = new(StringComparer.Ordinal);

    /// <summary>Makes a project, in memory.</summary>
    /// <param name="board">The board.</param>
    /// <param name="service">The service as it was named.</param>
    /// <param name="arguments">Its arguments.</param>
    /// <param name="compiled">Compiled for the board.</param>
    /// <exception cref="CommandException">The board cannot carry the service.</exception>
    public BoardProject(Board board, string service, IReadOnlyList<string> arguments, CompiledService compiled)
    {
        var registers = compiled.Circuit.Registers;
        if (registers.FirstOrDefault(r => r.Address >= OwnRegisters) is { } over)
            throw CommandException.Failure(
                $"{board.Name} cannot carry {compiled.Service}: its register {over.Name} is at {over.Address:x3}, and "
                + $"from {OwnRegisters:x3} on are the board's; count and show less");
        if (compiled.Circuit.Design.Cores.FirstOrDefault(core => core.Core.Pins.Count > 0) is { } pinned)
            throw CommandException.Failure(
                $"{board.Name} cannot carry {compiled.Service}: {pinned.Core.Name} has the pins "
                + $"{string.Join(", ", pinned.Core.Pins.Select(pin => pin.Name))}, and the board's project leads none "
                + "out; write the circuit by ./emu compile, and join its pins in a top of your own");
        var top = VerilogPrinter.ModuleName(compiled.Circuit.Design);
        List<RegisterEntry> all = [.. registers, .. s_own.Select(o => new RegisterEntry(o.Address, o.Name, o.Meaning))];

        _files[$"hdl/{top}.v"] = compiled.Verilog;
        foreach (var file in Directory.GetFiles(Path.Combine(BoardCatalog.Folder, "lib"), "*.v"))
            _files[$"hdl/{Path.GetFileName(file)}"] = File.ReadAllText(file);
        var values = Values(board, compiled, top);
        AddTemplates(Path.Combine(BoardCatalog.Folder, "common"), values);
        foreach (var folder in board.Folders) AddTemplates(Path.Combine(BoardCatalog.Folder, "boards", folder), values);
        var sources = string.Join(' ', _files.Keys.Where(f => f.StartsWith("hdl/", StringComparison.Ordinal)));
        foreach (var (name, text) in _files.ToList()) _files[name] = text.Replace("@SOURCES@", sources);

        foreach (var (name, text) in RegisterFiles.Of(all)) _files[$"registers/{name}"] = text;
        var size = Resources.Of(compiled.Circuit.Design, Cost.Of(compiled.Circuit));
        var manifest = new BoardManifest(
            service, arguments, top, board.Name, compiled.Options.Ports, board.BusBits, compiled.Options.Mtu,
            board.Shell, board.Commit, board.Vivado, all.ToDictionary(r => r.Name, r => r.Address),
            [.. all.Where(r => r.Entries is not null).Select(r => r.Name)], size.Luts, size.Dsps);
        _files[BoardManifest.FileName] = manifest.ToJson();
        if (board.Queues > 0) AddNetFpgaTest(board, manifest, all);
    }

    /// <summary>The files, by their paths in the project.</summary>
    public IReadOnlyDictionary<string, string> Files => _files;

    /// <summary>
    /// Writes the project: beside its place first, so that it is there whole or not at all. An older project is
    /// replaced.
    /// </summary>
    /// <param name="folder">A folder that is not there, is empty, or holds such a project.</param>
    /// <exception cref="CommandException">The folder holds something else.</exception>
    public void Write(string folder)
    {
        folder = Path.GetFullPath(folder).TrimEnd('/');
        if (Directory.Exists(folder) && Directory.EnumerateFileSystemEntries(folder).Any()
            && !File.Exists(Path.Combine(folder, BoardManifest.FileName)))
            throw CommandException.Usage($"--out: {folder} holds something else; name a new folder");
        var unfinished = $"{folder}.part";
        if (Directory.Exists(unfinished)) Directory.Delete(unfinished, recursive: true);
        foreach (var (name, text) in _files)
        {
            var file = Path.Combine(unfinished, name);
            Directory.CreateDirectory(Path.GetDirectoryName(file)!);
            File.WriteAllText(file, text);
        }
        if (Directory.Exists(folder)) Directory.Delete(folder, recursive: true);
        Directory.Move(unfinished, folder);
    }

    private static Dictionary<string, string> Values(Board board, CompiledService compiled, string top)
    {
        var lanes = board.BusBits / 8;
        var beats = FramesOfQueue * ((FrameLength.Of(compiled.Options.Mtu) + lanes - 1) / lanes);
        var depth = 1;
        while (1 << depth < beats) depth++;
        string Text(IFormattable number) => number.ToString(null, CultureInfo.InvariantCulture);
        var options = compiled.Options;
        var (levels, picoseconds) = LongPath.Longest(compiled.Circuit);
        var promise = levels > options.Levels ? "it is over the clock, and was written with `--over-clock`"
            : picoseconds > options.LogicTime ? "the levels are within, the time of the slowest grade is not"
            : "it is within both";
        return new Dictionary<string, string>
        {
            ["@SERVICE@"] = compiled.Service,
            ["@CORE@"] = top,
            ["@BOARD@"] = board.Name,
            ["@CARD@"] = board.Name[(board.Name.IndexOf('-') + 1)..],
            ["@TITLE@"] = board.Title,
            ["@SHELL@"] = board.Shell,
            ["@COPY@"] = board.Copy ?? "",
            ["@COMMIT@"] = board.Commit ?? "a release that was not read",
            ["@HOST_PORT@"] = Text(board.HostPortOf(options.Ports)),
            ["@HOST@"] = board.HostPortOf(options.Ports) is >= 0 and var host
                ? $"port {host} is the host (the shell's DMA)"
                : "frames of the host are left out, and none goes there",
            ["@QUEUES@"] = Text(board.Queues),
            ["@FAMILIES@"] = board.Families,
            ["@VIVADO@"] = board.Vivado,
            ["@PORTS@"] = Text(compiled.Options.Ports),
            ["@MACS@"] = Text(board.MacsOf(compiled.Options.Ports)),
            ["@INTERFACES@"] = Text(compiled.Options.Ports / 2),
            ["@MTU@"] = Text(compiled.Options.Mtu),
            ["@LONGEST@"] = Text(FrameLength.Of(compiled.Options.Mtu)),
            ["@DATA_BITS@"] = Text(board.BusBits),
            ["@DATA_TOP@"] = Text(board.BusBits - 1),
            ["@KEEP_TOP@"] = Text(lanes - 1),
            ["@LOG2_DEPTH@"] = Text(depth),
            ["@STEP@"] = Text(board.Step),
            ["@SILENCE@"] = Text(compiled.Compilation.TickInterval == 0 ? 0 : Silence),
            ["@DEVICE@"] = options.Device.Title,
            ["@LEVELS@"] = Text(options.Levels),
            ["@LOGIC_PICOSECONDS@"] = Text((long)options.LogicTime),
            ["@PATH_LEVELS@"] = Text(Math.Round(levels, 1)),
            ["@PATH_PICOSECONDS@"] = Text((long)picoseconds),
            ["@PROMISE@"] = promise,
            ["@CLOCK_MHZ@"] = Text(board.ClockMhz),
            ["@PERIOD@"] = (1000.0 / board.ClockMhz).ToString("0.000", CultureInfo.InvariantCulture),
            ["@REGISTER_PERIOD@"] = (1000.0 / board.RegisterClockMhz).ToString("0.000", CultureInfo.InvariantCulture),
            ["@HALF_PERIOD@"] = (500.0 / board.ClockMhz).ToString("0.000", CultureInfo.InvariantCulture),
            ["@AXIL_HALF_PERIOD@"] = (500.0 / board.RegisterClockMhz).ToString("0.000", CultureInfo.InvariantCulture),
        };
    }

    private void AddTemplates(string folder, Dictionary<string, string> values)
    {
        foreach (var file in Directory.GetFiles(folder, "*", SearchOption.AllDirectories))
        {
            var text = File.ReadAllText(file);
            foreach (var (mark, value) in values) text = text.Replace(mark, value);
            _files[Path.GetRelativePath(folder, file)] = Repeated().Replace(text, Repeat);
        }
    }

    /// <summary>Adds a test of NetFPGA: frames, and those that a run of the service makes of them.</summary>
    private void AddNetFpgaTest(Board board, BoardManifest manifest, IReadOnlyList<RegisterEntry> registers)
    {
        var (steps, values) = new BoardStimuli(manifest, []).Run(
            Construction.Of(ServiceCatalog.Find(manifest.Service), manifest.Arguments));
        var macros = RegisterFiles.Macros(registers);
        _files[$"registers/reg_defines_emu_{manifest.Top}.py"] =
            RegisterFiles.Functions(registers, board.RegisterWindow ?? 0);
        _files[NetFpgaTest.Path] = _files[NetFpgaTest.Path]
            .Replace("@FRAMES@", NetFpgaTest.Frames(board.MacsOf(manifest.Ports), steps))
            .Replace("@READS@", NetFpgaTest.Reads(values.Select(value => (macros[value.Key], value.Value))));
    }

    private static string Repeat(Match lines) => string.Concat(
        Enumerable.Range(0, int.Parse(lines.Groups[1].Value, CultureInfo.InvariantCulture))
            .Select(n => lines.Groups[2].Value.Replace("@N@", n.ToString(CultureInfo.InvariantCulture))));

    // Lines that a project has once for each of so many ports, @N@ being the number.
    [GeneratedRegex(@"^@EACH (\d+)\n(.*?)^@END@\n", RegexOptions.Multiline | RegexOptions.Singleline)]
    private static partial Regex Repeated();
}
