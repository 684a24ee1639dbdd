namespace Emu.Hosting;

/// <summary>The rates of each port in the last looks at a run, as a little graph of one line.</summary>
internal sealed class RateHistory
{
    /// <summary>Looks that are kept: half a minute at two a second.</summary>
    public const int Length = 60;

    private const string Bars = "▁▂▃▄▅▆▇█";

    private readonly Dictionary<int, Queue<double>> _rates = [];

    /// <summary>Keeps the rates between two looks: frames in and out, a second.</summary>
    public void Add(RunSnapshot before, RunSnapshot now)
    {
        var seconds = now.Time > before.Time ? (now.Time - before.Time) / 1e9 : double.PositiveInfinity;
        for (var i = 0; i < now.Ports.Count; i++)
        {
            var frames = now.Ports[i].FramesIn + now.Ports[i].FramesOut
                - before.Ports[i].FramesIn - before.Ports[i].FramesOut;
            if (!_rates.TryGetValue(i, out var rates)) _rates[i] = rates = new Queue<double>(Length);
            if (rates.Count == Length) rates.Dequeue();
            rates.Enqueue(frames / seconds);
        }
    }

    /// <summary>The newest rates of a port from left to right; the highest that is kept has the highest bar.</summary>
    /// <param name="port">Its number.</param>
    /// <param name="width">The most characters.</param>
    public string Graph(int port, int width)
    {
        if (!_rates.TryGetValue(port, out var rates)) return "";
        var top = rates.Max();
        return string.Concat(rates.TakeLast(width).Select(rate => Bar(rate, top)));
    }

    /// <summary>No frame is no bar, so that one frame can be seen.</summary>
    private static char Bar(double rate, double top) =>
        rate <= 0 ? ' ' : Bars[(int)Math.Min(rate / top * Bars.Length, Bars.Length - 1)];
}
