using System.Buffers.Binary;
using System.Numerics;
using System.Runtime.InteropServices;

namespace Emu.Hosting;

/// <summary>
/// A packet socket on one interface, with mapped rings of version 2 for receiving and sending (packet(7), packet_mmap
/// of the kernel's documentation).
/// </summary>
internal sealed unsafe class PacketSocket : IDisposable
{
    // linux/if_packet.h
    private const int PacketLevel = 263;            // SOL_PACKET
    private const int AddMembership = 1;            // PACKET_ADD_MEMBERSHIP
    private const int ReceiveRing = 5;              // PACKET_RX_RING
    private const int Statistics = 6;               // PACKET_STATISTICS
    private const int Version = 10;                 // PACKET_VERSION
    private const int TransmitRing = 13;            // PACKET_TX_RING
    private const int Loss = 14;                    // PACKET_LOSS
    private const int VirtioNetHeader = 15;         // PACKET_VNET_HDR
    private const int IgnoreOutgoing = 23;          // PACKET_IGNORE_OUTGOING
    private const int Version2 = 1;                 // TPACKET_V2
    private const ushort Promiscuous = 1;           // PACKET_MR_PROMISC

    // linux/if_ether.h
    private const ushort NoProtocol = 0;            // nothing arrives
    private const ushort AllProtocols = 3;          // ETH_P_ALL

    /// <summary>
    /// The most that the kernel puts before a frame in a slot: header, address, alignment, virtio header.
    /// </summary>
    private const int SlotOverhead = 96;
    private const int BlockLength = 1 << 16;
    private const int RingLength = 1 << 22;

    private readonly string _port;
    private readonly nint _map;
    private readonly int _single = -1;

    /// <summary>Opens the socket; frames arrive from then on.</summary>
    /// <param name="port">The port, as messages name it.</param>
    /// <param name="index">The interface's number.</param>
    /// <param name="frameLength">The longest frame that is to find room in a slot.</param>
    public PacketSocket(string port, int index, int frameLength)
    {
        _port = port;
        Descriptor = Open();
        try
        {
            _single = Open();
            Set(_single, VirtioNetHeader, "checksum notes", 1);
            Bind(_single, index, NoProtocol);
            Set(Version, "packet rings of version 2", Version2);
            Set(VirtioNetHeader, "checksum notes", 1);
            Set(IgnoreOutgoing, "leaving out what is sent (Linux 4.20 has it)", 1);
            // A frame that the kernel will not send is dropped; else it would block all behind it.
            Set(Loss, "passing over bad frames", 1);

            var slot = (int)BitOperations.RoundUpToPowerOf2((uint)(frameLength + SlotOverhead));
            var ring = new RingRequest
            {
                BlockLength = BlockLength,
                Blocks = RingLength / BlockLength,
                SlotLength = (uint)slot,
                Slots = (uint)(RingLength / slot),
            };
            Set(Descriptor, ReceiveRing, "a receive ring", &ring, sizeof(RingRequest));
            Set(Descriptor, TransmitRing, "a transmit ring", &ring, sizeof(RingRequest));
            _map = LibC.Map(0, 2 * RingLength, LibC.ProtectRead | LibC.ProtectWrite, LibC.MapShared, Descriptor, 0);
            if (_map == -1) throw Failure("the packet rings cannot be mapped", LibC.Error);
            Received = new PacketRing((byte*)_map, slot, RingLength / slot);
            Transmit = new PacketRing((byte*)_map + RingLength, slot, RingLength / slot);

            Bind(Descriptor, index, AllProtocols);
            var membership = new Membership { Index = index, Type = Promiscuous };
            Set(Descriptor, AddMembership, "promiscuous mode", &membership, sizeof(Membership));
        }
        catch
        {
            Dispose();
            throw;
        }
    }

    /// <summary>Polls readable when frames have arrived.</summary>
    public int Descriptor { get; }

    /// <summary>Filled by the kernel.</summary>
    public PacketRing Received { get; }

    /// <summary>Emptied by the kernel at <see cref="SendQueued"/>.</summary>
    public PacketRing Transmit { get; }

