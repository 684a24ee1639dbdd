using System.Runtime.Loader;
using BenchmarkDotNet.Attributes;
using Emu.Direction.Weaving;
using Emu.Hosting;
using Emu.Services;
using Emu.Testing;

namespace Emu.Bench;

/// <summary>A switch with direction of which no command is active, beside the same without: one event each.</summary>
public class Directing : IDisposable
{
    private static readonly MacAddress s_one = new(0x0200_0000_0001), s_other = new(0x0200_0000_0002);

    private readonly Sink _sink = new();
    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("emu-bench-");
    private readonly EventSequence _unwoven, _print, _probes, _stops;
    private readonly byte[] _memory = new byte[FrameLength.Header + 4 + FrameLength.DefaultMtu];
    private readonly byte[] _hit = Packet.Ethernet(s_one, s_other).Payload("").PaddedTo(60);

    public Directing()
    {
        _unwoven = Run(new LearningSwitch());
        _print = Run(Woven("print,set"));
        _probes = Run(Woven("count:writes Forwarded,trace:Forwarded"));
        _stops = Run(Woven("break:Process,watch:Forwarded"));
    }

    [Benchmark(Baseline = true, Description = "LearningSwitch, hit, 60 B")]
    public void Unwoven() => Receive(_unwoven, _hit);

    [Benchmark(Description = "woven with print and set")]
    public void Print() => Receive(_print, _hit);

    [Benchmark(Description = "woven with count and trace")]
    public void Probes() => Receive(_probes, _hit);

    [Benchmark(Description = "woven with break and watch")]
    public void Stops() => Receive(_stops, _hit);

    public void Dispose()
    {
        _folder.Delete(recursive: true);
        GC.SuppressFinalize(this);
    }

    private EventSequence Run(Service service)
    {
        var sequence = new EventSequence(service, 2, _sink);
        byte[] learned = Packet.Ethernet(s_other, s_one).Payload("").PaddedTo(60);
        Receive(sequence, learned, new PortId(1));
        return sequence;
    }

    private Service Woven(string features)
    {
        var type = typeof(LearningSwitch);
        var options = new WeaveOptions(DirectionFeatures.Parse(features), Key: 1, new MacAddress(0x0200_0000_00EE));
        var folder = Path.Combine(_folder.FullName, features.Replace(':', '-'));
        var assembly = ServiceWeaver.Weave(type.Assembly.Location, type.FullName!, folder, options);
        var woven = new AssemblyLoadContext(features).LoadFromAssemblyPath(assembly).GetType(type.FullName!)!;
        var constructor = woven.GetConstructors().Single();
        return (Service)constructor.Invoke([.. constructor.GetParameters().Select(p => p.DefaultValue)]);
    }

    private void Receive(EventSequence sequence, byte[] frame, PortId ingress = default)
    {
        frame.CopyTo(_memory, 0);
        sequence.Receive(ingress, _memory, frame.Length, 0);
    }

    private sealed class Sink : IFrameOutput
    {
        public void Send(ReadOnlySpan<byte> bytes, PortSet ports, ulong time)
        {
        }
    }
}
