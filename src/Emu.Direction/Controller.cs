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

    private const int VersionLow = 56, KindLow = 48, StatusLow = 40, LengthLow = 16;
    private const int ShownLow = 56, WidthLow = 48, WritableLow = 40, StoppedLow = 32, WordBits = 64, HalfBits = 32;
    private const ulong Byte = 0xFF, ReplyBit = 1UL << 55;

    private readonly Service _service;
    private readonly DirectedState _state;
    private readonly MacAddress _address;
    private readonly UInt128 _key;
    private readonly ControllerMemory _memory;
    private readonly uint[] _hashes;
    private readonly ulong[] _shown, _nameWords;
    private readonly int[] _firstParts;

    private readonly int _hold;
    private readonly ulong _lease;

    private bool _isOpen, _isAgain, _isTaken, _isStopped;
    private uint _point;
    private ulong _end;

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
        (_service, _state, _key, _address) = (service, state, key, address);
        (_hold, _lease) = (hold, lease);
        _memory = new ControllerMemory(Spacing, bootCount);
        _hashes = [.. variables.Select(v => v.NameHash)];
        _shown = [.. variables.Select(ShownAs)];
        var parts = variables.Select(v => PartsOf(v.Name)).ToList();
        _firstParts = [.. parts.Select((_, i) => parts.Take(i).Sum(p => p.Count)), parts.Sum(p => p.Count)];
        _nameWords = [.. parts.SelectMany(p => p).SelectMany(p => new[] { (ulong)(p >> WordBits), (ulong)p })];
    }

    /// <summary>Requests that were done.</summary>
    public ulong Done => _memory[ControllerWord.Done];

    /// <summary>Requests with a right tag that were refused.</summary>
    public Counter Refused { get; } = new();

    /// <summary>Packets that are too short, or whose tag shows that the sender does not know the key.</summary>
    public ulong Unauthenticated => _memory[ControllerWord.Unauthenticated];

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
        var last = BinaryPrimitives.ReverseEndianness(_memory[ControllerWord.Time]);
        if (unchecked(frame.Time - last) < Spacing) Limited.Increment();
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
        _memory[ControllerWord.Time] = BinaryPrimitives.ReverseEndianness(frame.Time);
        var ethernet = new Ethernet(frame);
        var bytes = ethernet.Payload;
        var counted = bytes.Length < DirectionPacket.Length
            ? ControllerWord.Unauthenticated
            : Counted(bytes, frame.Time);
        // Both counters have one adder.
        if (counted != ControllerWord.Zero) _memory[counted]++;
        if (counted == ControllerWord.Unauthenticated) return;
        _memory.Write(bytes);
        (ethernet.Source, ethernet.Destination) = (_address, ethernet.Source);
        frame.Reply();
    }

    /// <summary>Does what a packet asks for, and makes it the reply, if its tag is right.</summary>
    /// <returns>What is to be counted in the memory; <see cref="ControllerWord.Zero"/> for nothing.</returns>
    private ControllerWord Counted(ReadOnlySpan<byte> bytes, ulong time)
    {
        _memory.Read(bytes);
        if (!IsOfSession()) return ControllerWord.Unauthenticated;
        var isBegin = Kind == DirectionKind.Begin;
        // All hashes are computed at one place, of which a circuit has one copy.
        for (var (step, status) = (Step.Check, DirectionStatus.Done); ;)
        {
            var isDrawn = step == Step.Draw;
            _memory[ControllerWord.Hash] = _memory.Hash(
                _key, isDrawn ? ControllerWord.Boot : ControllerWord.Zero,
                isDrawn ? ControllerWord.Time : isBegin ? ControllerWord.Zero : ControllerWord.Fresh);
            if (step == Step.Check)
            {
                if (_memory[ControllerWord.Hash] != _memory[ControllerWord.Tag]) return ControllerWord.Unauthenticated;
                _end = time + _lease;
                status = Answer(out var isBegun);
                step = isBegun ? Step.Draw : Step.Sign;
            }
            else if (isDrawn)
            {
                _memory[ControllerWord.Fresh] = BinaryPrimitives.ReverseEndianness(_memory[ControllerWord.Hash]);
                _memory[ControllerWord.Number] = _memory[ControllerWord.Hash];
                _memory[ControllerWord.Head] |= ReplyBit;
                step = Step.Sign;
            }
            else
            {
                _memory[ControllerWord.Tag] = _memory[ControllerWord.Hash];
                return status == DirectionStatus.Done ? ControllerWord.Done : ControllerWord.Zero;
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

    private static ulong ShownAs(DirectedVariable variable) =>
        (ulong)variable.Kind << ShownLow | (ulong)variable.Width << WidthLow
        | (variable.IsWritable ? 1UL << WritableLow : 0) | (uint)variable.Elements;

    /// <summary>True for a frame to the address of direction frames; asked for the few that have its type.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private bool IsToAddress(in Frame frame) => new Ethernet(frame).Destination == _address;

    /// <summary>The request; of a reply none that there is.</summary>
    private DirectionKind Kind => (DirectionKind)(byte)(_memory[ControllerWord.Head] >> KindLow);

    private uint Name => (uint)(_memory[ControllerWord.Name] >> HalfBits);

    private uint Index => (uint)_memory[ControllerWord.Name];

    /// <summary>True for a request to begin a session, or one of the session that is open.</summary>
    private bool IsOfSession() =>
        (_memory[ControllerWord.Head] & ReplyBit) == 0 && (Kind == DirectionKind.Begin || (_isOpen && IsSession()));

    private bool IsSession() =>
        _memory[ControllerWord.Session] >> HalfBits == _memory[ControllerWord.LastSession] >> HalfBits;

    /// <summary>Does an authentic request and makes it the reply, but for its tag.</summary>
    /// <param name="isBegun">True if it begins a session, for which a fresh number is to be drawn.</param>
    private DirectionStatus Answer(out bool isBegun)
    {
        isBegun = false;
        var head = _memory[ControllerWord.Head];
        var status = (byte)(head >> VersionLow) != DirectionPacket.CurrentVersion ? DirectionStatus.UnknownVersion
            : (ushort)(head >> LengthLow) != DirectionPacket.Length ? DirectionStatus.BadLength
            : Kind == DirectionKind.Begin ? Begin(out isBegun)
            : Do();
        if (status != DirectionStatus.Done) Refused.Increment();
        _memory[ControllerWord.Head] = _memory[ControllerWord.Head] & ~(Byte << StatusLow)
            | (ulong)status << StatusLow | (isBegun ? 0 : ReplyBit);
        _memory[ControllerWord.Shown] = _memory[ControllerWord.Shown] & ~(Byte << StoppedLow)
            | (_isStopped ? 1UL << StoppedLow : 0);
        return status;
    }

    /// <summary>Begins a session. The last request to do so may come again, and finds the same session.</summary>
    private DirectionStatus Begin(out bool isBegun)
    {
        var number = _memory[ControllerWord.Number];
        isBegun = number > _memory[ControllerWord.Began];
        if (isBegun)
        {
            _isOpen = true;
            _memory[ControllerWord.LastSession] = _memory[ControllerWord.Session];
            _memory[ControllerWord.Began] = _memory[ControllerWord.Number];
        }
        else if (!_isOpen || !IsSession() || number != _memory[ControllerWord.Began])
            return DirectionStatus.OldSession;
        else
            _memory[ControllerWord.Number] = BinaryPrimitives.ReverseEndianness(_memory[ControllerWord.Fresh]);
        return DirectionStatus.Done;
    }

    /// <summary>
    /// Does a request of the session once: one that comes again, since its answer was lost, is answered and not done.
    /// </summary>
    private DirectionStatus Do()
    {
        var (sequence, last) = ((uint)_memory[ControllerWord.Session], (uint)_memory[ControllerWord.LastSession]);
        _isAgain = sequence == last && _memory[ControllerWord.Tag] == _memory[ControllerWord.LastTag];
        if (!_isAgain && sequence <= last) return DirectionStatus.OldSequence;
        _memory[ControllerWord.LastTag] = _memory[ControllerWord.Tag];
        _memory[ControllerWord.LastSession] = _memory[ControllerWord.Session];
        return Obey();
    }

    private DirectionStatus Obey()
    {
        var kind = Kind;
        if (kind == DirectionKind.Continue) return Continue();
        if (kind == DirectionKind.Status)
        {
            _memory[ControllerWord.Name] = (ulong)(_isStopped ? _point : 0) << HalfBits | (uint)Lost.Value;
            _memory[ControllerWord.HighValue] = _memory[ControllerWord.Done];
            _memory[ControllerWord.LowValue] = _memory[ControllerWord.Unauthenticated];
            _memory[ControllerWord.Shown] =
                _memory[ControllerWord.Shown] & ~(ulong)uint.MaxValue | (uint)_hashes.Length;
            return DirectionStatus.Done;
        }
        if (kind is not (DirectionKind.Describe or DirectionKind.Read or DirectionKind.Write))
            return DirectionStatus.UnknownKind;
        var number = kind != DirectionKind.Describe ? Find(Name)
            : Index < (uint)_hashes.Length ? (int)Index
            : -1;
        if (number < 0) return DirectionStatus.UnknownName;
        _memory[ControllerWord.Shown] = _shown[number];
        return kind == DirectionKind.Describe ? Describe(number) : Access(number, isRead: kind == DirectionKind.Read);
    }

    /// <summary>Has the service go on. A request that comes again, which has done so, is done.</summary>
    private DirectionStatus Continue()
    {
        if (!_isAgain) (_isTaken, _isStopped) = (_isStopped, false);
        return _isTaken ? DirectionStatus.Done : DirectionStatus.NotStopped;
    }

    private DirectionStatus Describe(int number)
    {
        var (part, parts) = (Name, _firstParts[number + 1] - _firstParts[number]);
        if (part > (uint)parts) return DirectionStatus.IndexOutOfRange;
        // The part behind the last is empty: where a name has as many bytes as its parts, it shows the end.
        var isBehind = part == (uint)parts;
        var at = 2 * (_firstParts[number] + (int)part);
        _memory[ControllerWord.HighValue] = isBehind ? 0 : _nameWords[at];
        _memory[ControllerWord.LowValue] = isBehind ? 0 : _nameWords[at + 1];
        _memory[ControllerWord.Name] = (ulong)_hashes[number] << HalfBits | Index;
        return DirectionStatus.Done;
    }

    private DirectionStatus Access(int number, bool isRead)
    {
        var shown = _shown[number];
        var index = Index;
        if (index >= (uint)shown) return DirectionStatus.IndexOutOfRange;
        if (isRead)
        {
            var read = _state.Read(number, (int)index);
            _memory[ControllerWord.HighValue] = (ulong)(read >> WordBits);
            _memory[ControllerWord.LowValue] = (ulong)read;
            return DirectionStatus.Done;
        }
        if ((byte)(shown >> WritableLow) == 0) return DirectionStatus.NotWritable;
        var bits = new UInt128(_memory[ControllerWord.HighValue], _memory[ControllerWord.LowValue]);
        var width = (byte)(shown >> WidthLow);
        if (width < 2 * WordBits && bits >> width != 0) return DirectionStatus.TooWide;
        // A request that comes again has the outcome that it had.
        if (!_isAgain) _isTaken = _state.Write(number, (int)index, bits);
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
