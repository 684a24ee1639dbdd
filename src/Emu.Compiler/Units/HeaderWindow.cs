using Emu.Compiler.IR;
using Emu.Compiler.Layouts;
using Emu.Compiler.Rewriting;
using Emu.Compiler.Rtl;

namespace Emu.Compiler.Units;

/// <summary>
/// The first bytes of a frame, all at once in the cycle in which the last of them is accepted, or the last of a shorter
/// frame: those of this beat from the pins, those of earlier beats from flops.
/// </summary>
/// <remarks>
/// A frame that is shorter than Ethernet allows is filled up by beats that did not come. So no header is complete so
/// soon after the one before that frames of full length would have to wait for what might be such a frame; and a byte
/// of a beat that every frame has before its last comes from flops alone, without a choice between these and the pins.
/// </remarks>
internal sealed class HeaderWindow
{
    private readonly Netlist _n;
    private readonly int _lanes;
    private readonly int _beats;
    private readonly int _least;
    private readonly InputPort _data;
    private readonly List<Flop> _isBeat = [];
    private readonly Dictionary<int, Value> _bytes = [];
    private readonly Section _section;
    private readonly List<(Value IsValid, Value IsStart)> _payload = [];
    private readonly List<IReadOnlyList<Value>> _payloadData = [];
    private readonly Value _user;
    private readonly Value _accept;
    private readonly Value _steps;

    /// <summary>Declares the stream's inputs.</summary>
    /// <param name="netlist">The netlist in which it is made.</param>
    /// <param name="options">The device.</param>
    /// <param name="bytes">The number of bytes that the service looks at.</param>
    public HeaderWindow(Netlist netlist, HardwareOptions options, int bytes)
    {
        (_n, _lanes) = (netlist, options.Lanes);
        _beats = (bytes + _lanes - 1) / _lanes;
        _least = Math.Min(_beats, options.ShortestBeats);
        _section = _n.Begin("header: the beats that the service looks at");
        _data = _n.Input("s_axis_tdata", options.BusBits);
        Keep = new InputBits(_n.Input("s_axis_tkeep", _lanes), 0, _lanes);
        var valid = new InputBits(_n.Input("s_axis_tvalid", 1), 0, 1);
        IsLast = new InputBits(_n.Input("s_axis_tlast", 1), 0, 1);
        _user = new InputBits(_n.Input("s_axis_tuser", StreamUserLayout.Bits), 0, StreamUserLayout.Bits);
        Ready = _n.AddFlop("s_axis_tready", 1, 0);
        _accept = _n.AddWire("accept", _n.And(valid, Ready));
        _n.Output("s_axis_tready", Ready);
        Data = [.. Enumerable.Range(0, _lanes).Select(i => new InputBits(_data, 8 * i, 8))];

        // One-hot: which beat of the frame is next; behind the window none of these.
        for (var i = 0; i < _beats; i++) _isBeat.Add(_n.AddFlop($"beat_{i}", 1, i == 0 ? 1u : 0u));
        var isShort = _n.ReduceOr(_isBeat.Take(_least - 1));
        Goes = _least > 1 ? _n.AddFlop("goes", 1, 0, "the window takes a beat, or fills up a frame") : Ready;
        IsFilling = _least > 1 ? Filling(isShort) : FoldingBuilder.Bit(false);
        var fills = Named("fills", _n.And(Goes, IsFilling));
        var ends = Named("last", _n.And(_n.Or(IsLast, fills), _n.Not(isShort)));
        var steps = _steps = Named("steps", _n.Or(_accept, fills));
        for (var i = 0; i < _beats; i++)
            (_isBeat[i].Next, _isBeat[i].Enable) = (i == 0 ? ends : _n.And(_isBeat[i - 1], _n.Not(ends)), steps);
        Ends = _n.And(steps, ends);
        Start = _n.AddWire(
            "start", _n.And(steps, _n.Or(_isBeat[^1], _n.And(ends, _n.ReduceOr(_isBeat)))), "the header is complete");
        User = _beats == 1 ? _user : Held(0, _user, _n.Registered("user", _user, 0, _n.And(_accept, _isBeat[0])));
    }

    /// <summary>True if a beat from the pins is taken.</summary>
    public Flop Ready { get; }

    public Value Keep { get; }

    public Value IsLast { get; }

    public IReadOnlyList<Value> Data { get; }

    /// <summary>1 in a cycle in which a beat is accepted.</summary>
    public Value Accept => _accept;

    /// <summary>True if a beat now would be a frame's first.</summary>
    public Value IsFirst => _isBeat[0];

    /// <summary>True if a beat now would be one of those that the service looks at.</summary>
    public Value IsInHeader => _n.ReduceOr(_isBeat);

    /// <summary>1 in the cycle in which all is there.</summary>
    public Value Start { get; }

