using System.Text;
using Emu.Direction.Packets;
using Emu.Protocols;

namespace Emu.Direction;

/// <summary>
/// Does what direction packets ask of a service: docs/direction.md. It is ordinary C# of the kind that compiles, so a
/// service with it is one on every target.
/// </summary>
/// <example><code>
/// if (_controller.Takes(frame)) _controller.Receive(ref frame);
/// else …
/// </code></example>
public sealed class Controller
{
    /// <summary>Bytes of a name that one packet describes: 16.</summary>
    public const int NamePart = 16;

    /// <summary>
    /// Nanoseconds between two packets that are looked at: 10⁵, 10,000 packets a second. A flood of packets, authentic
    /// or not, takes no more of a service's time than that.
    /// </summary>
    public const ulong Spacing = 100_000;

    private readonly DirectedState _state;
    private readonly MacAddress _address;
    private readonly UInt128 _key;
    private readonly uint _bootCount;
    private readonly uint[] _hashes, _elements;
    private readonly byte[] _widths, _kinds;
    private readonly bool[] _areWritable;
    private readonly int[] _firstParts;
    private readonly UInt128[] _nameParts;

    private bool _isOpen;
    private uint _session, _sequence;
    private ulong _fresh, _began, _lastTag, _next;
    private DirectionStatus _lastStatus;

    /// <summary>Makes a controller with no session open.</summary>
    /// <param name="state">The variables.</param>
    /// <param name="variables">What they are, in the order of their numbers; at least one.</param>
    /// <param name="key">The key that directors share.</param>
    /// <param name="address">The address of direction frames.</param>
    /// <param name="bootCount">A number that is another one each time that the service is started.</param>
    /// <exception cref="ArgumentException">There is no variable, or two have names with one hash.</exception>
    public Controller(
        DirectedState state, IReadOnlyList<DirectedVariable> variables, UInt128 key, MacAddress address, uint bootCount)
    {
        ArgumentNullException.ThrowIfNull(variables);
        if (variables.Count == 0) throw new ArgumentException("there is no variable", nameof(variables));
        if (variables.GroupBy(v => v.NameHash).FirstOrDefault(same => same.Count() > 1) is { } same)
            throw new ArgumentException(
                $"{string.Join(" and ", same.Select(v => v.Name))} have one hash: leave one out", nameof(variables));
        (_state, _key, _address, _bootCount) = (state, key, address, bootCount);
        _hashes = [.. variables.Select(v => v.NameHash)];
        _elements = [.. variables.Select(v => (uint)v.Elements)];
        _widths = [.. variables.Select(v => (byte)v.Width)];
        _kinds = [.. variables.Select(v => (byte)v.Kind)];
        _areWritable = [.. variables.Select(v => v.IsWritable)];
        var parts = variables.Select(v => PartsOf(v.Name)).ToList();
        _firstParts = [.. parts.Select((_, i) => parts.Take(i).Sum(p => p.Count)), parts.Sum(p => p.Count)];
        _nameParts = [.. parts.SelectMany(p => p)];
    }

    /// <summary>Requests that were done.</summary>
    public Counter Done { get; } = new();

    /// <summary>Requests with a right tag that were refused.</summary>
    public Counter Refused { get; } = new();

    /// <summary>Packets that are too short, or whose tag shows that the sender does not know the key.</summary>
    public Counter Unauthenticated { get; } = new();

    /// <summary>Packets that came within <see cref="Spacing"/> of one that was looked at.</summary>
    public Counter Limited { get; } = new();

    /// <summary>True for a frame to the controller; the service does not see it.</summary>
    public bool Takes(in Frame frame)
    {
        var ethernet = new Ethernet(frame);
        return ethernet.EtherType == EtherType.LocalExperimental && ethernet.Destination == _address;
    }

    /// <summary>
    /// Does what a frame asks for, and makes it the reply. One that is not authentic is dropped, as is one that comes
    /// too soon after another.
    /// </summary>
    /// <param name="frame">A frame that it takes.</param>
    public void Receive(ref Frame frame)
    {
        if (frame.Time < _next) Limited.Increment();
        else Handle(ref frame);
    }

    [Cold]
    private void Handle(ref Frame frame)
    {
        _next = frame.Time + Spacing;
        var ethernet = new Ethernet(frame);
        if (!DirectionPacket.TryParse(ethernet.Payload, out var packet) || !IsAuthentic(packet))
        {
            Unauthenticated.Increment();
            return;
        }
        var status = packet.Version != DirectionPacket.CurrentVersion ? DirectionStatus.UnknownVersion
            : packet.StatedLength != DirectionPacket.Length ? DirectionStatus.BadLength
            : packet.Kind == DirectionKind.Begin ? Begin(packet, frame.Time)
            : Do(packet);
        if (status == DirectionStatus.Done) Done.Increment();
        else Refused.Increment();
        var fresh = packet.Kind == DirectionKind.Begin ? 0 : _fresh;
        packet.Status = status;
        packet.MakeReply();
        packet.Tag = packet.TagBy(_key, fresh);
        (ethernet.Source, ethernet.Destination) = (_address, ethernet.Source);
        frame.Reply();
    }

