using System.Buffers.Binary;

namespace Emu.Hosting;

/// <summary>
/// A port at an interface of the machine, <c>raw:IFACE</c>, by a packet socket with mapped rings: every frame that the
/// interface receives arrives here, in the kernel's own memory and with the kernel's time, and what is sent here leaves
/// by the interface. The host's own stack sees the frames that arrive as well.
/// </summary>
/// <remarks>
/// <para>Frames arrive as they were on the wire: a VLAN tag that the kernel took out is put back, a checksum that
/// the sender left to its device is completed. The interface's receive offloads that join frames are off while the
/// port is open.</para>
/// <para>A sender on the same machine (the other end of a veth pair) can still hand over joined segments, longer than
/// the MTU. They are left out, counted in <see cref="Port.ReceiveDrops"/>, and reported once on standard error with the
/// command that ends it.</para>
/// </remarks>
public sealed unsafe class RawPort : Port
{
    private const int SendDataOffset = 32;          // TPACKET2_HDRLEN without its address
    private const int AddressesLength = 2 * MacAddress.Length;
    private const uint LooksPerCheck = 64;

    private readonly NetworkInterface _device;
    private readonly PacketSocket _socket;
    private readonly ReceiveOffloads _offloads;
    private readonly int _growth;
    private int _mtu;
    private ulong _released;
    private ulong _received;
    private ulong _sent;
    private uint _looks;
    private int _queued;
    private bool _hasWarned;
    private bool _hasWarnedOfSending;
    private bool _isClosed;

    /// <summary>Opens an interface, sets it up, and receives all that arrives (promiscuous mode).</summary>
    /// <param name="interfaceName">Up to 15 bytes.</param>
    /// <param name="mtu">The MTU that frames may grow to, if it is more than the interface's own:
    /// 14 bytes of header and a VLAN tag come on top.</param>
    /// <exception cref="CommandException">
    /// There is no such Ethernet interface, or this process may not have it.
    /// </exception>
    public RawPort(string interfaceName, int mtu = FrameLength.DefaultMtu)
    {
        Name = $"raw:{interfaceName}";
        if (!InterfaceRequest.IsValidName(interfaceName))
            throw CommandException.Usage(
                $"{Name}: an interface's name has 1 to {InterfaceRequest.MaxNameLength} bytes, "
                + "without spaces, '/', ':' and '%'");

        // Kept open: the port may be closed by a thread in another network namespace.
        _device = new NetworkInterface(Name, interfaceName);
        try
        {
            var index = _device.Index;
            if (!_device.IsEthernet)
                throw CommandException.Failure(
                    $"{Name}: its frames have no Ethernet header; take an Ethernet interface, or a tap");
            _mtu = _device.Mtu;
            _growth = Math.Max(mtu, Math.Min(_mtu, FrameLength.MaxMtu));
            _socket = new PacketSocket(Name, index, FrameLength.Of(_growth));
            _device.BringUp();
            _socket.TakeError();   // binding to an interface that is down leaves one behind
            _offloads = new ReceiveOffloads(_device);
        }
        catch
        {
            _socket?.Dispose();
            _device.Dispose();
            throw;
        }
    }

    /// <inheritdoc/>
    public override string Name { get; }

    /// <inheritdoc/>
    public override bool IsLive => true;

    /// <inheritdoc/>
    public override int PollDescriptor => _socket.Descriptor;

    /// <inheritdoc/>
    /// <exception cref="CommandException">
    /// The interface is gone, or was set down; one of the next 64 calls without a frame says so.
    /// </exception>
    public override int Receive(Span<ReceivedFrame> batch)
    {
        var ring = _socket.Received;
        for (; _released != _received; _released++) PacketRing.SetStatus(ring[_released], PacketSlot.Kernel);

        var count = 0;
        var losing = 0u;
        // Slots of this batch still read as ours: no further than once around.
        while (count < batch.Length && _received - _released < (ulong)ring.Count)
        {
            var slot = ring[_received];
            var status = PacketRing.Status(slot);
            if ((status & PacketSlot.User) == 0) break;
            losing |= status & PacketSlot.Losing;
            if (TryTake(slot, status, out batch[count])) count++;
            _received++;
        }
        // Every slot that was filled since the last loss says so: one system call for all.
        if (losing != 0) ReceiveDrops.Add(_socket.TakeKernelDrops());
        // A system call, too dear for each look of a run that spins; one that waits is woken until it has been made.
        if (count == 0 && _looks++ % LooksPerCheck == 0) ThrowIfGone();
        return count;
    }

    /// <inheritdoc/>
    public override void Send(ReadOnlySpan<byte> frame, ulong time)
    {
        var slot = _socket.Transmit[_sent];
        if (!IsFree(slot)) Flush();
        if (!IsTaken(frame.Length) || frame.Length > RoomToSend || !IsFree(slot))
        {
            SendDrops.Increment();
            return;
        }
        var data = (byte*)slot + SendDataOffset;
        *(VirtioHeader*)data = default;
        frame.CopyTo(new Span<byte>(data + sizeof(VirtioHeader), frame.Length));
        slot->Length = (uint)(sizeof(VirtioHeader) + frame.Length);
        PacketRing.SetStatus(slot, PacketSlot.SendRequest);
        _sent++;
        _queued++;
    }

    /// <inheritdoc/>
    public override void Flush()
    {
        if (_queued == 0 || (_queued == 1 && TrySendAlone(_socket.Transmit[_sent - 1]))) return;
        // Frames that the device does not take now stay queued, and are not alone;
        // Receive finds out that the interface is gone.
        _queued = _socket.SendQueued() ? 0 : _queued + 1;
    }

