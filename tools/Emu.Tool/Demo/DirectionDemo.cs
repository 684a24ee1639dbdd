using Emu.Compiler;
using Emu.Compiler.Layouts;
using Emu.Direction.Directing;
using Emu.Direction.Weaving;
using Emu.Hosting;
using Emu.Services;
using Emu.Simulation;
using Emu.Testing;
using Spectre.Console;

namespace Emu.Tool;

/// <summary>
/// <c>emu demo direct</c>: a switch on .NET and the same as simulated hardware are stopped by one session, while frames
/// come.
/// </summary>
internal sealed class DirectionDemo : IDisposable
{
    private const int Ports = 4, DirectorPort = 0, Small = 64, Large = 200, FileWidth = 120;
    private const string Features = "print,set,trace:Forwarded,break:Forwarded.Increment+frame.Length";
    private static readonly MacAddress s_service = new(0x0200_0000_00EE), s_director = new(0x0200_0000_D1EC);
    private static readonly UInt128 s_key = new(0x0011_2233_4455_6677, 0x8899_AABB_CCDD_EEFF);

    /// <summary>Commands, and between them the frames that come at ports: from a station to another, so long.</summary>
    private static readonly IReadOnlyList<object> s_session =
    [
        "trace start Forwarded", "break Forwarded.Increment if frame.Length > 100",
        new Arrival(1, 2, Small), new Arrival(2, 1, Small), new Arrival(2, 1, Large),
        "status", "print Process.ports", "print Forwarded",
        new Arrival(1, 2, Small),
        "set Process.ports = {3}", "continue", "print Forwarded", "trace print Forwarded",
        "unbreak Forwarded.Increment",
    ];

    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("emu-demo-");

    private DirectionDemo()
    {
    }

    /// <summary>Runs it.</summary>
    /// <returns>The exit code: 0 if both transcripts are the same.</returns>
    public static int Run()
    {
        using var demo = new DirectionDemo();
        demo.WriteFrames();
        var options = new WeaveOptions(DirectionFeatures.Parse(Features), s_key, s_service);
        var woven = WovenService.Load(typeof(LearningSwitch), options);
        demo.RunOnDotNet(Construction.Call(woven, []));
        var onDotNet = demo.Transcript();
        demo.RunInHardware(Construction.Call(woven, []));
        var inHardware = demo.Transcript();

        var table = new Table().AddColumn("LearningSwitch on .NET").AddColumn("as simulated hardware");
        foreach (var (left, right) in onDotNet.Zip(inHardware)) table.AddRow(new Text(left), new Text(right));
        if (Console.IsOutputRedirected) AnsiConsole.Profile.Width = FileWidth;
        AnsiConsole.Write(table);
        var isSame = onDotNet.SequenceEqual(inHardware);
        Console.WriteLine($"The transcripts are {(isSame ? "the same, byte for byte" : "NOT the same")}.");
        Console.WriteLine("Between the commands stations sent frames; the frame of 200 bytes stopped the switch.");
        Console.WriteLine("docs/direction.md says how to direct a service on an interface, or one of your own.");
        return isSame ? 0 : 1;
    }

    /// <inheritdoc/>
    public void Dispose() => _folder.Delete(recursive: true);

    private static DirectorSession NewSession() => new(s_key, s_service, s_director, 1);

    /// <summary>
    /// Writes the frames that come at each port: at the first the requests, at the others those of stations.
    /// </summary>
    private void WriteFrames()
    {
        var writers = Enumerable.Range(0, Ports).Select(i => CaptureWriter.Create(In(i))).ToList();
        var interfaces = writers.Select((writer, i) => writer.AddInterface($"port{i}")).ToList();
        var requests = new RequestCapture(writers[DirectorPort], interfaces[DirectorPort], s_key);
        var director = new Director(NewSession(), requests);
        director.Begin(1);
        foreach (var step in s_session)
        {
            if (step is string command) director.Run(command);
            else if (step is Arrival arrival)
                writers[arrival.From].Write(interfaces[arrival.From], arrival.Bytes, requests.NextTime());
        }
        foreach (var writer in writers) writer.Dispose();
    }

    private void RunOnDotNet(Service service)
    {
        var ports = OpenPorts();
        using (var runner = new ServiceRunner(service, ports)) runner.Run(CancellationToken.None);
        foreach (var port in ports) port.Dispose();
    }

    private void RunInHardware(Service service)
    {
        using var device = new RunningDevice(
            HardwareCompiler.Compile(service, new HardwareOptions { Ports = Ports }), OpenPorts());
        device.Wait();
    }

    private List<string> Transcript()
    {
        var director = new Director(NewSession(), new ReplyCapture(Out(DirectorPort)));
        if (director.Begin(1) is { } why) throw CommandException.Failure($"demo: {why}");
        return
        [
            .. s_session.OfType<string>().SelectMany(command => director.Run(command)!.Lines.Prepend($"> {command}")),
        ];
    }

    private List<Port> OpenPorts() =>
        [.. Enumerable.Range(0, Ports).Select(i => PortSpecification.Open($"pcap:{In(i)},{Out(i)}"))];

    private string In(int port) => Path.Combine(_folder.FullName, $"port{port}.pcap");

    private string Out(int port) => Path.Combine(_folder.FullName, $"port{port}-out.pcap");

    /// <summary>A frame of a station, which is at the port of its number.</summary>
    private sealed record Arrival(int From, int To, int Length)
    {
        public byte[] Bytes => Packet.Ethernet(Station(From), Station(To)).Payload("hello").PaddedTo(Length);

        private static MacAddress Station(int number) => new(0x0200_0000_0000UL | (uint)number);
    }
}