    private static List<UInt128> PartsOf(string name) =>
    [
        .. Encoding.UTF8.GetBytes(name).Chunk(NamePart).Select(part => part.Concat(new byte[NamePart - part.Length])
            .Aggregate(UInt128.Zero, (bits, next) => bits << 8 | next)),
    ];

    /// <summary>True if the sender knows the key, and the fresh number of the session that is open.</summary>
    private bool IsAuthentic(DirectionPacket packet)
    {
        if (packet.IsReply) return false;
        var isBegin = packet.Kind == DirectionKind.Begin;
        if (!isBegin && !(_isOpen && packet.Session == _session)) return false;
        return packet.Tag == packet.TagBy(_key, isBegin ? 0 : _fresh);
    }

    /// <summary>Begins a session. The last request to do so may come again, and finds the same session.</summary>
    private DirectionStatus Begin(DirectionPacket packet, ulong time)
    {
        var isAgain = _isOpen && packet.Session == _session && packet.Number == _began;
        if (!isAgain)
        {
            if (packet.Number <= _began) return DirectionStatus.OldSession;
            (_isOpen, _session, _began, _sequence) = (true, packet.Session, packet.Number, packet.Sequence);
            _fresh = FreshNumber(_key, _bootCount, time);
        }
        packet.Number = _fresh;
        return DirectionStatus.Done;
    }

    /// <summary>The number that a service draws when a session begins: none other does, so no packet fits twice.</summary>
    /// <param name="key">The key of the service.</param>
    /// <param name="bootCount">Its boot count.</param>
    /// <param name="time">The time of the event that begins the session, in nanoseconds.</param>
    public static ulong FreshNumber(UInt128 key, uint bootCount, ulong time)
    {
        var hash = new SipHash(key);
        hash.Add(bootCount);
        hash.Add(time);
        return hash.Finish(2 * sizeof(ulong));
    }

    /// <summary>
    /// Does a request of the session once: one that comes again, since its answer was lost, is answered and not done.
    /// </summary>
    private DirectionStatus Do(DirectionPacket packet)
    {
        var isAgain = packet.Sequence == _sequence && packet.Tag == _lastTag;
        if (!isAgain && packet.Sequence <= _sequence) return DirectionStatus.OldSequence;
        _lastTag = packet.Tag;
        _sequence = packet.Sequence;
        if (!isAgain || packet.Kind != DirectionKind.Write) _lastStatus = Answer(packet);
        else if (_lastStatus == DirectionStatus.Done) ShowWritten(packet);
        return _lastStatus;
    }

    private DirectionStatus Answer(DirectionPacket packet)
    {
        switch (packet.Kind)
        {
            case DirectionKind.Status:
                packet.Value = (UInt128)Done.Value << 64 | Unauthenticated.Value;
                packet.Elements = (uint)_hashes.Length;
                return DirectionStatus.Done;
            case DirectionKind.Describe:
                return Describe(packet);
            case DirectionKind.Read or DirectionKind.Write:
                return Access(packet);
            default:
                return DirectionStatus.UnknownKind;
        }
    }

    private DirectionStatus Describe(DirectionPacket packet)
    {
        if (packet.Index >= (uint)_hashes.Length) return DirectionStatus.UnknownName;
        var number = (int)packet.Index;
        var (part, parts) = (packet.Name, _firstParts[number + 1] - _firstParts[number]);
        if (part > (uint)parts) return DirectionStatus.IndexOutOfRange;
        // The part behind the last is empty: where a name has as many bytes as its parts, it shows the end.
        packet.Value = part == (uint)parts ? 0 : _nameParts[_firstParts[number] + (int)part];
        packet.Name = _hashes[number];
        Show(packet, number);
        return DirectionStatus.Done;
    }

    private DirectionStatus Access(DirectionPacket packet)
    {
        var number = Find(packet.Name);
        if (number < 0) return DirectionStatus.UnknownName;
        if (packet.Index >= _elements[number]) return DirectionStatus.IndexOutOfRange;
        if (packet.Kind == DirectionKind.Write)
        {
            if (!_areWritable[number]) return DirectionStatus.NotWritable;
            if (_widths[number] < 128 && packet.Value >> _widths[number] != 0) return DirectionStatus.TooWide;
            _state.Write(number, (int)packet.Index, packet.Value);
        }
        else packet.Value = _state.Read(number, (int)packet.Index);
        Show(packet, number);
        return DirectionStatus.Done;
    }

    private void ShowWritten(DirectionPacket packet)
    {
        var number = Find(packet.Name);
        if (number >= 0) Show(packet, number);
    }

    private void Show(DirectionPacket packet, int number)
    {
        packet.Shown = (VariableKind)_kinds[number];
        packet.Width = _widths[number];
        packet.IsWritable = _areWritable[number];
        packet.Elements = _elements[number];
    }

    private int Find(uint hash)
    {
        for (var number = 0; number < _hashes.Length; number++)
        {
            if (_hashes[number] == hash) return number;
        }
        return -1;
    }
}
