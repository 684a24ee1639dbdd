namespace Emu.Testing;

/// <summary>
/// Runs a service, or what stands for one, on the host's own sequence of events. As with captures,
/// the run begins with the first frame.
/// </summary>
internal static class HostedRun
{
    public static List<EventOutcome> Run(Service service, int ports, IReadOnlyList<IncomingFrame> frames)
    {
        var run = new ServiceRun(service, ports, start: frames.Count > 0 ? frames[0].Time : 0);
        var kinds = Enum.GetValues<FaultKind>();
        var before = new ulong[kinds.Length];
        var outcomes = new List<EventOutcome>();
        foreach (var frame in frames)
        {
            var sent = run.Receive(frame.Port, frame.Bytes, frame.Time);
            var faults = new List<FaultKind>();
            foreach (var kind in kinds)
            {
                var count = run.Sequence.Faults(kind).Value;
                for (; before[(int)kind] < count; before[(int)kind]++) faults.Add(kind);
            }
            outcomes.Add(new EventOutcome(sent, faults));
        }
        return outcomes;
    }
}
