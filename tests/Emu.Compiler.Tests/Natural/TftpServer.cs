using System.Buffers.Binary;
using System.Text;
using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// A TFTP server of a few small files, such as boot loaders ask for (RFC 1350): read requests in octet mode are
/// answered block by block, each acknowledgment with the next block. Writes are refused.
/// </summary>
public sealed class TftpServer : Service
{
    private const ushort Port = 69;
    private const int BlockSize = 512, HeaderLength = 4;
    private const int DataOffset = Ethernet.HeaderLength + IPv4.MinHeaderLength + Udp.HeaderLength;
    private const int TransferSeconds = 30;

    private enum Opcode : ushort
    {
        ReadRequest = 1,
        WriteRequest = 2,
        Data = 3,
        Acknowledgment = 4,
        Error = 5,
    }

    private enum ErrorCode : ushort
    {
        FileNotFound = 1,
        AccessViolation = 2,
        IllegalOperation = 4,
        UnknownTransfer = 5,
    }

    /// <summary>The client's end of a transfer: its address and its transfer identifier, the UDP port.</summary>
    private readonly record struct Client(IPv4Address Address, ushort Tid) : ITableKey<Client>
    {
        public static int Width => 48;

        public UInt128 KeyBits => (UInt128)Address.Bits << 16 | Tid;
    }

    private readonly IPv4Address _address;
    private readonly MacAddress _mac;
    private readonly ArpResponder _arp;
    private readonly byte[][] _names;
    private readonly byte[][] _contents;
    private readonly AgeingTable<Client, byte> _transfers = new(capacity: 64, TransferSeconds, hashSeed: 1);

    /// <param name="address">The server's address.</param>
    /// <param name="file">The files, each a name, '=' and its text.</param>
    public TftpServer(IPv4Address address, string[] file)
    {
        _address = address;
        _mac = MacAddress.Of(address);
        _arp = new ArpResponder(address, _mac);
        _names = [.. file.Select(entry => Encoding.ASCII.GetBytes(entry.Split('=')[0]))];
        _contents = [.. file.Select(entry => Encoding.ASCII.GetBytes(entry[(entry.IndexOf('=') + 1)..]))];
    }

    public Counter Requests { get; } = new();

    public Counter Blocks { get; } = new();

    public Counter Completed { get; } = new();

    public Counter Errors { get; } = new();

    public override void Process(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType == EtherType.Arp && Arp.TryParse(ethernet.Payload, out var arp)
            && ArpResponder.IsValid(arp) && _arp.IsForUs(arp))
        {
            _arp.Answer(ref frame, arp);
            return;
        }
        if (ethernet.EtherType != EtherType.IPv4 || !IPv4.TryParse(ethernet.Payload, out var ip)
            || ip.HeaderLength != IPv4.MinHeaderLength || !ip.HasValidHeaderChecksum || ip.Destination != _address
            || ip.IsFragment || ip.Protocol != IPProtocol.Udp || !Udp.TryParse(ip.Payload, out var udp)
            || !udp.HasValidChecksum(ip) || udp.Payload.Length < HeaderLength)
            return;

