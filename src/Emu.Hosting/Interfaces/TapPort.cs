namespace Emu.Hosting;

/// <summary>
/// A port at a tap interface, <c>tap:NAME</c>: what the host sends into the interface arrives here, and what is sent
/// here the host receives. The interface is created if there is none of that name,
/// and then goes away with the port; it is set up.
/// </summary>
/// <remarks>
/// The port holds the interface by its descriptor, so that it keeps working when the interface is renamed or
/// moved to another network namespace. The kernel completes checksums and splits joined segments itself
/// before a frame comes here.
/// </remarks>
public sealed unsafe class TapPort : Port
{
    private const string Device = "/dev/net/tun";

    // linux/if_tun.h
    private const nuint SetInterface = 0x4004_54CA;     // TUNSETIFF
    private const ushort Tap = 2;                       // IFF_TAP
    private const ushort NoPacketInformation = 0x1000;  // IFF_NO_PI
    private const ushort MultiQueue = 0x100;            // IFF_MULTI_QUEUE

    private readonly int _descriptor;
    private readonly FrameArena _arena;
    private bool _isClosed;

    /// <summary>Attaches to a tap interface, or creates it.</summary>
    /// <param name="interfaceName">Up to 15 bytes.</param>
    /// <param name="mtu">The MTU that frames may grow to, if it is more than the interface's own:
    /// 14 bytes of header and a VLAN tag come on top.</param>
    /// <exception cref="CommandException">
    /// The interface is in use, is no tap, or this process may not have it.
    /// </exception>
    public TapPort(string interfaceName, int mtu = FrameLength.DefaultMtu)
    {
        Name = $"tap:{interfaceName}";
        if (!InterfaceRequest.IsValidName(interfaceName))
            throw CommandException.Usage(
                $"{Name}: an interface's name has 1 to {InterfaceRequest.MaxNameLength} bytes, "
                + "without spaces, '/', ':' and '%'");

        _descriptor = LibC.Open(Device, LibC.ReadWrite | LibC.NonBlocking | LibC.CloseOnExec);
        if (_descriptor < 0) throw CannotOpen(LibC.Error);
        try
        {
            Attach(interfaceName);
            using var device = new NetworkInterface(Name, interfaceName);
            device.BringUp();
            _arena = new FrameArena(Math.Max(mtu, device.Mtu));
        }
        catch
        {
            _ = LibC.Close(_descriptor);
            throw;
        }
    }

    /// <inheritdoc/>
    public override string Name { get; }

    /// <inheritdoc/>
    public override bool IsLive => true;

    /// <inheritdoc/>
    public override int PollDescriptor => _descriptor;

    /// <inheritdoc/>
    /// <exception cref="CommandException">The interface is gone.</exception>
    public override int Receive(Span<ReceivedFrame> batch)
    {
        _arena.Reset();
        var count = 0;
        while (count < batch.Length && _arena.HasRoom)
        {
            var length = LibC.Read(_descriptor, _arena.Next, FrameArena.MaxFrameLength);
            if (length >= 0)
            {
                batch[count++] = _arena.Keep((int)length, HostClock.Now);
                continue;
            }
            var error = LibC.Error;
            if (error == Errno.Interrupted) continue;
            if (error == Errno.TryAgain || count > 0) break;   // an error comes again at the next call
            throw error == Errno.BadDescriptorState
                ? CommandException.Failure($"{Name}: the interface was deleted while it was in use")
                : CommandException.Failure($"{Name}: receiving failed: {LibC.Describe(error)}");
        }
        return count;
    }

    /// <inheritdoc/>
    public override void Send(ReadOnlySpan<byte> frame, ulong time)
    {
        fixed (byte* start = frame)
        {
            // The kernel takes a frame whole or not at all: it has no room, the interface is down,
            // or the frame has no whole header.
            if (LibC.Write(_descriptor, start, (nuint)frame.Length) != frame.Length) SendDrops.Increment();
        }
    }

    /// <inheritdoc/>
    protected override void Dispose(bool disposing)
    {
        if (!_isClosed) _ = LibC.Close(_descriptor);
        _isClosed = true;
        base.Dispose(disposing);
    }

    private void Attach(string interfaceName)
    {
        var request = new InterfaceRequest(interfaceName) { Flags = Tap | NoPacketInformation };
        if (LibC.Ioctl(_descriptor, SetInterface, &request) == 0) return;
        var error = LibC.Error;
        if (error == Errno.Invalid)
        {
            // An interface that was made with several queues can only be attached to as such.
            request.Flags |= MultiQueue;
            if (LibC.Ioctl(_descriptor, SetInterface, &request) == 0) return;
        }
        throw error switch
        {
            Errno.Busy =>
                CommandException.Failure($"{Name}: already in use by another program; end that, or take another name"),
            Errno.NotPermitted => CommandException.Failure(
                $"{Name}: needs root or CAP_NET_ADMIN: run it with sudo, or make the interface yours: "
                + $"sudo ip tuntap add {interfaceName} mode tap user $USER"),
            Errno.Invalid => CommandException.Failure(
                $"{Name}: there is an interface of that name that is no tap; take another name, "
                + $"or raw:{interfaceName}"),
            _ => CommandException.Failure($"{Name}: the interface cannot be had: {LibC.Describe(error)}"),
        };
    }

    private CommandException CannotOpen(int error) => error switch
    {
        Errno.NoEntry => CommandException.Failure(
            $"{Name}: {Device} is missing: load the driver with 'modprobe tun', or give it to the container"),
        Errno.NotPermitted or Errno.NoAccess =>
            CommandException.Failure($"{Name}: needs root or CAP_NET_ADMIN to open {Device}: run it with sudo"),
        _ => CommandException.Failure($"{Name}: {Device} cannot be opened: {LibC.Describe(error)}"),
    };
}
