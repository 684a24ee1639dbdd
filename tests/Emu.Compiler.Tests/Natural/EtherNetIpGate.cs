using System.Buffers.Binary;
using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// Guards controllers that speak EtherNet/IP: from anywhere their data may be read, but only engineering stations may
/// write, reset or program (ODVA, The CIP Networks Library, volumes 1 and 2).
/// </summary>
/// <remarks>
/// Port 0 is the plant's network, port 1 the cell with the controllers; what these send passes. Explicit messages over
/// TCP are read: one encapsulation message in a segment, as its senders write them; others are refused. Of an
/// Unconnected Send the message inside counts. Listing of identities over UDP passes, implicit I/O is not looked at.
/// </remarks>
/// <example>--engineer 10.10.0.5 --engineer 10.10.0.6</example>
/// <param name="engineer">The address of a station that may do everything.</param>
/// <param name="allowConnections">Others may open connections to the message router, too (Forward Open).</param>
public sealed class EtherNetIpGate(IPv4Address[]? engineer = null, bool allowConnections = true) : Service
{
    private const ushort Port = 44818;
    private const int HeaderLength = 24, CommandData = 6, ItemHeader = 4, MaxItems = 4;
    private const byte ResponseBit = 0x80, ConnectionManager = 6;
    private const byte UnconnectedSend = 0x52, ForwardOpen = 0x54, LargeForwardOpen = 0x5B, ForwardClose = 0x4E;

    private static readonly PortId s_plant = new(0), s_cell = new(1);

    /// <summary>The commands of encapsulation (volume 2, table 2-3.2).</summary>
    private enum Command : ushort
    {
        Nop = 0x00,
        ListServices = 0x04,
        ListIdentity = 0x63,
        ListInterfaces = 0x64,
        RegisterSession = 0x65,
        UnregisterSession = 0x66,
        SendRequestReplyData = 0x6F,
        SendUnitData = 0x70,
    }

    /// <summary>The items of the common packet format (volume 2, table 2-6.3).</summary>
    private enum ItemType : ushort
    {
        ConnectedData = 0xB1,
        UnconnectedData = 0xB2,
    }

    private readonly ConstantTable<IPv4Address, bool> _engineers =
        new((engineer ?? []).Distinct().ToDictionary(a => a, _ => true));

    /// <summary>Messages that read, list, or manage sessions.</summary>
    public Counter Read { get; } = new();

    /// <summary>Messages of engineering stations.</summary>
    public Counter Engineered { get; } = new();

    /// <summary>Messages dropped: they would change something.</summary>
    public Counter Refused { get; } = new();

    /// <summary>Messages dropped: lengths contradict each other, or what they ask for is not known.</summary>
    public Counter Malformed { get; } = new();

    /// <inheritdoc/>
    public override void Process(ref Frame frame)
    {
        if (frame.Ingress != s_plant)
        {
            frame.ForwardTo(s_plant);
            return;
        }
        frame.ForwardTo(s_cell);
        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType != EtherType.IPv4 || !IPv4.TryParse(ethernet.Payload, out var ip)
            || ip.Protocol != IPProtocol.Tcp)
            return;
        if (ip.IsFragment || !Tcp.TryParse(ip.Payload, out var tcp))
        {
            Drop(ref frame, Malformed);
            return;
        }
        if (tcp.DestinationPort != Port || tcp.Payload.IsEmpty) return;