        var client = new Client(ip.Source, udp.SourcePort);
        var opcode = (Opcode)BinaryPrimitives.ReadUInt16BigEndian(udp.Payload);
        if (udp.DestinationPort == Port)
        {
            switch (opcode)
            {
                case Opcode.ReadRequest:
                    Open(ref frame, client, udp.Payload[2..]);
                    break;
                case Opcode.WriteRequest:
                    SendError(ref frame, ErrorCode.AccessViolation, "Read only"u8);
                    break;
                default:
                    SendError(ref frame, ErrorCode.IllegalOperation, "Illegal operation"u8);
                    break;
            }
        }
        else if (opcode == Opcode.Acknowledgment)
        {
            var acknowledged = BinaryPrimitives.ReadUInt16BigEndian(udp.Payload[2..]);
            Continue(ref frame, client, acknowledged);
        }
        else if (opcode == Opcode.Error) _transfers.Remove(client, frame.Seconds);
    }

    private void Open(ref Frame frame, Client client, ReadOnlySpan<byte> request)
    {
        Requests.Increment();
        var nameEnd = request.IndexOf((byte)0);
        if (nameEnd <= 0)
        {
            SendError(ref frame, ErrorCode.IllegalOperation, "No file name"u8);
            return;
        }
        var mode = request[(nameEnd + 1)..];
        var modeEnd = mode.IndexOf((byte)0);
        if (modeEnd < 0 || !Ascii.EqualsIgnoreCase(mode[..modeEnd], "octet"u8))
        {
            SendError(ref frame, ErrorCode.IllegalOperation, "Octet mode only"u8);
            return;
        }

        var file = FindFile(request[..nameEnd]);
        if (file < 0)
        {
            SendError(ref frame, ErrorCode.FileNotFound, "File not found"u8);
            return;
        }
        _transfers.Set(client, (byte)file, frame.Seconds);
        SendBlock(ref frame, _contents[file], 1);
    }

    private void Continue(ref Frame frame, Client client, ushort acknowledged)
    {
        if (!_transfers.TryGet(client, frame.Seconds, out var file))
        {
            SendError(ref frame, ErrorCode.UnknownTransfer, "Unknown transfer ID"u8);
            return;
        }
        // A block of less than 512 bytes, which may be empty, was the last.
        var content = _contents[file];
        if (acknowledged * BlockSize > content.Length)
        {
            _transfers.Remove(client, frame.Seconds);
            Completed.Increment();
            return;
        }
        _transfers.Set(client, file, frame.Seconds);
        SendBlock(ref frame, content, (ushort)(acknowledged + 1));
    }

    private int FindFile(ReadOnlySpan<byte> name)
    {
        for (var i = 0; i < _names.Length; i++)
            if (name.SequenceEqual(_names[i])) return i;
        return -1;
    }

    private void SendBlock(ref Frame frame, ReadOnlySpan<byte> content, ushort number)
    {
        var offset = (number - 1) * BlockSize;
        var block = content.Slice(offset, Math.Min(BlockSize, content.Length - offset));
        frame.Resize(DataOffset + HeaderLength + block.Length);
        var message = frame.Bytes[DataOffset..];
        BinaryPrimitives.WriteUInt16BigEndian(message, (ushort)Opcode.Data);
        BinaryPrimitives.WriteUInt16BigEndian(message[2..], number);
        block.CopyTo(message[HeaderLength..]);
        Blocks.Increment();
        Reply(ref frame);
    }

    private void SendError(ref Frame frame, ErrorCode code, ReadOnlySpan<byte> text)
    {
        frame.Resize(DataOffset + HeaderLength + text.Length + 1);
        var message = frame.Bytes[DataOffset..];
        BinaryPrimitives.WriteUInt16BigEndian(message, (ushort)Opcode.Error);
        BinaryPrimitives.WriteUInt16BigEndian(message[2..], (ushort)code);
        text.CopyTo(message[HeaderLength..]);
        message[^1] = 0;
        Errors.Increment();
        Reply(ref frame);
    }

    /// <summary>Sends the message that stands in the frame to the one who asked.</summary>
    private void Reply(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        var packet = ethernet.Payload;
        var peer = new IPv4Address(BinaryPrimitives.ReadUInt32BigEndian(packet[12..]));
        var peerPort = BinaryPrimitives.ReadUInt16BigEndian(packet[IPv4.MinHeaderLength..]);
        var ownPort = BinaryPrimitives.ReadUInt16BigEndian(packet[(IPv4.MinHeaderLength + 2)..]);

        (ethernet.Source, ethernet.Destination) = (_mac, ethernet.Source);
        if (!IPv4.TryInitialize(packet, out var ip)) return;
        ip.Ttl = IPv4.DefaultTtl;
        ip.Protocol = IPProtocol.Udp;
        (ip.Source, ip.Destination) = (_address, peer);
        ip.WriteHeaderChecksum();
        if (!Udp.TryInitialize(ip.Payload, out var udp)) return;
        // A transfer has a port of its own; which one matters only to the client, so it is the client's (RFC 1350 §4).
        udp.SourcePort = ownPort == Port ? peerPort : ownPort;
        udp.DestinationPort = peerPort;
        udp.WriteChecksum(ip);
        frame.Reply();
    }
}
