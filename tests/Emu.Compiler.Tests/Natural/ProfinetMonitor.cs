using System.Buffers.Binary;
using System.Numerics;
using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// Watches the cyclic data of PROFINET IO (IEC 61158-6-10) between a plant and its controllers: counts data that are
/// not valid, providers that stopped, and cycles that were lost, drops frames whose transfer failed, and lets nobody
/// but the engineering port set names and addresses by DCP.
/// </summary>
/// <param name="engineering">The port from which DCP may set.</param>
/// <param name="sendClock">The time between two frames of a relation, in units of 31.25 µs: 32 is a
/// millisecond.</param>
public sealed class ProfinetMonitor(byte engineering = 0, ushort sendClock = 32) : Service
{
    private const EtherType Profinet = (EtherType)0x8892;
    private const int Relations = 256, StatusLength = 4;
    private const ushort DcpFirst = 0xFEFC, DcpLast = 0xFEFF, CyclicFirst = 0x8000, CyclicLast = 0xFBFF;
    private const byte DcpSet = 4, DcpRequest = 0;

    [Flags]
    private enum DataStatus : byte
    {
        None = 0,
        Primary = 0x01,
        Valid = 0x04,
        Run = 0x10,
        NoProblem = 0x20,
    }

    private struct Relation
    {
        public MacAddress Provider;
        public ushort FrameId, LastCycle;
        public DataStatus Status;
    }

    private readonly Relation[] _relations = new Relation[Relations];
    private readonly H3Hash _hash = new(64, BitOperations.Log2(Relations), seed: 1);

    public Counter Cyclic { get; } = new();

    public Counter LostCycles { get; } = new();

    public Counter Repeated { get; } = new();

    public Counter Stopped { get; } = new();

    public Counter Problems { get; } = new();

    public Counter BadTransfers { get; } = new();

    public Counter RefusedSets { get; } = new();

    public override void Process(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        var type = ethernet.EtherType;
        var payload = ethernet.Payload;
        if (type == EtherType.CTag && Vlan.TryParse(payload, out var tag))
        {
            type = tag.EtherType;
            payload = tag.Payload;
        }
        if (type != Profinet || payload.Length < 2 + StatusLength)
        {
            frame.Flood();
            return;
        }

        var frameId = BinaryPrimitives.ReadUInt16BigEndian(payload);
        var passes = frameId switch
        {
            >= CyclicFirst and <= CyclicLast => Watch(ethernet.Source, frameId, payload[^StatusLength..]),
            >= DcpFirst and <= DcpLast => MaySet(frame.Ingress, payload[2], payload[3]),
            _ => true,
        };
        if (passes) frame.Flood();
    }

    /// <summary>
    /// The status at the end of a frame: a cycle counter, the data's status and that of the transfer.
    /// </summary>
    private bool Watch(MacAddress provider, ushort frameId, ReadOnlySpan<byte> trailer)
    {
        var cycle = BinaryPrimitives.ReadUInt16BigEndian(trailer);
        var status = (DataStatus)trailer[2];
        if (trailer[3] != 0)
        {
            BadTransfers.Increment();
            return false;
        }

        ref var relation = ref _relations[_hash.Index(provider.Bits << 16 | frameId)];
        if (relation.Provider == provider && relation.FrameId == frameId)
        {
            var cycles = (ushort)(cycle - relation.LastCycle) / sendClock;
            if (cycles == 0) Repeated.Increment();
            else LostCycles.Add((ulong)(cycles - 1));

            var fallen = relation.Status & ~status;
            if ((fallen & (DataStatus.Run | DataStatus.Valid)) != 0) Stopped.Increment();
            if ((fallen & DataStatus.NoProblem) != 0) Problems.Increment();
        }
        relation = new Relation { Provider = provider, FrameId = frameId, LastCycle = cycle, Status = status };
        Cyclic.Increment();
        return true;
    }

    private bool MaySet(PortId ingress, byte serviceId, byte serviceType)
    {
        if (serviceId != DcpSet || serviceType != DcpRequest || ingress.Index == engineering) return true;
        RefusedSets.Increment();
        return false;
    }
}
