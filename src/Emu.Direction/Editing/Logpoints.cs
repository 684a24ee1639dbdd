using Emu.Direction.Directing;
using Emu.Direction.Editing.Messages;

namespace Emu.Direction.Editing;

/// <summary>Prints the texts of logpoints: of stops, and of the values that traces have kept.</summary>
/// <param name="director">Reads the traces.</param>
/// <param name="print">Shows an output.</param>
internal sealed class Logpoints(Director director, Action<OutputBody> print)
{
    /// <summary>Prints a text with the values that names have now.</summary>
    public void Print(SetStop stop, LogMessage log, Func<string, string> value) => Say(stop, log.With(value));

    /// <summary>Prints the values that a trace has kept since it was read, and empties it when it is full.</summary>
    public void Read(SetStop stop)
    {
        var name = stop.Wanted.Name;
        if (director.ReadTrace(name, stop.Printed) is not { } trace) return;
        foreach (var value in trace.Values) Say(stop, stop.Wanted.Log!.With(_ => value));
        if (trace.Missed > stop.Missed) Say(stop, $"{trace.Missed - stop.Missed} values of {name} were not kept");
        (stop.Printed, stop.Missed) = (trace.Kept, trace.Missed);
        if (trace.Kept == Probes.TraceProbe.Depth && director.Run($"trace clear {name}") is { Done: true })
            (stop.Printed, stop.Missed) = (0, 0);
    }

    private void Say(SetStop stop, string text) =>
        print(new OutputBody("stdout", text + "\n", stop.Wanted.Source, stop.Wanted.Line));
}
