using Emu.Hosting;
using SharpPcap;
using SharpPcap.LibPcap;

namespace Emu.SharpPcap;

/// <summary>
/// A port at a device of libpcap or Npcap, <c>device:NAME</c>: every frame that the device receives arrives here, and
/// what is sent here leaves by the device. For systems other than Linux; there, <see cref="RawPort"/> does more.
/// </summary>
/// <remarks>
/// <para>Frames are copied, and some bytes are allocated for each. Their times are the capture's, in microseconds.
/// </para>
/// <para>Offloads are left as they are: a sender on the same machine can hand over joined segments, which are left out
/// and counted in <see cref="Port.ReceiveDrops"/>, and frames whose checksum it left to its device.</para>
/// </remarks>
public sealed class DevicePort : Port
{
    private const string Kind = "device";
    private const int SnapLength = CaptureReader.MaxPacketLength;
    private const int BufferBytes = 8 << 20;
    private const ulong Millisecond = 1_000_000;

    /// <summary>Npcap leaves out what is sent here if it is asked to; libpcap knows no such modes.</summary>
    private static DeviceModes Modes => OperatingSystem.IsWindows()
        ? DeviceModes.Promiscuous | DeviceModes.NoCaptureLocal | DeviceModes.MaxResponsiveness
        : DeviceModes.Promiscuous;

    private readonly LibPcapLiveDevice _device;
    private readonly FrameArena _arena;
    private readonly int _longest;
    private readonly int _descriptor;
    private bool _hasWarned;
    private bool _isClosed;

    /// <summary>Opens a device, and receives all that arrives (promiscuous mode).</summary>
    /// <param name="deviceName">As libpcap calls it, or as people see it: <c>eth0</c>, <c>en0</c>, <c>Ethernet</c>.
    /// </param>
    /// <param name="mtu">The MTU that frames may grow to: 14 bytes of header and a VLAN tag come on top.</param>
    /// <exception cref="CommandException">
    /// The library is missing, there is no such Ethernet device, or this process may not have it.
    /// </exception>
    public DevicePort(string deviceName, int mtu = FrameLength.DefaultMtu)
    {
        Name = $"{Kind}:{deviceName}";
        _longest = FrameLength.Of(mtu);
        _arena = new FrameArena(mtu);
        _device = Find(deviceName);
        try
        {
            _device.Open(new DeviceConfiguration
            {
                Mode = Modes,
                Snaplen = SnapLength,
                Immediate = true,
                BufferSize = BufferBytes,
                ReadTimeout = 1,
            });
            if (_device.LinkType != PacketDotNet.LinkLayers.Ethernet)
                throw CommandException.Failure($"{Name}: its frames have no Ethernet header; take an Ethernet device");
            _device.NonBlockingMode = true;
            _descriptor = Prepare(_device.Handle.DangerousGetHandle());
        }
        catch (PcapException exception)
        {
            _device.Dispose();
            throw CannotOpen(exception);
        }
        catch
        {
            _device.Dispose();
            throw;
        }
    }

    /// <inheritdoc/>
    public override string Name { get; }

    /// <inheritdoc/>
    public override bool IsLive => true;

    /// <inheritdoc/>
    public override int PollDescriptor => _descriptor;

    /// <summary>A millisecond from now, if there is no descriptor to wait for.</summary>
    public override ulong NextDue => _descriptor >= 0 ? ulong.MaxValue : HostClock.Now + Millisecond;

    /// <inheritdoc/>
    /// <exception cref="CommandException">The device is gone, or was set down.</exception>
    public override int Receive(Span<ReceivedFrame> batch)
    {
        _arena.Reset();
        var count = 0;
        while (count < batch.Length && _arena.HasRoom)
        {
            var status = Next(out var packet);
            if (status == GetPacketStatus.Error && count == 0)
                throw CommandException.Failure($"{Name}: receiving failed: {_device.LastError}");
            if (status != GetPacketStatus.PacketRead) break;   // an error comes again at the next call
            if (packet.Data.Length > _longest) LeaveOut(packet.Data.Length);
            else batch[count++] = _arena.Keep(packet.Data, TimeOf(packet.Header.Timeval));
        }
        return count;
    }

    /// <inheritdoc/>
    public override void Send(ReadOnlySpan<byte> frame, ulong time)
    {
        try
        {
            _device.SendPacket(frame, null);
        }
        catch (PcapException)
        {
            // No room, the device is down, or the frame is longer than it takes.
            SendDrops.Increment();
        }
    }

    /// <inheritdoc/>
    protected override void Dispose(bool disposing)
    {
        if (!_isClosed && disposing) _device.Dispose();
        _isClosed = true;
        base.Dispose(disposing);
    }

    private static ulong TimeOf(PosixTimeval time) => (time.Seconds * 1_000_000 + time.MicroSeconds) * 1000;

    private GetPacketStatus Next(out PacketCapture packet)
    {
        try
        {
            return _device.GetNextPacket(out packet);
        }
        catch (PcapException exception)
        {
            throw CommandException.Failure($"{Name}: receiving failed: {exception.Message.TrimEnd('.')}");
        }
    }

    private int Prepare(nint handle)
    {
        if (LibPcap.SetDirection(handle, LibPcap.Arriving) != 0 && !OperatingSystem.IsWindows())
            throw CommandException.Failure($"{Name}: the device cannot leave out what is sent: {_device.LastError}");
        return OperatingSystem.IsLinux() ? LibPcap.SelectableDescriptor(handle) : -1;
    }

    private void LeaveOut(int length)
    {
        ReceiveDrops.Increment();
        if (_hasWarned) return;
        _hasWarned = true;
        Console.Error.WriteLine(
            $"{Name}: left out a frame of {length} bytes, longer than --mtu allows: "
            + "the sender joins segments; on Linux: ethtool -K PEER tso off gso off");
    }

    private LibPcapLiveDevice Find(string deviceName)
    {
        try
        {
            var devices = LibPcapLiveDeviceList.New();
            return devices.FirstOrDefault(device => device.Name == deviceName)
                ?? devices.FirstOrDefault(device =>
                    deviceName == device.Interface?.FriendlyName || deviceName == device.Description)
                ?? throw CommandException.Failure(
                    $"{Name}: there is no such device, or none that this process may have; there are "
                    + string.Join(", ", devices.Select(device => device.Interface?.FriendlyName ?? device.Name)));
        }
        catch (Exception exception) when (exception is DllNotFoundException or TypeInitializationException)
        {
            throw CommandException.Failure(
                $"{Name}: libpcap is missing: install libpcap0.8 (Debian, Ubuntu) or Npcap (Windows, npcap.com)");
        }
    }

    private CommandException CannotOpen(PcapException exception) => exception.Error switch
    {
        PcapError.PermissionDenied => CommandException.Failure(
            $"{Name}: needs root or CAP_NET_RAW (on Windows an administrator): run it with sudo"),
        PcapError.InterfaceNotUp => CommandException.Failure(
            $"{Name}: the device is down: set it up first (ip link set {Name[(Kind.Length + 1)..]} up)"),
        _ => CommandException.Failure($"{Name}: the device cannot be had: {exception.Message.TrimEnd('.')}"),
    };
}