        if (_engineers.TryGet(ip.Source, out _)) Engineered.Increment();
        else if (!TryJudge(tcp.Payload, out var isAllowed)) Drop(ref frame, Malformed);
        else if (!isAllowed) Drop(ref frame, Refused);
        else Read.Increment();
    }

    private static void Drop(ref Frame frame, Counter reason)
    {
        reason.Increment();
        frame.Drop();
    }

    /// <summary>Reads an encapsulation message; its numbers have the lowest byte first.</summary>
    /// <returns>False if it cannot be read.</returns>
    private bool TryJudge(ReadOnlySpan<byte> message, out bool isAllowed)
    {
        isAllowed = false;
        if (message.Length < HeaderLength
            || BinaryPrimitives.ReadUInt16LittleEndian(message[2..]) != message.Length - HeaderLength)
            return false;
        var data = message[HeaderLength..];
        switch ((Command)BinaryPrimitives.ReadUInt16LittleEndian(message))
        {
            case Command.Nop or Command.ListServices or Command.ListIdentity or Command.ListInterfaces
                or Command.RegisterSession or Command.UnregisterSession:
                isAllowed = true;
                return true;
            case Command.SendRequestReplyData or Command.SendUnitData:
                return TryFindRequest(data, out var request) && TryJudgeRequest(request, out isAllowed);
            default:
                return false;
        }
    }

    /// <summary>Finds the data item behind the interface's handle and the timeout (volume 2, §2-4.7, §2-6).</summary>
    private static bool TryFindRequest(ReadOnlySpan<byte> data, out ReadOnlySpan<byte> request)
    {
        request = default;
        // CIP is 0
        if (data.Length < CommandData + 2 || BinaryPrimitives.ReadUInt32LittleEndian(data) != 0) return false;
        int items = BinaryPrimitives.ReadUInt16LittleEndian(data[CommandData..]);
        if (items is < 2 or > MaxItems) return false;
        var rest = data[(CommandData + 2)..];
        for (var i = 0; i < items; i++)
        {
            if (rest.Length < ItemHeader) return false;
            var type = (ItemType)BinaryPrimitives.ReadUInt16LittleEndian(rest);
            int length = BinaryPrimitives.ReadUInt16LittleEndian(rest[2..]);
            if (rest.Length < ItemHeader + length) return false;
            var item = rest.Slice(ItemHeader, length);
            if (type == ItemType.UnconnectedData)
            {
                request = item;
                return true;
            }
            if (type == ItemType.ConnectedData)
            {
                if (item.Length < 2) return false;
                request = item[2..]; // behind the connection's sequence count
                return true;
            }
            rest = rest[(ItemHeader + length)..];
        }
        return false;
    }

    /// <summary>
    /// Judges a request to the message router: a service, a path in words of two bytes, data (volume 1, §2-4.1).
    /// </summary>
    private bool TryJudgeRequest(ReadOnlySpan<byte> request, out bool isAllowed)
    {
        isAllowed = false;
        if (!TrySplit(request, out var service, out var isToManager, out var data)) return false;
        if (isToManager && service == UnconnectedSend)
        {
            // Priority and ticks, the length of the message inside, the message; behind it the route (§3-5.5.4).
            if (data.Length < 4) return false;
            int length = BinaryPrimitives.ReadUInt16LittleEndian(data[2..]);
            if (data.Length < 4 + length
                || !TrySplit(data.Slice(4, length), out service, out isToManager, out _))
                return false;
            if (isToManager && service == UnconnectedSend) return true; // one within another: who means well does not
        }
        isAllowed = isToManager
            ? allowConnections && service is ForwardOpen or LargeForwardOpen or ForwardClose
            : IsReading(service);
        return true;
    }

    private static bool TrySplit(
        ReadOnlySpan<byte> request, out byte service, out bool isToManager, out ReadOnlySpan<byte> data)
    {
        (service, isToManager) = (0, false);
        data = default;
        if (request.Length < 2) return false;
        service = request[0];
        var path = request[1] * 2;
        if ((service & ResponseBit) != 0 || request.Length < 2 + path) return false;
        // A logical segment with a class of 8 bits; those of 16 bits and symbols name no manager.
        isToManager = path >= 2 && request[2] == 0x20 && request[3] == ConnectionManager;
        data = request[(2 + path)..];
        return true;
    }

    /// <summary>The services that change nothing (volume 1, appendix A, and those of Logix controllers).</summary>
    private static bool IsReading(byte service) => service switch
    {
        0x01 or 0x03 or 0x0E => true, // Get_Attributes_All, Get_Attribute_List, Get_Attribute_Single
        0x11 => true,                 // Find_Next_Object_Instance
        0x4C or 0x52 => true,         // Read Tag, Read Tag Fragmented
        0x55 => true,                 // Get Instance Attribute List
        _ => false,
    };
}
