using System.Buffers.Binary;
using Emu.Protocols;
using Emu.Samples;

namespace Emu.Compiler.Tests;

/// <summary>Marks frames by a hash of their addresses.</summary>
internal sealed class HashMarker : Service
{
    public Counter Even { get; } = new();

    public override void Process(ref Frame frame)
    {
        var addresses = BinaryPrimitives.ReadUInt64BigEndian(frame.Bytes[4..]);
        var first = CoreFunctions.Mix(addresses);
        if ((first & 1) == 0) Even.Increment();
        if (frame.Length >= 40)
            first ^= CoreFunctions.Mix(first + BinaryPrimitives.ReadUInt64BigEndian(frame.Bytes[14..]));
        BinaryPrimitives.WriteUInt32BigEndian(frame.Bytes, (uint)first);
        frame.Flood();
    }
}

/// <summary>A switch whose stations are in a content-addressable memory; it drops some frames first.</summary>
internal sealed class CamSwitch : Service
{
    private readonly AssociativeStations _stations = new();

    public Counter Known { get; } = new();

    public override void Process(ref Frame frame)
    {
        if (frame.Bytes[13] < 0x40) return;
        var ethernet = new Ethernet(frame);
        if (_stations.Exchange(
            ethernet.Source.IsIndividual, ethernet.Source, frame.Ingress, ethernet.Destination, out var port))
        {
            Known.Increment();
            frame.ForwardTo(port);
        }
        else frame.Flood();
    }
}

/// <summary>Says of each frame when one with its type was seen last, and when it was dropped nothing.</summary>
internal sealed class LastSeen : Service
{
    private readonly SwapTable _table = new();
    private uint _frames;

    public override void Process(ref Frame frame)
    {
        var key = BinaryPrimitives.ReadUInt32BigEndian(frame.Bytes[10..]);
        _frames++;
        uint before;
        if ((key & 1) == 0) _table.Swap(key, _frames, out before);
        else if (frame.Length < 100 && _table.Swap(key & 0xFF, _frames + 7, out before)) before++;
        else return;
        BinaryPrimitives.WriteUInt32BigEndian(frame.Bytes, before);
        frame.Flood();
    }
}

/// <summary>Sends each frame on with the type of an earlier one.</summary>
internal sealed class TypeDelay : Service
{
    private readonly NumberQueue _types = new();

    public override void Process(ref Frame frame)
    {
        var type = BinaryPrimitives.ReadUInt32BigEndian(frame.Bytes[10..]);
        if (_types.Exchange((type & 3) != 0, frame.Length > 64, type, out var earlier))
            BinaryPrimitives.WriteUInt32BigEndian(frame.Bytes[10..], earlier);
        frame.Flood();
    }
}

/// <summary>Divides a frame's length by a byte of it.</summary>
internal sealed class LengthDivider : Service
{
    public override void Process(ref Frame frame)
    {
        uint sum = 0;
        for (var i = 0; i < 3; i++)
            sum += CoreFunctions.Divide((uint)frame.Length << 5 * i, frame.Bytes[i] + 1u, out var rest) + rest;
        BinaryPrimitives.WriteUInt32BigEndian(frame.Bytes, sum);
        frame.Flood();
    }
}

/// <summary>
/// Puts a hash over UDP payloads whose checksum is right, and counts a second with it; frames with options of IP take
/// the slow path, in which the hash is another instance.
/// </summary>
internal sealed class ChecksumMarker : Service
{
    private ulong _hashes;

    public override void Process(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType != EtherType.IPv4 || !IPv4.TryParse(ethernet.Payload, out var ip)) return;
        if (ip.Protocol != IPProtocol.Udp || !Udp.TryParse(ip.Payload, out var udp)) return;
        if (!udp.HasValidChecksum(ip)) return;
        var hash = CoreFunctions.Mix(ip.Source.Bits + udp.SourcePort);
        _hashes = _hashes * 2 + (hash & 0xFF) + frame.Seconds;
        ethernet.Destination = new MacAddress(_hashes & 0xFFFF_FFFF_FFFF);
        frame.Flood();
    }
}