    /// <inheritdoc/>
    protected override void Dispose(bool disposing)
    {
        if (!_isClosed)
        {
            Flush();
            _socket.Dispose();
            _offloads.Restore(_device);   // without effect if the interface is gone
            _device.Dispose();
        }
        _isClosed = true;
        base.Dispose(disposing);
    }

    private int RoomToSend => _socket.Transmit.SlotLength - SendDataOffset - sizeof(VirtioHeader);

    /// <summary>True if the interface takes frames of a length; its MTU may have been raised meanwhile.</summary>
    private bool IsTaken(int length)
    {
        if (length < FrameLength.Header) return false;
        if (length <= FrameLength.Of(_mtu)) return true;
        _mtu = _device.MtuIfThere ?? _mtu;
        if (length <= FrameLength.Of(_mtu)) return true;
        WarnOfLongFrameToSend(length);
        return false;
    }

    /// <summary>
    /// Leaves out a frame if the MTU has been lowered below its length: in the ring the kernel would pass over it and
    /// say nothing. Others, with a service tag, the kernel takes by the ring only.
    /// </summary>
    private bool IsLeftOut(int length)
    {
        _mtu = _device.MtuIfThere ?? _mtu;
        if (length <= FrameLength.Of(_mtu)) return false;
        WarnOfLongFrameToSend(length);
        SendDrops.Increment();
        return true;
    }

    private static bool IsFree(PacketSlot* slot) =>
        PacketRing.Status(slot) is PacketSlot.Available or PacketSlot.WrongFormat;

    /// <summary>
    /// Sends the frame of the last slot past the ring, and takes the slot back:
    /// the kernel looks there only when it is told to send.
    /// </summary>
    private bool TrySendAlone(PacketSlot* slot)
    {
        var error = _socket.SendOne((byte*)slot + SendDataOffset, slot->Length);
        var length = (int)slot->Length - sizeof(VirtioHeader);
        var isDone = error == 0 || error == Errno.MessageTooLong && IsLeftOut(length);
        if (!isDone) return false;
        PacketRing.SetStatus(slot, PacketSlot.Available);
        _sent--;
        _queued = 0;
        return true;
    }

    private bool TryTake(PacketSlot* slot, uint status, out ReceivedFrame received)
    {
        received = default;
        var frame = (byte*)slot + slot->FrameOffset;
        var length = (int)slot->CapturedLength;
        var virtio = (VirtioHeader*)(frame - sizeof(VirtioHeader));
        if (slot->CapturedLength < slot->Length || virtio->IsJoined)
        {
            WarnOfLongFrame(slot->Length);
            ReceiveDrops.Increment();
            return false;
        }
        if (!virtio->TryCompleteChecksum(new Span<byte>(frame, length)))
        {
            ReceiveDrops.Increment();
            return false;
        }
        if ((status & PacketSlot.VlanValid) != 0)
        {
            frame = PutBackVlanTag(
                frame, (status & PacketSlot.VlanTypeValid) != 0 ? slot->VlanType : VlanTag.Customer, slot->VlanTag);
            length += VlanTag.Length;
        }
        var capacity = (int)((byte*)slot + _socket.Received.SlotLength - frame);
        received = new ReceivedFrame(
            frame, length, capacity, slot->Seconds * HostClock.NanosecondsPerSecond + slot->Nanoseconds);
        return true;
    }

    // The virtio header before the frame, which has been read, makes room for the addresses to move.
    private static byte* PutBackVlanTag(byte* frame, ushort type, ushort tag)
    {
        var tagged = frame - VlanTag.Length;
        new Span<byte>(frame, AddressesLength).CopyTo(new Span<byte>(tagged, AddressesLength));
        BinaryPrimitives.WriteUInt16BigEndian(new Span<byte>(tagged + AddressesLength, sizeof(ushort)), type);
        BinaryPrimitives.WriteUInt16BigEndian(
            new Span<byte>(tagged + AddressesLength + sizeof(ushort), sizeof(ushort)), tag);
        return tagged;
    }

    private void WarnOfLongFrameToSend(int length)
    {
        if (_hasWarnedOfSending) return;
        _hasWarnedOfSending = true;
        Console.Error.WriteLine(
            $"{Name}: did not send a frame of {length:N0} bytes, more than the MTU of {_mtu:N0} allows: "
            + "raise the MTU of the interface, or lower --mtu (further ones are only counted)");
    }

    private void WarnOfLongFrame(uint length)
    {
        if (_hasWarned) return;
        _hasWarned = true;
        _mtu = _device.MtuIfThere ?? _mtu;
        if (length > FrameLength.Of(_growth) && length <= FrameLength.Of(_mtu))
        {
            Console.Error.WriteLine(
                $"{Name}: left out a frame of {length:N0} bytes: the interface's MTU is {_mtu:N0} now, and the port "
                + $"has room for one of {_growth:N0}; start again, with --mtu {Math.Min(_mtu, FrameLength.MaxMtu)} "
                + "(further ones are only counted)");
            return;
        }
        Console.Error.WriteLine(
            $"{Name}: left out a frame of {length:N0} bytes, more than the MTU of {_mtu:N0} allows: "
            + "its sender leaves splitting to a device; "
            + "turn that off at the sender, the other end of this link: "
            + "ethtool -K PEER tso off gso off (further ones are only counted)");
    }

    private void ThrowIfGone()
    {
        var error = _socket.TakeError();
        if (error is 0 or Errno.TryAgain or Errno.Interrupted) return;
        throw error is Errno.NetworkDown or Errno.NoSuchAddress or Errno.NoDevice
            ? CommandException.Failure($"{Name}: the interface was set down or removed while it was in use")
            : CommandException.Failure($"{Name}: receiving failed: {LibC.Describe(error)}");
    }
}