    /// <summary>Sends what the transmit ring holds, as far as the device takes it now.</summary>
    /// <returns>True if the device took all frames.</returns>
    public bool SendQueued() => LibC.Send(Descriptor, null, 0, LibC.DontWait) >= 0;

    /// <summary>
    /// Sends one frame, its virtio header before it, past the ring: what the ring holds, whoever receives it on this
    /// machine has to copy once more, and that costs a frame that comes alone more than the call does.
    /// </summary>
    /// <returns>An error number, 0 when the device took it.</returns>
    public int SendOne(void* start, uint length) =>
        LibC.Send(_single, start, length, LibC.DontWait) >= 0 ? 0 : LibC.Error;

    /// <summary>The frames that found no free slot since the last call.</summary>
    public uint TakeKernelDrops()
    {
        SocketStatistics statistics;
        var length = (uint)sizeof(SocketStatistics);
        return LibC.GetSocketOption(Descriptor, PacketLevel, Statistics, &statistics, &length) == 0
            ? statistics.Drops
            : 0;
    }

    /// <summary>The error of the socket since the last call: an error number, 0 for none.</summary>
    public int TakeError()
    {
        int error;
        uint length = sizeof(int);
        return LibC.GetSocketOption(Descriptor, LibC.SocketLevel, LibC.SocketError, &error, &length) == 0
            ? error
            : LibC.Error;
    }

    public void Dispose()
    {
        if (_map is not (0 or -1)) _ = LibC.Unmap(_map, 2 * RingLength);
        if (_single >= 0) _ = LibC.Close(_single);
        _ = LibC.Close(Descriptor);
    }

    private int Open()
    {
        // Protocol 0: nothing arrives from any interface before this one is bound.
        var descriptor = LibC.Socket(
            LibC.PacketFamily, LibC.RawSocket | LibC.NonBlocking | LibC.CloseOnExec, NoProtocol);
        return descriptor >= 0 ? descriptor : throw CannotOpen(LibC.Error);
    }

    private void Bind(int descriptor, int index, ushort protocol)
    {
        var address = new LinkAddress
        {
            Family = LibC.PacketFamily,
            Protocol = BinaryPrimitives.ReverseEndianness(protocol),
            Index = index,
        };
        if (LibC.Bind(descriptor, &address, (uint)sizeof(LinkAddress)) != 0)
            throw Failure("the interface cannot be bound", LibC.Error);
    }

    private void Set(int option, string what, int value) => Set(Descriptor, option, what, &value, sizeof(int));

    private void Set(int descriptor, int option, string what, int value) =>
        Set(descriptor, option, what, &value, sizeof(int));

    private void Set(int descriptor, int option, string what, void* value, int length)
    {
        if (LibC.SetSocketOption(descriptor, PacketLevel, option, value, (uint)length) != 0)
            throw Failure($"the kernel refuses {what}", LibC.Error);
    }

    private CommandException CannotOpen(int error) => error is Errno.NotPermitted or Errno.NoAccess
        ? CommandException.Failure($"{_port}: needs root or CAP_NET_RAW: run it with sudo")
        : Failure("a packet socket cannot be had", error);

    private CommandException Failure(string what, int error) =>
        CommandException.Failure($"{_port}: {what}: {LibC.Describe(error)}");

    /// <summary><c>struct tpacket_req</c>.</summary>
    [StructLayout(LayoutKind.Sequential)]
    private struct RingRequest
    {
        public uint BlockLength;
        public uint Blocks;
        public uint SlotLength;
        public uint Slots;
    }

    /// <summary><c>struct packet_mreq</c>.</summary>
    [StructLayout(LayoutKind.Sequential, Size = 16)]
    private struct Membership
    {
        public int Index;
        public ushort Type;
    }

    /// <summary><c>struct sockaddr_ll</c>.</summary>
    [StructLayout(LayoutKind.Sequential, Size = 20)]
    private struct LinkAddress
    {
        public ushort Family;
        public ushort Protocol;
        public int Index;
    }

    /// <summary><c>struct tpacket_stats</c>.</summary>
    [StructLayout(LayoutKind.Sequential)]
    private struct SocketStatistics
    {
        public uint Packets;
        public uint Drops;
    }
}
