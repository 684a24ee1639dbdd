using Emu.Direction.Packets;
using Emu.Protocols;

namespace Emu.Direction.Directing;

/// <summary>The director's side of a session: makes requests as frames, and knows the replies to them.</summary>
/// <param name="key">The key that it shares with the service.</param>
/// <param name="service">The address of the service's direction frames.</param>
/// <param name="director">The address that replies go to.</param>
/// <param name="number">The number of the session, which the director chooses.</param>
public sealed class DirectorSession(UInt128 key, MacAddress service, MacAddress director, uint number)
{
    private const int FrameLength = Ethernet.HeaderLength + DirectionPacket.Length;

    private uint _sequence;
    private ulong _fresh;

    /// <summary>The request that begins the session.</summary>
    /// <param name="time">
    /// The director's time, in nanoseconds: later than that of all sessions that the service had before.
    /// </param>
    public byte[] Begin(ulong time) => Request(DirectionKind.Begin, value: 0, time: time);

    /// <summary>
    /// Takes the fresh number that the service drew, of its reply, or drawn from what is known of the service
    /// (<see cref="DirectionPacket.FreshBy"/>). Requests made before have another.
    /// </summary>
    public void Open(ulong fresh) => _fresh = fresh;

    /// <summary>Asks how many requests were done, and how many packets had a wrong tag.</summary>
    public byte[] Status() => Request(DirectionKind.Status);

    /// <summary>Asks for a variable.</summary>
    /// <param name="variable">Its number, from 0.</param>
    /// <param name="part">The part of its name, from 0: <see cref="Controller.NamePart"/> bytes each.</param>
    public byte[] Describe(uint variable, uint part) => Request(DirectionKind.Describe, part, variable);

    /// <summary>Asks for the bits of an element.</summary>
    /// <param name="name">The hash of the variable's name.</param>
    /// <param name="index">The element, from 0.</param>
    public byte[] Read(uint name, uint index) => Request(DirectionKind.Read, name, index);

    /// <summary>Sets the bits of an element.</summary>
    /// <param name="name">The hash of the variable's name.</param>
    /// <param name="index">The element, from 0.</param>
    /// <param name="value">The bits, in the low ones.</param>
    public byte[] Write(uint name, uint index, UInt128 value) => Request(DirectionKind.Write, name, index, value);

    /// <summary>Has a service that is stopped go on.</summary>
    public byte[] Continue() => Request(DirectionKind.Continue);

    /// <summary>Reads a reply to a request. It repeats what was asked for.</summary>
    /// <returns>The reply; null if the frame is anything else, or its tag is wrong.</returns>
    public DirectionReply? ReplyTo(byte[] request, ReadOnlySpan<byte> frame)
    {
        ArgumentNullException.ThrowIfNull(request);
        var asked = new DirectionPacket(request.AsSpan(Ethernet.HeaderLength));
        return Parse(frame) is { } reply && reply.Sequence == asked.Sequence && reply.Kind == asked.Kind
            && asked.Kind switch
            {
                DirectionKind.Describe => reply.Index == asked.Index,
                DirectionKind.Read => (reply.Name, reply.Index) == (asked.Name, asked.Index),
                DirectionKind.Write =>
                    (reply.Name, reply.Index, reply.Value) == (asked.Name, asked.Index, asked.Value),
                _ => true,
            }
            ? reply
            : null;
    }

    /// <summary>Reads a reply to a request of this session.</summary>
    /// <returns>The reply; null if the frame is anything else, or its tag is wrong.</returns>
    public DirectionReply? Parse(ReadOnlySpan<byte> frame)
    {
        if (frame.Length < FrameLength) return null;
        Span<byte> bytes = stackalloc byte[FrameLength];
        frame[..FrameLength].CopyTo(bytes);
        var ethernet = new Ethernet(bytes);
        if (ethernet.EtherType != EtherType.LocalExperimental || ethernet.Source != service
            || ethernet.Destination != director
            || !DirectionPacket.TryParse(ethernet.Payload, out var packet)
            || !packet.IsReply || packet.Session != number
            || packet.Tag != packet.TagBy(key, FreshOf(packet.Kind)))
            return null;
        return new DirectionReply(
            packet.Kind, packet.Status, packet.Sequence, packet.Name, packet.Index, packet.Value, packet.Number,
            packet.Shown, packet.Width, packet.IsWritable, packet.Elements, packet.IsStopped);
    }

    private byte[] Request(
        DirectionKind kind, uint name = 0, uint index = 0, UInt128 value = default, ulong time = 0)
    {
        var frame = new byte[FrameLength];
        var ethernet = new Ethernet(frame)
        {
            Source = director,
            Destination = service,
            EtherType = EtherType.LocalExperimental,
        };
        var packet = new DirectionPacket(ethernet.Payload)
        {
            Version = DirectionPacket.CurrentVersion,
            Kind = kind,
            StatedLength = DirectionPacket.Length,
            Session = number,
            Sequence = _sequence++,
            Name = name,
            Index = index,
            Value = value,
            Number = time,
        };
        packet.Tag = packet.TagBy(key, FreshOf(kind));
        return frame;
    }

    private ulong FreshOf(DirectionKind kind) => kind == DirectionKind.Begin ? 0 : _fresh;
}
