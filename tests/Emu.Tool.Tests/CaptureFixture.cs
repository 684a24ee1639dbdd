using Emu.Hosting;
using Emu.Testing;

namespace Emu.Tool.Tests;

/// <summary>Captures for the tests of a class.</summary>
public sealed class CaptureFixture : IDisposable
{
    /// <summary>The number of echo requests in the capture.</summary>
    public const int Requests = 200;

    /// <summary>The arguments of <c>IcmpEcho</c> for it.</summary>
    public static readonly string[] Host = ["--", "--address", "10.0.0.2", "--mac", "02:00:00:00:00:02"];

    private readonly TemporaryFolder _folder = new();

    public CaptureFixture()
    {
        using var writer = CaptureWriter.Create(Requested);
        var number = writer.AddInterface("test");
        var (mac, peer) = (MacAddress.Parse("02:00:00:00:00:02"), MacAddress.Parse("02:00:00:00:00:01"));
        for (ushort i = 0; i < Requests; i++)
        {
            var request = Packet.Ethernet(peer, mac)
                .IPv4(IPv4Address.Parse("10.0.0.1"), IPv4Address.Parse("10.0.0.2"))
                .IcmpEchoRequest(1, i).Payload(new byte[i]);
            writer.Write(number, request, 1_000_000UL * i);
        }
    }

    /// <summary>Echo requests, one a millisecond.</summary>
    public string Requested => _folder["in.pcap"];

    /// <summary>A path for a file of the test.</summary>
    public string New(string ending) => _folder[$"{Guid.NewGuid():N}{ending}"];

    public void Dispose() => _folder.Dispose();
}
