using System.Diagnostics;
using System.Globalization;
using System.Text;
using Emu.Hosting;

namespace Emu.Tool;

/// <summary>A <c>run.py</c> of NetFPGA, executed over the names of the project's own <c>NFTest.py</c>.</summary>
internal sealed class NetFpgaRun
{
    /// <summary>The files of a run, in a folder of the bench's.</summary>
    private const string Files = "files";

    private const int QuietCycles = 12_000;

    private readonly BoardManifest _manifest;
    private readonly string _work;
    private readonly int _macs;
    private readonly List<NetFpgaScript> _ports = [];
    private readonly NetFpgaScript _registers;

    /// <summary>Runs a script.</summary>
    /// <param name="project">The project's folder.</param>
    /// <param name="manifest">Its facts.</param>
    /// <param name="script">The <c>run.py</c>.</param>
    /// <param name="work">The bench's folder, which is there.</param>
    /// <exception cref="CommandException">
    /// The board is none of NetFPGA's, the script fails, or it asks for what the board has not.
    /// </exception>
    public NetFpgaRun(string project, BoardManifest manifest, string script, string work)
    {
        (_manifest, _work) = (manifest, work);
        var board = BoardCatalog.Find(manifest.Board);
        if (board.Queues == 0)
            throw CommandException.Failure($"--run: {board.Name} is no board of NetFPGA, whose tests these are");
        if (!File.Exists(script)) throw CommandException.Usage($"--run: {script} is not there");
        _macs = board.MacsOf(manifest.Ports);
        Execute(Path.GetFullPath(project), Path.GetFullPath(script));
        for (var port = 0; port < _macs; port++) _ports.Add(Script($"nf_interface_{port}_stim"));
        var host = Script("dma_0_stim");
        if (manifest.Ports > _macs) _ports.Add(host);
        else if (host.Parts.Any(part => part.Frames > 0) || HostFrames().Count > 0)
            throw CommandException.Failure($"{script}: the host is no port of {manifest.Service} on {board.Name}");
        _registers = Script("reg_stim");
    }

    /// <summary>The number of frames that it sends.</summary>
    public int Sent => _ports.Sum(port => port.Parts.Sum(part => part.Frames));

    /// <summary>The values that it expects of registers, in the order in which the bench reads them.</summary>
    public IReadOnlyList<RegisterAccess> Reads =>
        [.. Script("reg_expect").Parts.SelectMany(part => part.Reads)];

    /// <summary>The frames that it expects, of each port.</summary>
    public IReadOnlyList<byte[]>[] Expected() =>
    [
        .. Enumerable.Range(0, _manifest.Ports).Select(port =>
            port < _macs ? AxiStimulus.Read(PathOf($"nf_interface_{port}_expected")) : HostFrames()),
    ];

    /// <summary>Writes the stimuli and the schedule of the bench.</summary>
    public void Write()
    {
        for (var port = 0; port < _ports.Count; port++)
            File.WriteAllLines(
                Path.Combine(_work, $"nf_interface_{port}_stim.axi"),
                _ports[port].Parts.SelectMany(part => part.Lines));
        var schedule = new StringBuilder();
        void Step(char letter, long one, long two) =>
            schedule.Append(CultureInfo.InvariantCulture, $"{letter} {one:x} {two:x}\n");
        var (stamped, left) = (0, new int[_ports.Count]);
        for (var i = 0; i < _registers.Parts.Count; i++)
        {
            foreach (var access in _registers.Parts[i].Accesses)
                Step(access.Value is null ? 'R' : 'W', access.Address, access.Value ?? 0);
            for (var port = 0; port < _ports.Count; port++)
            {
                if (i >= _ports[port].Parts.Count) continue;
                var part = _ports[port].Parts[i];
                for (var frame = 0; frame < part.Frames; frame++) Step('P', port, 0);
                stamped += part.Frames;
                left[port] += part.Expected.Sum();
            }
            Step('F', stamped, 0);
            for (var port = 0; port < _ports.Count; port++) Step('E', port, left[port]);
        }
        Step('Q', QuietCycles, 0);
        File.WriteAllText(Path.Combine(_work, "schedule.txt"), schedule.ToString());
    }

    private void Execute(string project, string script)
    {
        var folder = Path.Combine(_work, Files);
        Directory.CreateDirectory(folder);
        var start = new ProcessStartInfo("python3", [script])
        {
            WorkingDirectory = folder,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        start.Environment["PYTHONPATH"] = $"{project}/sim:{project}/registers";
        start.Environment["PYTHONDONTWRITEBYTECODE"] = "1";
        start.Environment["NF_DESIGN_DIR"] = project;
        if (!Prerequisites.IsThere(start.FileName))
            throw CommandException.Failure("--run: python3 is not on the PATH: install it");
        using var process = Process.Start(start)!;
        var error = process.StandardError.ReadToEndAsync();
        process.StandardOutput.ReadToEnd();
        process.WaitForExit();
        if (process.ExitCode == 0) return;
        // Of a traceback the last line says what it was.
        throw CommandException.Failure($"{script}: {error.Result.TrimEnd().Split('\n')[^1]}");
    }

    private IReadOnlyList<byte[]> HostFrames()
    {
        var files = Enumerable.Range(0, _macs).Select(i => PathOf($"dma_{i}_expected"))
            .Where(file => new FileInfo(file) is { Exists: true, Length: > 0 }).ToList();
        if (files.Count > 1)
            throw CommandException.Failure(
                $"{files[1]}: the host has one queue, whose order two files do not say: expect by one interface");
        return files.Count == 0 ? [] : AxiStimulus.Read(files[0]);
    }

    private NetFpgaScript Script(string name)
    {
        var file = PathOf(name);
        return File.Exists(file)
            ? new NetFpgaScript(file)
            : throw CommandException.Failure($"{file} is not there: a run.py calls nftest_init and nftest_finish");
    }

    private string PathOf(string name) => Path.Combine(_work, Files, $"{name}.axi");
}
