using Emu.Compiler.Devices;

namespace Emu.Delays;

/// <summary>The delays of cells that fit measured paths best: least squares, by the normal equations.</summary>
internal static class Fit
{
    /// <summary>The clock, in MHz, and the levels of logic that a cycle of it has time for.</summary>
    private const int ReferenceClock = 200, ReferenceLevels = 11;

    /// <summary>The device with the delays that fit; what is assumed of it stays.</summary>
    /// <param name="device">The device before.</param>
    /// <param name="measured">The samples with their picoseconds from the edge on.</param>
    public static Device Of(Device device, IReadOnlyList<(Sample Sample, int Picoseconds)> measured)
    {
        double launch = measured.Single(m => m.Sample.Path == default).Picoseconds;
        var logic = measured.Where(m => m.Sample.Path is { LutRams: 0 } path && path != default).ToList();
        var fitted = Solve(
            [.. logic.Select(m => Features(m.Sample))], [.. logic.Select(m => m.Picoseconds - launch)]);
        return Routed(device with
        {
            Delays = device.Delays with
            {
                ClockToOutput = launch,
                FirstLut = Math.Round(fitted[0]),
                Lut = Math.Round(fitted[1]),
                Carry = Math.Round(fitted[2]),
                CarryCell = Math.Round(fitted[3]),
                Multiplier = Math.Round(fitted[4]),
                MultiplierCascade = Math.Round(fitted[5]),
                LutRam = Math.Round(
                    measured.Where(m => m.Sample.Path.LutRams > 0).Average(m => m.Picoseconds - launch - fitted[0])),
            },
        });
    }

    /// <summary>The picoseconds from the edge on that a device's delays give for a sample, without wiring.</summary>
    public static double Model(Device device, Sample sample)
    {
        var unrouted = device with { Delays = device.Delays with { Routing = 0 } };
        return device.Delays.ClockToOutput + (sample.Path == default ? 0 : device.Delays.FirstLut)
            + sample.Path.PicosecondsOn(unrouted);
    }

    /// <summary>
    /// The wiring is what the logic leaves: by it the levels of the reference clock are those that services were
    /// written for before any delay was measured.
    /// </summary>
    private static Device Routed(Device device) => device with
    {
        Delays = device.Delays with
        {
            Routing = Math.Floor(device.LogicTime(ReferenceClock) / ReferenceLevels) - device.Delays.Lut,
        },
    };

    private static double[] Features(Sample sample)
    {
        var path = sample.Path;
        return
        [
            1, path.Luts, Math.Min(path.CarryCells, 1), Math.Max(path.CarryCells - 1, 0), Math.Min(path.Multipliers, 1),
            Math.Max(path.Multipliers - 1, 0),
        ];
    }

    /// <summary>Gauss elimination of AᵀA x = Aᵀb, whose pivots are not 0 when every cell is in a sample.</summary>
    private static double[] Solve(double[][] rows, double[] right)
    {
        var n = rows[0].Length;
        var a = new double[n, n + 1];
        for (var i = 0; i < n; i++)
        {
            for (var j = 0; j < n; j++) a[i, j] = rows.Sum(row => row[i] * row[j]);
            a[i, n] = rows.Zip(right, (row, b) => row[i] * b).Sum();
        }
        for (var pivot = 0; pivot < n; pivot++)
            for (var i = 0; i < n; i++)
            {
                if (i == pivot) continue;
                var factor = a[i, pivot] / a[pivot, pivot];
                for (var j = pivot; j <= n; j++) a[i, j] -= factor * a[pivot, j];
            }
        return [.. Enumerable.Range(0, n).Select(i => a[i, n] / a[i, i])];
    }
}
