using System.Buffers.Binary;
using System.Runtime.CompilerServices;
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

    private const int TypeOffset = 12;

    private readonly Service _service;
    private readonly DirectedState _state;
    private readonly MacAddress _address;
    private readonly UInt128 _key;
    private readonly uint _bootCount;
    private readonly uint[] _hashes, _elements;
    private readonly byte[] _widths, _kinds;
    private readonly bool[] _areWritable;
    private readonly int[] _firstParts;
    private readonly UInt128[] _nameParts;

    private readonly int _hold;
    private readonly ulong _lease;

    private bool _isOpen, _isAgain, _isTaken, _isStopped;
    private uint _session, _sequence, _point;
    private ulong _fresh, _began, _lastTag, _next, _end;

    /// <summary>Makes a controller with no session open.</summary>
    /// <param name="service">The service.</param>
    /// <param name="state">The variables.</param>
    /// <param name="variables">What they are, in the order of their numbers.</param>
    /// <param name="key">The key that directors share.</param>
    /// <param name="address">The address of direction frames.</param>
    /// <param name="bootCount">A number that is another one each time that the service is started.</param>
    /// <param name="hold">The most frames that wait while the service is stopped, 1 or more.</param>
    /// <param name="lease">The nanoseconds for which it is stopped without a packet of the session.</param>
    /// <exception cref="ArgumentException">Two variables have names with one hash.</exception>
    public Controller(
        Service service, DirectedState state, IReadOnlyList<DirectedVariable> variables, UInt128 key,
        MacAddress address, uint bootCount, int hold, ulong lease)
    {
        ArgumentNullException.ThrowIfNull(variables);
        if (variables.GroupBy(v => v.NameHash).FirstOrDefault(same => same.Count() > 1) is { } same)
            throw new ArgumentException(
                $"{string.Join(" and ", same.Select(v => v.Name))} have one hash: leave one out", nameof(variables));
        (_service, _state, _key, _address, _bootCount) = (service, state, key, address, bootCount);
        (_hold, _lease) = (hold, lease);
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

    /// <summary>Frames that came while the service was stopped, and for which there was no room.</summary>
    public Counter Lost { get; } = new();

    /// <summary>True for a frame to the controller; the service does not see it.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool Takes(in Frame frame)
    {
        // Without a view of the payload, which few frames need: this is asked for each.
        return BinaryPrimitives.ReadUInt16BigEndian(frame.Bytes[TypeOffset..]) == (ushort)EtherType.LocalExperimental
            && IsToAddress(frame);
    }

    /// <summary>
    /// Does what a frame asks for, and makes it the reply. One that is not authentic is dropped, as is one that comes
    /// too soon after another.
    /// </summary>
    /// <param name="frame">A frame that it takes.</param>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public void Receive(ref Frame frame)
    {
        if (frame.Time < _next) Limited.Increment();
        else Handle(ref frame);
    }

    /// <summary>Stops the service inside the event that is under way, until a director has it go on.</summary>
    /// <param name="point">The hash of the name of the probe that stops it.</param>
    [Cold]
    public void Stop(uint point)
    {
        (_isStopped, _point, _end) = (true, point, 0);
        while (_isStopped) _service.WaitForFrame();
    }

    /// <summary>
    /// Handles a frame that arrives while the service is stopped: one to the controller at once, another when the
    /// service has gone on. A stop ends by itself when its session is silent for the time of the lease, counted from
    /// the first frame on.
    /// </summary>
    /// <param name="frame">The frame.</param>
    public void Interrupt(ref Frame frame)
    {
        if (_end == 0) _end = frame.Time + _lease;
        if (frame.Time >= _end) _isStopped = false;
        if (_isStopped && Takes(frame)) Receive(ref frame);
        else if (!frame.TryHold(_hold)) Lost.Increment();
    }

    [Cold]
    private void Handle(ref Frame frame)
    {
        _next = frame.Time + Spacing;
        var ethernet = new Ethernet(frame);
        if (!DirectionPacket.TryParse(ethernet.Payload, out var packet) || !IsOfSession(packet))
        {
            Unauthenticated.Increment();
            return;
        }
        var isBegin = packet.Kind == DirectionKind.Begin;
        // All hashes are computed at one place, of which a circuit has one copy.
        var step = Step.Check;
        while (true)
        {
            var isDrawn = step == Step.Draw;
            var hash = packet.Hash(
                _key, isDrawn ? _bootCount + 1UL : 0, isDrawn ? frame.Time : isBegin ? 0 : _fresh);
            if (step == Step.Check)
            {
                if (hash != packet.Tag)
                {
                    Unauthenticated.Increment();
                    return;
                }
                _end = frame.Time + _lease;
                step = Answer(packet) ? Step.Draw : Step.Sign;
            }
            else if (isDrawn)
            {
                _fresh = packet.Number = hash;
                packet.MakeReply();
                step = Step.Sign;
            }
            else
            {
                packet.Tag = hash;
                (ethernet.Source, ethernet.Destination) = (_address, ethernet.Source);
                frame.Reply();
                return;
            }
        }
    }

    /// <summary>The purpose of a hash.</summary>
    private enum Step
    {
        Check,
        Draw,
        Sign,
    }

    private static List<UInt128> PartsOf(string name) =>
    [
        .. Encoding.UTF8.GetBytes(name).Chunk(NamePart).Select(part => part.Concat(new byte[NamePart - part.Length])
            .Aggregate(UInt128.Zero, (bits, next) => bits << 8 | next)),
    ];

    /// <summary>True for a frame to the address of direction frames; asked for the few that have its type.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private bool IsToAddress(in Frame frame) => new Ethernet(frame).Destination == _address;

    /// <summary>True for a request to begin a session, or one of the session that is open.</summary>
    private bool IsOfSession(DirectionPacket packet) =>
        !packet.IsReply && (packet.Kind == DirectionKind.Begin || (_isOpen && packet.Session == _session));

    /// <summary>Does an authentic request and makes it the reply, but for its tag.</summary>
    /// <returns>True if it begins a session, for which a fresh number is to be drawn.</returns>
    private bool Answer(DirectionPacket packet)
    {
        var isBegun = false;
        var status = packet.Version != DirectionPacket.CurrentVersion ? DirectionStatus.UnknownVersion
            : packet.StatedLength != DirectionPacket.Length ? DirectionStatus.BadLength
            : packet.Kind == DirectionKind.Begin ? Begin(packet, out isBegun)
            : Do(packet);
        if (status == DirectionStatus.Done) Done.Increment();
        else Refused.Increment();
        packet.Status = status;
        packet.IsStopped = _isStopped;
        if (!isBegun) packet.MakeReply();
        return isBegun;
    }

    /// <summary>Begins a session. The last request to do so may come again, and finds the same session.</summary>
    private DirectionStatus Begin(DirectionPacket packet, out bool isBegun)
    {
        isBegun = packet.Number > _began;
        if (isBegun) (_isOpen, _session, _began, _sequence) = (true, packet.Session, packet.Number, packet.Sequence);
        else if (!_isOpen || packet.Session != _session || packet.Number != _began) return DirectionStatus.OldSession;
        else packet.Number = _fresh;
        return DirectionStatus.Done;
    }

    /// <summary>
    /// Does a request of the session once: one that comes again, since its answer was lost, is answered and not done.
    /// </summary>
    private DirectionStatus Do(DirectionPacket packet)
    {
        _isAgain = packet.Sequence == _sequence && packet.Tag == _lastTag;
        if (!_isAgain && packet.Sequence <= _sequence) return DirectionStatus.OldSequence;
        _lastTag = packet.Tag;
        _sequence = packet.Sequence;
        return Obey(packet);
    }

    private DirectionStatus Obey(DirectionPacket packet)
    {
        if (packet.Kind == DirectionKind.Continue) return Continue();
        if (packet.Kind == DirectionKind.Status)
        {
            packet.Name = _isStopped ? _point : 0;
            packet.Index = (uint)Lost.Value;
            packet.Value = (UInt128)Done.Value << 64 | Unauthenticated.Value;
            packet.Elements = (uint)_hashes.Length;
            return DirectionStatus.Done;
        }
        if (packet.Kind is not (DirectionKind.Describe or DirectionKind.Read or DirectionKind.Write))
            return DirectionStatus.UnknownKind;
        var number = packet.Kind != DirectionKind.Describe ? Find(packet.Name)
            : packet.Index < (uint)_hashes.Length ? (int)packet.Index
            : -1;
        if (number < 0) return DirectionStatus.UnknownName;
        packet.Shown = (VariableKind)_kinds[number];
        packet.Width = _widths[number];
        packet.IsWritable = _areWritable[number];
        packet.Elements = _elements[number];
        return packet.Kind == DirectionKind.Describe ? Describe(packet, number) : Access(packet, number);
    }

    /// <summary>Has the service go on. A request that comes again, which has done so, is done.</summary>
    private DirectionStatus Continue()
    {
        if (!_isAgain) (_isTaken, _isStopped) = (_isStopped, false);
        return _isTaken ? DirectionStatus.Done : DirectionStatus.NotStopped;
    }

    private DirectionStatus Describe(DirectionPacket packet, int number)
    {
        var (part, parts) = (packet.Name, _firstParts[number + 1] - _firstParts[number]);
        if (part > (uint)parts) return DirectionStatus.IndexOutOfRange;
        // The part behind the last is empty: where a name has as many bytes as its parts, it shows the end.
        packet.Value = part == (uint)parts ? 0 : _nameParts[_firstParts[number] + (int)part];
        packet.Name = _hashes[number];
        return DirectionStatus.Done;
    }

    private DirectionStatus Access(DirectionPacket packet, int number)
    {
        if (packet.Index >= _elements[number]) return DirectionStatus.IndexOutOfRange;
        if (packet.Kind == DirectionKind.Read)
        {
            packet.Value = _state.Read(number, (int)packet.Index);
            return DirectionStatus.Done;
        }
        if (!_areWritable[number]) return DirectionStatus.NotWritable;
        if (_widths[number] < 128 && packet.Value >> _widths[number] != 0) return DirectionStatus.TooWide;
        // A request that comes again has the outcome that it had.
        if (!_isAgain) _isTaken = _state.Write(number, (int)packet.Index, packet.Value);
        return _isTaken ? DirectionStatus.Done : DirectionStatus.NotTaken;
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
