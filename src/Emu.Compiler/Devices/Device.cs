using System.Text.Json;

namespace Emu.Compiler.Devices;

/// <summary>A family of devices, as its data file describes it.</summary>
public sealed record Device
{
    private static readonly JsonSerializerOptions s_json = new()
    {
        PropertyNamingPolicy = JsonNamingPolicy.SnakeCaseLower,
        UnmappedMemberHandling = System.Text.Json.Serialization.JsonUnmappedMemberHandling.Disallow,
    };

    private const string Extension = ".device.json";

    private static readonly Dictionary<string, Device> s_known = [];

    /// <summary>The families that there are data files of.</summary>
    public static IReadOnlyList<string> Names { get; } =
    [
        .. typeof(Device).Assembly.GetManifestResourceNames()
            .Where(name => name.EndsWith(Extension, StringComparison.Ordinal))
            .Select(name => name[..^Extension.Length]).Order(StringComparer.Ordinal),
    ];

    /// <summary>The family of the boards: Xilinx 7 series.</summary>
    public static Device Default => Of("7series");

    /// <summary>The name on the command line.</summary>
    public required string Name { get; init; }

    /// <summary>The name to people.</summary>
    public required string Title { get; init; }

    /// <summary>The inputs of a LUT.</summary>
    public required int LutInputs { get; init; }

    /// <summary>The bits of a carry cell.</summary>
    public required int CarryBits { get; init; }

    /// <summary>The words of a RAM in a LUT.</summary>
    public required int LutRamWords { get; init; }

    /// <summary>The delays of the cells.</summary>
    public required DeviceDelays Delays { get; init; }

    /// <summary>A level of logic: a LUT with the wiring to the next.</summary>
    public double Level => Delays.Lut + Delays.Routing;

    /// <summary>The picoseconds of a clock's period that no logic can have.</summary>
    public double Overhead => Delays.ClockToOutput + Delays.Setup + Delays.ClockUncertainty;

    /// <summary>The picoseconds that a cycle has time for between two flops.</summary>
    /// <param name="clockMHz">The clock in MHz.</param>
    public double LogicTime(double clockMHz) => Math.Max(0, PicosecondsOfMHz / clockMHz - Overhead);

    /// <summary>The levels of logic that a cycle has time for; at least 1.</summary>
    /// <param name="clockMHz">The clock in MHz.</param>
    public int LevelsIn(double clockMHz) => Math.Max(1, (int)(LogicTime(clockMHz) / Level));

    /// <summary>The fastest clock, in MHz, that has time for a path.</summary>
    /// <param name="picoseconds">The path's time between its flops.</param>
    public int ClockFor(double picoseconds) => (int)(PicosecondsOfMHz / (picoseconds + Overhead));

    private const double PicosecondsOfMHz = 1e6;

    /// <summary>A family by its name.</summary>
    /// <exception cref="ArgumentException">There is no data file of that name.</exception>
    public static Device Of(string name)
    {
        lock (s_known)
        {
            if (!s_known.TryGetValue(name, out var device)) s_known[name] = device = Read(name);
            return device;
        }
    }

    private static Device Read(string name)
    {
        using var file = typeof(Device).Assembly.GetManifestResourceStream(name + Extension)
            ?? throw new ArgumentException($"there is no device '{name}'", nameof(name));
        using var document = JsonDocument.Parse(file);
        if (!document.RootElement.TryGetProperty("base", out _))
            return document.RootElement.Deserialize<Device>(s_json)!;
        var scaled = document.RootElement.Deserialize<ScaledDevice>(s_json)!;
        var known = Of(scaled.Base);
        return known with
        {
            Name = scaled.Name,
            Title = scaled.Title,
            Delays = known.Delays.Scaled(scaled.Factor),
        };
    }
}
