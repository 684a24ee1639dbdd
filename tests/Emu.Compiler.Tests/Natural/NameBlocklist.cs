using System.Text;
using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>Drops queries of DNS for names on a list, whose hashes (FNV-1a, of lower case) are in a table.</summary>
public sealed class NameBlocklist : Service
{
    private const ushort Port = 53;
    private const int HeaderLength = 12;
    private const uint FirstHash = 2166136261, Prime = 16777619;

    private readonly uint[] _hashes = new uint[256];

    public NameBlocklist(params string[] names)
    {
        foreach (var name in names)
        {
            var hash = FirstHash;
            foreach (var label in name.Split('.'))
                foreach (var octet in (byte[])[(byte)label.Length, .. Encoding.ASCII.GetBytes(label)])
                    hash = (hash ^ octet) * Prime;
            _hashes[hash & 255] = hash;
        }
    }

    public Counter Blocked { get; } = new();

    public override void Process(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType == EtherType.IPv4 && IPv4.TryParse(ethernet.Payload, out var ip)
            && ip.Protocol == IPProtocol.Udp && Udp.TryParse(ip.Payload, out var udp) && udp.DestinationPort == Port
            && IsBlocked(udp.Payload))
        {
            Blocked.Increment();
            return;
        }
        frame.Flood();
    }

    private bool IsBlocked(ReadOnlySpan<byte> query)
    {
        var hash = FirstHash;
        for (var i = HeaderLength; i < query.Length; i++)
        {
            var octet = query[i];
            if (octet == 0) return _hashes[hash & 255] == hash;
            if (octet is >= (byte)'A' and <= (byte)'Z') octet += 'a' - 'A';
            hash = (hash ^ octet) * Prime;
        }
        return false;
    }
}
