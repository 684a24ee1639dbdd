using System.Buffers.Binary;
using System.Numerics;
using System.Runtime.CompilerServices;
using Emu.Direction.Packets;
using Emu.Direction.Probes;
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
    /// Nanoseconds of a window of time, of which one packet is looked at: 2¹⁷, some 7,600 packets a second. A flood of
    /// packets, authentic or not, takes no more of a service's time than that.
    /// </summary>
    public const ulong Spacing = 1 << 17;

    private const int TypeOffset = 12, BehindAddress = 16;
    private const byte HighType = (byte)((ushort)EtherType.LocalExperimental >> 8);
    private const byte LowType = (byte)((ushort)EtherType.LocalExperimental & 0xFF);

    private const int VersionLow = 56, KindLow = 48, StatusLow = 40, LengthLow = 16;
    private const int WritableLow = 40, WordBits = 64, HalfBits = 32;
    private const ulong Byte = 0xFF, ReplyBit = 1UL << 55, StoppedBit = 1UL << 32;

    private readonly Service _service;
    private readonly DirectedState _state;
    private readonly MacAddress _address;
    private readonly ulong _addressBits;
    private readonly UInt128 _key;
    private readonly ControllerMemory _memory;
    private readonly bool _hasWritable;
    private readonly byte[] _widths;

    private readonly int _hold;
    private readonly ulong _lease;

    private bool _hasLooked, _isOpen, _isAgain, _isTaken, _isStopped;
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
        (_service, _state, _key) = (service, state, key);
        (_address, _addressBits) = (address, address.Bits);
        (_hold, _lease) = (hold, lease);
        _memory = new ControllerMemory(bootCount, variables);
        _hasWritable = variables.Any(v => v.IsWritable);
        // As many as a power of two, so that every number is one of a width: none is compared with how many there are.
        _widths = new byte[BitOperations.RoundUpToPowerOf2((uint)Math.Max(1, variables.Count))];
        // One that is never written has the width of another, so that a circuit tells as few apart as it can.
        Array.Fill(_widths, (byte)(variables.FirstOrDefault(v => v.IsWritable)?.Width ?? 0));
        foreach (var (number, variable) in variables.Index().Where(v => v.Item.IsWritable))
            _widths[number] = (byte)variable.Width;
    }

    /// <summary>Requests that were done.</summary>
    public Counter Done { get; } = new();

    /// <summary>Requests with a right tag that were refused.</summary>
    public Counter Refused { get; } = new();

    /// <summary>Packets that are too short, or whose tag shows that the sender does not know the key.</summary>
    public Counter Unauthenticated { get; } = new();

    /// <summary>Packets that came in a window of <see cref="Spacing"/> of which one was looked at.</summary>
    public Counter Limited { get; } = new();

    /// <summary>Frames that came while the service was stopped, and for which there was no room.</summary>
    public Counter Lost { get; } = new();

    /// <summary>True for a frame to the controller; the service does not see it.</summary>
    /// <remarks>
    /// Each frame is asked this. The JIT has a budget for what a method calls inline, and what is spent here the
    /// service does not have: so it is no view of the header, but few reads, one of them for most frames. It has no
    /// effects, so what a processor has loaded of the frame is still known behind it.
    /// </remarks>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool Takes(in Frame frame)
    {
        var bytes = frame.Bytes;
        return bytes[TypeOffset + 1] == LowType && bytes[TypeOffset] == HighType
            && BinaryPrimitives.ReadUInt64BigEndian(bytes) >> BehindAddress == _addressBits;
    }

    /// <summary>
    /// Does what a frame asks for, and makes it the reply. One that is not authentic is dropped, as is one that comes
    /// too soon after another.
    /// </summary>
    /// <param name="frame">A frame that it takes.</param>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public void Receive(ref Frame frame)
    {
        var window = frame.Time / Spacing;
        if (_hasLooked && window == _memory[ControllerWord.Time] / Spacing) Limited.Increment();
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
        _hasLooked = true;
        _memory[ControllerWord.Time] = frame.Time;
        var ethernet = new Ethernet(frame);
        var bytes = ethernet.Payload;
        if (bytes.Length < DirectionPacket.Length || !TryAnswer(bytes[..DirectionPacket.Length], frame.Time))
        {
            Unauthenticated.Increment();
            return;
        }
        _memory.Write(bytes[..DirectionPacket.Length]);
        (ethernet.Source, ethernet.Destination) = (_address, ethernet.Source);
        frame.Reply();
    }

    /// <summary>Does what a packet asks for, and makes it the reply.</summary>
    /// <returns>True if its tag is right; else nothing has changed.</returns>
    private bool TryAnswer(ReadOnlySpan<byte> bytes, ulong time)
    {
        _memory.Read(bytes);
        if (!IsOfSession()) return false;
        _memory[ControllerWord.Given] = _memory[ControllerWord.Tag];
        _memory[ControllerWord.Tag] = _memory[ControllerWord.Zero];
        var isBegin = Kind == DirectionKind.Begin;
        // All hashes are computed at one place, of which a circuit has one copy.
        for (var (step, status) = (Step.Check, DirectionStatus.Done); ;)
        {
            var isDrawn = step == Step.Draw;
            _memory[ControllerWord.First] = _memory[isDrawn ? ControllerWord.Boot : ControllerWord.Zero];
            _memory[ControllerWord.Second] = _memory[
                isDrawn ? ControllerWord.Time : isBegin ? ControllerWord.Zero : ControllerWord.Fresh];
            _memory[ControllerWord.First] = _memory.Hash(_key);
            if (step == Step.Check)
            {
                if (_memory[ControllerWord.First] != _memory[ControllerWord.Given]) return false;
                _end = time + _lease;
                status = Answer(out var isBegun);
                step = Step.Draw;
                if (isBegun) continue;
            }
            else if (isDrawn)
            {
                _memory[ControllerWord.Fresh] = _memory[ControllerWord.First];
                _memory[ControllerWord.Number] = _memory[ControllerWord.First];
            }
            else
            {
                _memory[ControllerWord.Tag] = _memory[ControllerWord.First];
                return true;
            }
            _memory[ControllerWord.Head] = _memory[ControllerWord.Head] & ~(Byte << StatusLow)
                | (ulong)status << StatusLow | ReplyBit;
            step = Step.Sign;
        }
    }

    /// <summary>The purpose of a hash.</summary>
    private enum Step
    {
        Check,
        Draw,
        Sign,
    }

    /// <summary>The request; of a reply none that there is.</summary>
    private DirectionKind Kind => (DirectionKind)(byte)(_memory[ControllerWord.Head] >> KindLow);

    private uint Name => (uint)(_memory[ControllerWord.Name] >> HalfBits);

    private uint Index => (uint)_memory[ControllerWord.Name];

    /// <summary>True for a request to begin a session, or one of the session that is open.</summary>
    private bool IsOfSession() =>
        (_memory[ControllerWord.Head] & ReplyBit) == 0 && (Kind == DirectionKind.Begin || (_isOpen && IsSession()));

    private bool IsSession() =>
        _memory[ControllerWord.Session] >> HalfBits == _memory[ControllerWord.LastSession] >> HalfBits;

    /// <summary>Does an authentic request and makes it the reply, but for its head and tag.</summary>
    /// <param name="isBegun">True if it begins a session, for which a fresh number is to be drawn.</param>
    private DirectionStatus Answer(out bool isBegun)
    {
        isBegun = false;
        var head = _memory[ControllerWord.Head];
        var status = (byte)(head >> VersionLow) != DirectionPacket.CurrentVersion ? DirectionStatus.UnknownVersion
            : (ushort)(head >> LengthLow) != DirectionPacket.Length ? DirectionStatus.BadLength
            : Kind == DirectionKind.Begin ? Begin(out isBegun)
            : Do();
        (status == DirectionStatus.Done ? Done : Refused).Increment();
        if (_isStopped) _memory[ControllerWord.Shown] |= StoppedBit;
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
            _memory[ControllerWord.Number] = _memory[ControllerWord.Fresh];
        return DirectionStatus.Done;
    }

    /// <summary>
    /// Does a request of the session once: one that comes again, since its answer was lost, is answered and not done.
    /// </summary>
    private DirectionStatus Do()
    {
        var (sequence, last) = ((uint)_memory[ControllerWord.Session], (uint)_memory[ControllerWord.LastSession]);
        _isAgain = sequence == last && _memory[ControllerWord.Given] == _memory[ControllerWord.LastTag];
        if (!_isAgain && sequence <= last) return DirectionStatus.OldSequence;
        _memory[ControllerWord.LastTag] = _memory[ControllerWord.Given];
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
            _memory[ControllerWord.HighValue] = Done.Value;
            _memory[ControllerWord.LowValue] = Unauthenticated.Value;
            _memory[ControllerWord.Shown] = _memory[ControllerWord.Variables];
            return DirectionStatus.Done;
        }
        if (kind is not (DirectionKind.Describe or DirectionKind.Read or DirectionKind.Write))
            return DirectionStatus.UnknownKind;
        var isDescribed = kind == DirectionKind.Describe;
        var entry = Find(isDescribed);
        if (entry == 0) return DirectionStatus.UnknownName;
        _memory[ControllerWord.Shown] = _memory[entry, DirectoryWord.Shown];
        return isDescribed ? Describe(entry) : Access(entry, isRead: kind == DirectionKind.Read);
    }

    /// <summary>Has the service go on. A request that comes again, which has done so, is done.</summary>
    private DirectionStatus Continue()
    {
        if (!_isAgain) (_isTaken, _isStopped) = (_isStopped, false);
        return _isTaken ? DirectionStatus.Done : DirectionStatus.NotStopped;
    }

    private DirectionStatus Describe(ushort entry)
    {
        var (part, parts) = (Name, _memory[entry, DirectoryWord.Parts]);
        if (part >= (uint)(parts >> HalfBits)) return DirectionStatus.IndexOutOfRange;
        var pair = (uint)parts + part;
        _memory[ControllerWord.HighValue] = _memory.NamePart(pair, 0);
        _memory[ControllerWord.LowValue] = _memory.NamePart(pair, 1);
        _memory[ControllerWord.Name] = _memory[entry, DirectoryWord.Name];
        return DirectionStatus.Done;
    }

    private DirectionStatus Access(ushort entry, bool isRead)
    {
        var index = Index;
        if (index >= (uint)_memory[ControllerWord.Shown]) return DirectionStatus.IndexOutOfRange;
        var number = (int)(entry - _memory.FirstEntry);
        if (isRead)
        {
            _state.Read(number, (int)index, this);
            return DirectionStatus.Done;
        }
        if (!_hasWritable || (byte)(_memory[ControllerWord.Shown] >> WritableLow) == 0)
            return DirectionStatus.NotWritable;
        var bits = new UInt128(_memory[ControllerWord.HighValue], _memory[ControllerWord.LowValue]);
        var width = _widths[number & (_widths.Length - 1)];
        if (width < 2 * WordBits && bits >> width != 0) return DirectionStatus.TooWide;
        if (_memory.HasMost && index == (uint)ProbeSetting.Most)
            _memory[number] = _memory[ControllerWord.LowValue];
        // A request that comes again has the outcome that it had.
        if (!_isAgain) _isTaken = _state.Write(number, (int)index, bits);
        return _isTaken ? DirectionStatus.Done : DirectionStatus.NotTaken;
    }

    /// <summary>Makes a value that of the reply under way.</summary>
    /// <param name="value">The bits of an element, in the low ones.</param>
    public void Show(UInt128 value)
    {
        _memory[ControllerWord.LowValue] = (ulong)value;
        _memory[ControllerWord.HighValue] = (ulong)(value >> WordBits);
    }

    /// <summary>Makes a count that of the reply under way, and above it the most that is to be shown of it.</summary>
    /// <param name="events">The count.</param>
    /// <param name="variable">The number of its variable.</param>
    public void ShowCount(ulong events, int variable)
    {
        _memory[ControllerWord.LowValue] = events;
        _memory[ControllerWord.HighValue] = _memory[variable];
    }

    /// <summary>Looks for the entry of the variable that is named, or that has the number of the index.</summary>
    /// <returns>Its entry; 0 if there is none.</returns>
    private ushort Find(bool isDescribed)
    {
        var wanted = _memory[ControllerWord.Name];
        for (var entry = _memory.FirstEntry; entry != (ushort)_memory[ControllerWord.LastEntry]; entry++)
        {
            var known = _memory[entry, DirectoryWord.Name];
            if (isDescribed ? (uint)known == (uint)wanted : known >> HalfBits == wanted >> HalfBits) return entry;
        }
        return 0;
    }
}
