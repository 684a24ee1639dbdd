namespace Emu.Hosting;

/// <summary>
/// The kernel's properties of an interface, found by its name (netdevice(7)), and the changes that it allows.
/// </summary>
internal sealed unsafe class NetworkInterface : IDisposable
{
    // linux/sockios.h
    private const nuint GetFlags = 0x8913;          // SIOCGIFFLAGS
    private const nuint SetFlags = 0x8914;          // SIOCSIFFLAGS
    private const nuint GetMtu = 0x8921;            // SIOCGIFMTU
    private const nuint GetHardwareAddress = 0x8927; // SIOCGIFHWADDR
    private const nuint GetIndex = 0x8933;          // SIOCGIFINDEX
    private const nuint EthtoolRequest = 0x8946;    // SIOCETHTOOL

    // linux/if.h
    private const ushort Up = 1;                    // IFF_UP

    // linux/if_arp.h
    private const ushort EthernetHardware = 1;      // ARPHRD_ETHER
    private const ushort LoopbackHardware = 772;    // ARPHRD_LOOPBACK, whose frames have an Ethernet header too

    private readonly string _port;
    private readonly string _name;
    private readonly int _socket;

    /// <param name="port">The port, as messages name it.</param>
    /// <param name="name">The interface; a valid name.</param>
    public NetworkInterface(string port, string name)
    {
        (_port, _name) = (port, name);
        _socket = LibC.Socket(LibC.InternetFamily, LibC.DatagramSocket | LibC.CloseOnExec, 0);
        if (_socket < 0) throw Failure("a socket cannot be had", LibC.Error);
    }

    /// <summary>The interface's number.</summary>
    public int Index => Ask(GetIndex).Number;

    /// <summary>The longest packet behind the Ethernet header, in bytes.</summary>
    public int Mtu => Ask(GetMtu).Number;

    /// <summary>
    /// The MTU as in <see cref="Mtu"/>; null when the interface is gone, or has another name or namespace now.
    /// </summary>
    public int? MtuIfThere
    {
        get
        {
            var request = new InterfaceRequest(_name);
            return LibC.Ioctl(_socket, GetMtu, &request) == 0 ? request.Number : null;
        }
    }

    /// <summary>True if its frames begin with an Ethernet header.</summary>
    public bool IsEthernet => Ask(GetHardwareAddress).HardwareType is EthernetHardware or LoopbackHardware;

    /// <summary>Sets the interface up, if it is not.</summary>
    /// <exception cref="CommandException">It is down, and this process may not change that.</exception>
    public void BringUp()
    {
        var request = Ask(GetFlags);
        if ((request.Flags & Up) != 0) return;
        request.Flags |= Up;
        if (LibC.Ioctl(_socket, SetFlags, &request) == 0) return;
        var error = LibC.Error;
        throw error == Errno.NotPermitted
            ? CommandException.Failure(
                $"{_port}: the interface is down and only root may set it up: sudo ip link set {_name} up")
            : Failure("the interface cannot be set up", error);
    }

    /// <summary>Reads a feature with an ethtool command that returns one value.</summary>
    /// <returns>Null when the driver does not know it.</returns>
    public uint? GetEthtool(uint command)
    {
        var value = new EthtoolValue { Command = command };
        return Ethtool(&value) ? value.Data : null;
    }

    /// <summary>Sets a feature with an ethtool command that takes one value.</summary>
    /// <returns>True if the driver allowed it.</returns>
    public bool SetEthtool(uint command, uint data)
    {
        var value = new EthtoolValue { Command = command, Data = data };
        return Ethtool(&value);
    }

    public void Dispose() => _ = LibC.Close(_socket);

    private InterfaceRequest Ask(nuint what)
    {
        var request = new InterfaceRequest(_name);
        if (LibC.Ioctl(_socket, what, &request) == 0) return request;
        var error = LibC.Error;
        throw error == Errno.NoDevice
            ? CommandException.Failure($"{_port}: no such interface; 'ip link' shows those there are")
            : Failure("the interface cannot be asked about", error);
    }

    private bool Ethtool(EthtoolValue* value)
    {
        var request = new InterfaceRequest(_name) { Data = value };
        return LibC.Ioctl(_socket, EthtoolRequest, &request) == 0;
    }

    private CommandException Failure(string what, int error) =>
        CommandException.Failure($"{_port}: {what}: {LibC.Describe(error)}");

    /// <summary><c>struct ethtool_value</c> (linux/ethtool.h).</summary>
    private struct EthtoolValue
    {
        public uint Command;
        public uint Data;
    }
}
