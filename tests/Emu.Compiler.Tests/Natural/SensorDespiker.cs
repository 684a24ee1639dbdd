using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// Takes spikes out of the readings of field sensors on their way to the control room: a reading that is too far from
/// the median of the last five of its sensor is replaced by that median, and marked. Readings that are old or come
/// twice are dropped.
/// </summary>
/// <remarks>A reading in UDP: number of the sensor, sequence number, flags and unit of 2 bytes each; value of 4.
/// </remarks>
/// <param name="port">The port of the readings.</param>
/// <param name="limit">The largest difference from the median that is no spike.</param>
public sealed class SensorDespiker(ushort port = 20000, int limit = 500) : Service
{
    private const int Sensors = 64;
    private const int Window = 5;
    private const int ReadingLength = 12;
    private const int SequenceOffset = 2, FlagsOffset = 4, ValueOffset = 8;
    private const ushort ReplacedFlag = 0x0001, FaultFlag = 0x8000;

    private struct Sensor
    {
        public ushort Sequence;
        public byte Count;
        public byte Next;
    }

    private readonly Sensor[] _sensors = new Sensor[Sensors];
    private readonly int[] _recent = new int[Sensors * Window];
    private readonly int[] _sorted = new int[Sensors * Window];

    /// <summary>Readings that went on as they were.</summary>
    public Counter Readings { get; } = new();

    /// <summary>Readings that were replaced.</summary>
    public Counter Spikes { get; } = new();

    /// <summary>Readings dropped as old or double.</summary>
    public Counter Stale { get; } = new();

    /// <summary>Readings dropped of sensors that are unknown or report a fault.</summary>
    public Counter Faulty { get; } = new();

    /// <inheritdoc/>
    public override void Process(ref Frame frame)
    {
        frame.Flood();
        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType != EtherType.IPv4 || !IPv4.TryParse(ethernet.Payload, out var ip) || ip.IsFragment
            || ip.Protocol != IPProtocol.Udp || !Udp.TryParse(ip.Payload, out var udp)
            || udp.DestinationPort != port)
            return;

        var reading = udp.Payload;
        if (reading.Length < ReadingLength || reading.GetUInt16(0) >= Sensors
            || (reading.GetUInt16(FlagsOffset) & FaultFlag) != 0)
        {
            Faulty.Increment();
            frame.Drop();
            return;
        }

        var number = reading.GetUInt16(0);
        ref var sensor = ref _sensors[number];
        var sequence = reading.GetUInt16(SequenceOffset);
        if (sensor.Count > 0 && (short)(sequence - sensor.Sequence) <= 0)
        {
            Stale.Increment();
            frame.Drop();
            return;
        }
        sensor.Sequence = sequence;

        var value = (int)reading.GetUInt32(ValueOffset);
        Add(ref sensor, number, value);
        var median = _sorted[number * Window + Window / 2];
        if (sensor.Count < Window || Math.Abs((long)value - median) <= limit)
        {
            Readings.Increment();
            return;
        }

        Spikes.Increment();
        var flags = reading.GetUInt16(FlagsOffset);
        var change = InternetChecksum.Change((uint)value, (uint)median)
            + InternetChecksum.Change(flags, (ushort)(flags | ReplacedFlag));
        reading.SetUInt16(FlagsOffset, (ushort)(flags | ReplacedFlag));
        reading.SetUInt32(ValueOffset, (uint)median);
        udp.UpdateChecksum(change);
    }

    /// <summary>Puts a reading into the sorted window of its sensor, in the place of the oldest.</summary>
    private void Add(ref Sensor sensor, int number, int value)
    {
        var sorted = _sorted.AsSpan(number * Window, Window);
        ref var oldest = ref _recent[number * Window + sensor.Next];
        int at;
        if (sensor.Count < Window)
        {
            at = sensor.Count;
            sensor.Count++;
        }
        else
        {
            at = 0;
            while (sorted[at] != oldest) at++;
        }
        oldest = value;
        sensor.Next = (byte)(sensor.Next + 1 == Window ? 0 : sensor.Next + 1);

        while (at > 0 && sorted[at - 1] > value)
        {
            sorted[at] = sorted[at - 1];
            at--;
        }
        while (at < sensor.Count - 1 && sorted[at + 1] < value)
        {
            sorted[at] = sorted[at + 1];
            at++;
        }
        sorted[at] = value;
    }
}
