namespace Suite;

/// <summary>
/// All that a service can do with a frame: verdicts, the last one wins; longer and shorter; copies; its port and time.
/// </summary>
public sealed class Verdicts : Service
{
    private ulong _time;

    public override void Process(ref Frame frame)
    {
        var a = frame.Bytes[29];
        frame.Flood();
        if ((a & 1) != 0) frame.ForwardTo(new PortId((byte)(a & 3)));
        if ((a & 2) != 0) frame.Reply();
        if ((a & 4) != 0) frame.Drop();
        if ((a & 8) != 0) frame.ForwardTo(frame.Ports);
        if ((a & 16) != 0) frame.Send(frame.Egress);
        if ((a & 32) != 0) frame.Resize(frame.Length + a);
        if ((a & 64) != 0) frame.Resize(frame.Length - 40);
        if ((a & 128) != 0) frame.Send(PortSet.Of(frame.Ingress));
        frame.Bytes[^1] = frame.Ingress.Index;
        if (frame.Seconds % 3 == 1) frame.Resize(frame.Length + 7);
        _time = frame.Time - _time;
    }
}

/// <summary>Bytes are put in and taken out at places that are computed; copies of a part are sent.</summary>
public sealed class Edits : Service
{
    public override void Process(ref Frame frame)
    {
        var (a, b) = (frame.Bytes[29], frame.Bytes[30]);
        frame.Flood();
        if ((a & 1) != 0) frame.Insert(a >> 3, b & 7);
        if ((a & 2) != 0) frame.Remove(b >> 3, a & 15);
        if ((a & 4) != 0) frame.Send(frame.Ports, b);
        frame.Bytes[0] = (byte)frame.Length;
    }
}

/// <summary>Ticks between frames, which send frames of their own.</summary>
public sealed class Ticking : Service
{
    private int _ticks;
    private int _frames;

    public override ulong TickInterval => 900_000_000;

    public override void Process(ref Frame frame)
    {
        _frames++;
        if (_ticks > 2) frame.Flood();
    }

    public override void Tick(ref Frame frame)
    {
        _ticks++;
        frame.Resize(20 + _frames);
        frame.Bytes[0] = (byte)_ticks;
        BinaryPrimitives.WriteUInt64BigEndian(frame.Bytes[4..], frame.Time);
        frame.Send(PortSet.First(1));
        if ((_ticks & 1) != 0) frame.Flood();
    }
}

/// <summary>Two tables that are written under conditions, one with the other's value.</summary>
public sealed class Tables : Service
{
    public AgeingTable<MacAddress, PortSet> Stations { get; } = new(8, 3, hashSeed: 5);

    public AgeingTable<IPv4Address, uint> Hosts { get; } = new(4, 2, hashSeed: 9);

    public override void Process(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        var a = new IPv4Address((uint)frame.Bytes[29] & 7);
        if (frame.Bytes[45] > 60)
            Stations.Set(new MacAddress((ulong)frame.Bytes[29] & 31), PortSet.Of(frame.Ingress), frame.Seconds);
        if (Stations.TryGet(new MacAddress((ulong)frame.Bytes[45] & 31), frame.Seconds, out var ports))
            Hosts.Set(a, (uint)ports.Bits, frame.Seconds);
        if (Hosts.TryGet(a, frame.Seconds, out var bits)) frame.ForwardTo(new PortSet(bits));
        else if (ethernet.Source.IsIndividual) frame.Flood();
    }
}
