using System.Runtime.CompilerServices;
using System.Text.Json;
using Emu.Compiler.Layouts;
using Emu.Hosting;
using Emu.Samples;
using Emu.Services;

namespace Emu.Compiler.Tests;

/// <summary>A circuit of bench/hardware.json: the one place where exact figures of services stand.</summary>
internal sealed class RecordedCircuit
{
    private static readonly Type[] s_services =
    [
        typeof(Dns), typeof(Filter), typeof(IcmpEcho), typeof(LearningSwitch), typeof(LruCache),
        typeof(Memcached), typeof(Nat), typeof(TcpPing),
        .. typeof(Router).Assembly.GetExportedTypes().Where(type => type.IsSubclassOf(typeof(Service))),
    ];

    private readonly JsonElement _circuit;

    private RecordedCircuit(JsonElement circuit) => _circuit = circuit;

    /// <summary>All circuits, in their order there.</summary>
    public static IReadOnlyList<RecordedCircuit> All { get; } = Read();

    /// <summary>The service's class.</summary>
    public string Service => _circuit.GetProperty("service").GetString()!;

    /// <summary>The arguments of its constructor, as on the command line.</summary>
    public string Arguments => _circuit.GetProperty("arguments").GetString()!;

    /// <summary>Bits of the bus.</summary>
    public int BusBits => _circuit.GetProperty("bus_bits").GetInt32();

    /// <summary>The layout.</summary>
    public Layout Layout => Enum.Parse<Layout>(_circuit.GetProperty("layout").GetString()!, ignoreCase: true);

    /// <summary>Cycles from the first beat in to the first beat out of a frame of 60 bytes.</summary>
    public long Latency => _circuit.GetProperty("latency").GetInt64();

    /// <summary>Cycles from frame to frame, by the bytes of the frames.</summary>
    public long Interval(int bytes) => _circuit.GetProperty("interval").GetProperty($"{bytes}").GetInt64();

    /// <summary>The cells that synthesis found, by the names of the file; null where it was not asked.</summary>
    public int? Cells(string kind) =>
        _circuit.TryGetProperty("cells", out var cells) ? cells.GetProperty(kind).GetInt32() : null;

    /// <summary>The service with these arguments.</summary>
    public Service Construct() => new ServiceArguments(s_services.Single(type => type.Name == Service))
        .Construct(Arguments.Split(' ', StringSplitOptions.RemoveEmptyEntries));

    /// <summary>The first circuit of a service in a layout.</summary>
    public static RecordedCircuit Of(string service, Layout layout) =>
        All.First(circuit => circuit.Service == service && circuit.Layout == layout);

    private static List<RecordedCircuit> Read([CallerFilePath] string thisFile = "")
    {
        var file = Path.Combine(Path.GetDirectoryName(thisFile)!, "..", "..", "..", "bench", "hardware.json");
        using var json = JsonDocument.Parse(File.ReadAllText(file));
        return
        [
            .. json.RootElement.GetProperty("circuits").EnumerateArray()
                .Select(circuit => new RecordedCircuit(circuit.Clone())),
        ];
    }
}
