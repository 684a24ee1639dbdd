using Emu.Compiler;
using Emu.Compiler.Layouts;
using Emu.Hosting;
using Emu.Protocols;
using Emu.Services;
using Emu.Simulation;
using Emu.Testing;

namespace Emu.Tool;

/// <summary>The demo without root: the same services on capture files that it makes.</summary>
internal static class CaptureDemo
{
    private const int SwitchPorts = 4;

    public static int Run(string reason)
    {
        var folder = Directory.CreateTempSubdirectory("emu-demo-").FullName;
        Console.WriteLine($"On capture files in {folder}; network namespaces cannot be used: {reason}");
        Console.WriteLine();
        var isSwitched = Switch(folder);
        var isEchoed = Echo(folder);
        Console.WriteLine("With root, ./emu demo makes six hosts in network namespaces, connects them to the same two");
        Console.WriteLine("classes over tap interfaces, to one of them as simulated hardware, and lets the system's");
        Console.WriteLine("ping talk to them.");
        return isSwitched && isEchoed ? 0 : 1;
    }

    /// <summary>
    /// Station 1 sends to station 2, which answers: the first frame leaves by three ports, the second by one.
    /// </summary>
    private static bool Switch(string folder)
    {
        var request = Packet.Ethernet(Mac(1), Mac(2))
            .IPv4(Address(1), Address(2)).IcmpEchoRequest(1, 1).Payload("from station 1");
        var reply = Packet.Ethernet(Mac(2), Mac(1))
            .IPv4(Address(2), Address(1)).IcmpEchoReply(1, 1).Payload("from station 1");
        Write(folder, "port0", request);
        Write(folder, "port1", reply);
        Write(folder, "port2");
        Write(folder, "port3");
        var names = Enumerable.Range(0, SwitchPorts).Select(i => $"port{i}").ToList();
        Execute(new LearningSwitch(), folder, names);
        return names.Select(name => Read(folder, name).Count).SequenceEqual([1, 1, 1, 1]);
    }

    private static bool Echo(string folder)
    {
        var service = new IcmpEcho(Address(9), Mac(9));
        Write(
            folder,
            "echo",
            Packet.Ethernet(Mac(1), MacAddress.Broadcast).ArpRequest(Mac(1), Address(1), Address(9)).PaddedTo(60),
            Packet.Ethernet(Mac(1), Mac(9))
                .IPv4(Address(1), Address(9), ttl: 3).IcmpEchoRequest(1, 1).Payload("hello, Emu"));
        Execute(service, folder, ["echo"]);
        var isSame = Simulate(folder, "echo");
        return service is { Host.ArpReplies.Value: 1, EchoReplies.Value: 1 }
            && Read(folder, "echo").Count == 2 && isSame;
    }

    /// <summary>The same class on the same capture, compiled, and simulated cycle by cycle.</summary>
    private static bool Simulate(string folder, string name)
    {
        var output = $"{folder}/{name}-hardware-out.pcap";
        using (var device = new RunningDevice(
            HardwareCompiler.Compile(new IcmpEcho(Address(9), Mac(9)), new HardwareOptions { Ports = 1 }),
            [PortSpecification.Open($"pcap:{folder}/{name}.pcap,{output}")]))
        {
            device.Wait();
            Console.Write(
                $"IcmpEcho as simulated hardware: a reply took {device.Latencies.Least} to "
                + $"{device.Latencies.Most} cycles; ");
        }
        var isSame = File.ReadAllBytes(output).AsSpan().SequenceEqual(File.ReadAllBytes($"{folder}/{name}-out.pcap"));
        Console.WriteLine(isSame ? "what left is the same, byte for byte" : "what left is NOT the same");
        Console.WriteLine();
        return isSame;
    }

    private static void Execute(Service service, string folder, List<string> names)
    {
        var ports = names.Select(name => PortSpecification.Open($"pcap:{folder}/{name}.pcap,{folder}/{name}-out.pcap"))
            .ToList();
        using (var runner = new ServiceRunner(service, ports))
        {
            runner.Run(CancellationToken.None);
            Console.WriteLine(
                $"{service.GetType().Name}: {runner.Sequence.FramesIn} frames in, {runner.Sequence.FramesOut} out");
        }
        foreach (var port in ports) port.Dispose();
        foreach (var name in names)
        {
            foreach (var frame in Read(folder, name))
                Console.WriteLine($"  left by {name}: {PacketText.Describe(frame)}");
        }
        Console.WriteLine();
    }

    private static void Write(string folder, string name, params IEnumerable<Packet> packets)
    {
        using var writer = CaptureWriter.Create($"{folder}/{name}.pcap");
        var number = writer.AddInterface(name);
        foreach (var packet in packets) writer.Write(number, packet, name == "port1" ? 1 : 0UL);
    }

    private static List<byte[]> Read(string folder, string name)
    {
        using var reader = CaptureReader.Open($"{folder}/{name}-out.pcap");
        var frames = new List<byte[]>();
        while (reader.TryRead(out var packet)) frames.Add(packet.Bytes.ToArray());
        return frames;
    }

    private static MacAddress Mac(byte station) => new(0x0200_0000_0000UL | station);

    private static IPv4Address Address(byte station) => new(0x0A00_0000U | station);
}
