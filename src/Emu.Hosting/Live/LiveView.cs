using Spectre.Console;
using Spectre.Console.Rendering;

namespace Emu.Hosting;

/// <summary>Shows a run as it happens: ports and rates, counters, latency, what the service learned.</summary>
public static class LiveView
{
    private const int MaxRows = 16;
    private const int GraphWidth = 24;
    private const double BytesPerMegabit = 125_000;

    private static readonly TimeSpan s_period = TimeSpan.FromSeconds(0.5);

    /// <summary>Runs a service and shows it; without a terminal, as a line every second.</summary>
    /// <param name="title">The title of the run.</param>
    /// <param name="runner">
    /// The run, on a thread of its own until it ends or <paramref name="stop"/> is asked for.
    /// </param>
    /// <param name="look">Looks at the run; called between two events.</param>
    /// <param name="stop">Ends the run.</param>
    public static void RunWith(string title, ServiceRunner runner, Func<RunSnapshot> look, CancellationToken stop)
    {
        ArgumentNullException.ThrowIfNull(runner);
        var run = Task.Factory.StartNew(
            () => runner.Run(stop), CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default);
        if (Console.IsOutputRedirected) ShowLines(title, run, () => runner.Between(look));
        else ShowPanel(title, run, () => runner.Between(look));
        run.GetAwaiter().GetResult();
    }

    private static void ShowPanel(string title, Task run, Func<RunSnapshot> look)
    {
        var before = look();
        var history = new RateHistory();
        AnsiConsole.Live(Render(title, before, null)).Start(context =>
        {
            bool hasEnded;
            do
            {
                // What is shown last is what the run has left, however short it was.
                hasEnded = HasEnded(run, s_period);
                var now = look();
                history.Add(before, now);
                context.UpdateTarget(Render(title, now, before, history));
                before = now;
            }
            while (!hasEnded);
        });
    }

    private static void ShowLines(string title, Task run, Func<RunSnapshot> look)
    {
        bool hasEnded;
        do
        {
            hasEnded = HasEnded(run, TimeSpan.FromSeconds(1));
            var now = look();
            Console.WriteLine(
                $"{title}: {now.FramesIn} in, {now.FramesOut} out, {now.Drops} dropped, "
                + $"{string.Join(", ", now.Counters.Select(c => $"{c.Key} {c.Value}"))}");
        }
        while (!hasEnded);
    }

    /// <summary>Waits for the end of a run; a fault in it is told later.</summary>
    private static bool HasEnded(Task run, TimeSpan most) => Task.WaitAny([run], most) >= 0;

    /// <summary>The picture of one moment.</summary>
    /// <param name="title">The title of the run.</param>
    /// <param name="now">The moment.</param>
    /// <param name="before">An earlier one, for rates; null for none.</param>
    public static IRenderable Render(string title, RunSnapshot now, RunSnapshot? before) =>
        Render(title, now, before, null);

    /// <summary>The picture of one moment.</summary>
    /// <param name="title">The title of the run.</param>
    /// <param name="now">The moment.</param>
    /// <param name="before">An earlier one, for rates; null for none.</param>
    /// <param name="history">The rates until now, for graphs; null for none.</param>
    internal static IRenderable Render(string title, RunSnapshot now, RunSnapshot? before, RateHistory? history)
    {
        ArgumentNullException.ThrowIfNull(now);
        var rows = new List<IRenderable> { Ports(now, before, history), Counters(now) };
        if (now.LatencyNanoseconds.Count > 0) rows.Add(Latency(now));
        rows.AddRange(now.Tables.Select(t => Table(t.Key, t.Value)));
        return new Panel(new Rows(rows)).Header(Markup.Escape($" {title} ")).BorderColor(Color.Grey).Expand();
    }

    private static Table Ports(RunSnapshot now, RunSnapshot? before, RateHistory? history)
    {
        string[] columns = ["port", "in", "out", "in/s", "out/s", "Mbit/s", "lost"];
        var table = Plain(columns);
        if (history is not null) table.AddColumn(new TableColumn("[dim]frames/s[/]").Width(GraphWidth));
        table.Columns[0].NoWrap();
        for (var i = 1; i < columns.Length; i++) table.Columns[i].RightAligned();
        for (var i = 0; i < now.Ports.Count; i++)
        {
            var port = now.Ports[i];
            var earlier = before?.Ports[i] ?? port;
            var seconds = before is null || now.Time <= before.Time
                ? double.PositiveInfinity
                : (now.Time - before.Time) / 1e9;
            string Rate(ulong value, ulong old, double unit = 1) => ((value - old) / seconds / unit).ToString("N0");
            string[] row =
            [
                Markup.Escape($"{i} {port.Name}"),
                port.FramesIn.ToString("N0"),
                port.FramesOut.ToString("N0"),
                Rate(port.FramesIn, earlier.FramesIn),
                Rate(port.FramesOut, earlier.FramesOut),
                Rate(port.BytesIn + port.BytesOut, earlier.BytesIn + earlier.BytesOut, BytesPerMegabit),
                (port.ReceiveDrops + port.SendDrops).ToString("N0"),
            ];
            table.AddRow(history is null ? row : [.. row, history.Graph(i, GraphWidth)]);
        }
        return table;
    }

    private static Columns Counters(RunSnapshot now)
    {
        var all = new[] { ("in", now.FramesIn), ("out", now.FramesOut), ("dropped", now.Drops) }
            .Concat(now.Counters.Select(c => (c.Key, c.Value)))
            .Concat(now.Faults.Select(f => ($"fault: {f.Key}", f.Value)));
        return new Columns(all.Select(c => new Markup($"{Markup.Escape(c.Item1)} [bold]{c.Item2:N0}[/]"))).Collapse();
    }

    private static Markup Latency(RunSnapshot now) =>
        new("latency "
            + string.Join("  ", now.LatencyNanoseconds.Select(p => $"{p.Key} [bold]{p.Value / 1000.0:N1}[/] µs")));

    private static Table Table(string name, TableSnapshot content)
    {
        var table = Plain([.. content.Columns]).Title(Markup.Escape($"{name} ({content.Rows.Count})"));
        foreach (var row in content.Rows.Take(MaxRows)) table.AddRow([.. row.Select(Markup.Escape)]);
        if (content.Rows.Count > MaxRows) table.AddRow(Markup.Escape($"and {content.Rows.Count - MaxRows} more"));
        return table;
    }

    private static Table Plain(params string[] columns) =>
        new Table().Border(TableBorder.Simple).AddColumns([.. columns.Select(c => $"[dim]{Markup.Escape(c)}[/]")]);
}