/// <summary>
/// Gives each datagram the number of the one before from its address; frames with options of IP take the slow path, and
/// call the same table there.
/// </summary>
internal sealed class AddressSwap : Service
{
    private readonly SwapTable _table = new();

    public override void Process(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType != EtherType.IPv4 || !IPv4.TryParse(ethernet.Payload, out var ip)) return;
        if (ip.Protocol != IPProtocol.Udp || !Udp.TryParse(ip.Payload, out var udp)) return;
        if (_table.Swap(ip.Source.Bits & 7, (uint)udp.SourcePort << 8 | udp.DestinationPort, out var previous))
            ethernet.Destination = new MacAddress(previous);
        frame.Flood();
    }
}

/// <summary>A queue that frames ask several times, which an engine does one after the other.</summary>
internal sealed class TwoQueues : Service
{
    private readonly NumberQueue _types = new();

    public override void Process(ref Frame frame)
    {
        var type = BinaryPrimitives.ReadUInt32BigEndian(frame.Bytes[10..]);
        _types.Exchange(false, (type & 1) == 0, type, out _);
        for (var i = 0; i < frame.Bytes[3] + 2; i++)
        {
            if (!_types.Exchange(true, false, 0, out var earlier)) break;
            BinaryPrimitives.WriteUInt32BigEndian(frame.Bytes[10..], earlier + (uint)i);
        }
        frame.Flood();
    }
}

/// <summary>Writes a hash whose module is another.</summary>
internal sealed class WrongMarker : Service
{
    public override void Process(ref Frame frame)
    {
        BinaryPrimitives.WriteUInt64BigEndian(frame.Bytes, Mix(frame.Bytes[6]));
        frame.Flood();
    }

    [Verilog("mixer.v", Latency = 3)]
    private static ulong Mix(ulong value) => CoreFunctions.Mix(value) ^ (value == 2 ? 1u : 0);
}

/// <summary>A switch whose table takes a call every four cycles.</summary>
internal sealed class SeldomSwitch : Service
{
    private readonly Table _table = new();

    public override void Process(ref Frame frame)
    {
        if (_table.Swap(frame.Bytes[0], frame.Bytes[1], out _)) frame.Flood();
    }

    private sealed class Table
    {
        private uint _last;

        [Verilog("swap_table.v", Latency = 3, Interval = 4)]
        public bool Swap(uint key, uint number, out uint previous)
        {
            previous = _last;
            _last = number;
            return key != 0;
        }
    }
}

/// <summary>Its file is not there.</summary>
internal sealed class MissingFile : Service
{
    public override void Process(ref Frame frame) => frame.Bytes[0] = Twice(frame.Bytes[1]);

    [Verilog("nowhere.v", Latency = 1)]
    private static byte Twice(byte value) => (byte)(2 * value);
}

/// <summary>Its module has other ports.</summary>
internal sealed class OtherPorts : Service
{
    public override void Process(ref Frame frame) => frame.Bytes[0] = (byte)Mix(frame.Bytes[1]);

    [Verilog("mixer.v", Latency = 3)]
    private static ulong Mix(uint number) => number;
}

/// <summary>It does not say how long the module takes.</summary>
internal sealed class NoLatency : Service
{
    public override void Process(ref Frame frame) => frame.Bytes[0] = (byte)Mix(frame.Bytes[1]);

    [Verilog("mixer.v")]
    private static ulong Mix(ulong value) => value;
}

/// <summary>It looks at what is inside the module.</summary>
internal sealed class OpenState : Service
{
    private readonly Table _table = new();

    public override void Process(ref Frame frame)
    {
        if (_table.Swap(1, 2, out _) || _table.Count > 3) frame.Flood();
    }

    private sealed class Table
    {
        public int Count { get; private set; }

        [Verilog("swap_table.v", Latency = 3)]
        public bool Swap(uint key, uint number, out uint previous)
        {
            previous = key + number;
            return Count++ > 7;
        }
    }
}