    /// <summary><c>tuser</c> of the frame's first beat.</summary>
    public Value User { get; }

    /// <summary><c>tuser</c> of the beat: the frame's when it is the first.</summary>
    public Value UserNow => _user;

    public Value Length => _n.Extract(User, 0, StreamUserLayout.LengthBits);

    public Value Source => _n.Extract(User, StreamUserLayout.SourceLow, 8);

    public Value Time => _n.Extract(User, StreamUserLayout.TimeLow, 64);

    /// <summary>1 in the cycle of a frame's last beat, be it one that fills it up.</summary>
    public Value Ends { get; }

    /// <summary>Beats that the service looks at, the last of which completes the header.</summary>
    public int Beats => _beats;

    /// <summary>Beats that the window takes of every frame, those that fill it up among them.</summary>
    public int LeastBeats => _least;

    /// <summary>True if the header would be complete with a beat in the next cycle, be it the frame's last.</summary>
    public Value MayStart =>
        _n.ReduceOr(_isBeat.Skip(_least - 1).Select(beat => _n.Select(beat.Enable!, beat.Next, beat)));

    /// <summary>
    /// True if the window takes something in the next cycle: a beat from the pins, or one that fills up a frame.
    /// </summary>
    public Flop Goes { get; }

    /// <summary>The offset of the first byte of the last beat that the service looks at.</summary>
    public int LastBeatOffset => (_beats - 1) * _lanes;

    /// <summary>1 when the last beat of a frame has come that is to be filled up.</summary>
    private Value IsFilling { get; }

    /// <summary>
    /// Readiness for the next cycle: whether the window goes on, and whether beats from the pins are
    /// what it takes then.
    /// </summary>
    public void GoOn(Value condition)
    {
        Goes.Next = condition;
        if (_least > 1) Ready.Next = _n.And(condition, _n.Not(((Flop)IsFilling).Next!));
    }

    /// <summary>
    /// Some cycles after a beat was accepted: whether it is the window's last or behind it,
    /// and whether with it the header is complete.
    /// </summary>
    public (Value IsValid, Value IsStart) Payload(int cycles)
    {
        _n.Continue(_section);
        if (_payload.Count == 0)
        {
            var isBehind = _n.And(_accept, _n.Not(_n.ReduceOr(_isBeat)));
            _payload.Add(
                (_n.AddWire("payload", _n.Or(Start, isBehind), "a beat behind the header, or its last"), Start));
        }
        for (var i = _payload.Count; i <= cycles; i++)
            _payload.Add((
                _n.Registered($"payload_{i}", _payload[^1].IsValid, 0),
                _n.Registered($"payload_start_{i}", _payload[^1].IsStart, 0)));
        return _payload[cycles];
    }

    /// <summary>
    /// 1 in the cycle of each of a frame's beats from one on, those that fill it up among them, or of a shorter frame's
    /// last.
    /// </summary>
    public Value BeatsFrom(int first)
    {
        _n.Continue(_section);
        var isBefore = _n.ReduceOr(_isBeat.Take(first));
        return _n.Or(Ends, _n.And(_steps, _n.Not(isBefore)));
    }

    /// <summary>The bytes of the beat that was accepted some cycles ago.</summary>
    public IReadOnlyList<Value> PayloadData(int cycles)
    {
        _n.Continue(_section);
        for (var i = _payloadData.Count; i <= cycles; i++)
            _payloadData.Add(i == 0
                ? Data
                : [.. _payloadData[^1].Select((lane, at) => (Value)_n.RegisteredPart($"payload_data_{i}", -at, lane))]);
        return _payloadData[cycles];
    }

    /// <summary>A byte of the frame in the cycle of <see cref="Start"/>; anything if the frame is shorter.</summary>
    public Value Byte(int offset)
    {
        if (_bytes.TryGetValue(offset, out var known)) return known;
        var beat = offset / _lanes;
        var now = Data[offset % _lanes];
        if (beat == _beats - 1) return _bytes[offset] = now;
        _n.Continue(_section);
        var held = _n.RegisteredPart("header", -offset, now, _n.And(_accept, _isBeat[beat]));
        return _bytes[offset] = Held(beat, now, held);
    }

    /// <summary>The bits that came with a beat: with this one, where a frame may end with it.</summary>
    private Value Held(int beat, Value now, Value held) =>
        beat < _least - 1 ? held : _n.Select(_isBeat[beat], now, held);

    private Value Named(string name, Value value) => _least > 1 ? _n.AddWire(name, value) : value;

    private Flop Filling(Value isShort)
    {
        var filling = _n.AddFlop("filling", 1, 0, "a frame ended sooner than Ethernet allows");
        filling.Next = _n.Or(
            _n.And(_n.And(_accept, IsLast), isShort), _n.And(filling, _n.Not(_n.And(Goes, _isBeat[_least - 1]))));
        return filling;
    }
}
