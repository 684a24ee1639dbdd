using BenchmarkDotNet.Attributes;
using Emu.Hosting;
using Emu.Services;
using Emu.Testing;

namespace Emu.Bench;

/// <summary>Services on frames in the cache, without ports: one event each.</summary>
public class Processing
{
    private static readonly IPv4Address s_peer = new(0x0A00_0001);
    private static readonly IPv4Address s_host = new(0x0A00_0002);
    private static readonly MacAddress s_peerMac = new(0x0200_0000_0001);
    private static readonly MacAddress s_hostMac = new(0x0200_0000_0002);

    private readonly Sink _sink = new();
    private readonly LearningSwitch _switch = new();
    private readonly EventSequence _reflector;
    private readonly EventSequence _learningSwitch;
    private readonly EventSequence _echo;
    private readonly byte[] _memory = new byte[FrameLength.Header + 4 + FrameLength.DefaultMtu];
    private readonly byte[] _hit = Packet.Ethernet(s_peerMac, s_hostMac).Payload("").PaddedTo(60);
    private readonly byte[] _miss = Packet.Ethernet(s_peerMac, new MacAddress(0x0200_0000_0099))
        .Payload("").PaddedTo(60);
    private readonly byte[] _echo60 = Echo(18);
    private readonly byte[] _echo1514 = Echo(1472);
    private ulong _station;

    public Processing()
    {
        _reflector = new EventSequence(new Reflector(), 2, _sink);
        _learningSwitch = new EventSequence(_switch, 2, _sink);
        _echo = new EventSequence(new IcmpEcho(s_host, s_hostMac), 2, _sink);
        byte[] learned = Packet.Ethernet(s_hostMac, s_peerMac).Payload("").PaddedTo(60);
        Receive(_learningSwitch, learned, new PortId(1));
    }

    [Benchmark(Baseline = true, Description = "reflector, 60 B")]
    public void Reflect() => Receive(_reflector, _hit);

    [Benchmark(Description = "LearningSwitch, hit, 60 B")]
    public void Hit() => Receive(_learningSwitch, _hit);

    [Benchmark(Description = "LearningSwitch, Process alone, hit, 60 B")]
    public int HitDirect()
    {
        _hit.CopyTo(_memory, 0);
        var frame = new Frame(_memory, _hit.Length, new PortId(0), PortSet.First(2), 0, _learningSwitch);
        _switch.Process(ref frame);
        return frame.Egress.Count;
    }

    [Benchmark(Description = "LearningSwitch, miss, 60 B")]
    public void Miss() => Receive(_learningSwitch, _miss);

    [Benchmark(Description = "LearningSwitch, new source, 60 B")]
    public void Learn()
    {
        _miss[11] = (byte)_station;
        _miss[10] = (byte)(_station++ >> 8);
        Receive(_learningSwitch, _miss);
    }

    [Benchmark(Description = "IcmpEcho, 60 B")]
    public void Echo60() => Receive(_echo, _echo60);

    [Benchmark(Description = "IcmpEcho, 1514 B")]
    public void Echo1514() => Receive(_echo, _echo1514);

    /// <summary>A service writes into the frame: each event starts from a copy.</summary>
    private void Receive(EventSequence sequence, byte[] frame, PortId ingress = default)
    {
        frame.CopyTo(_memory, 0);
        sequence.Receive(ingress, _memory, frame.Length, 0);
    }

    private static byte[] Echo(int payload) =>
        Packet.Ethernet(s_peerMac, s_hostMac).IPv4(s_peer, s_host).IcmpEchoRequest(1, 1).Payload(new byte[payload]);

    private sealed class Sink : IFrameOutput
    {
        public void Send(ReadOnlySpan<byte> bytes, PortSet ports, ulong time)
        {
        }
    }
}
