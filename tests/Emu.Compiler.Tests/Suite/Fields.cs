namespace Suite;

/// <summary>
/// Fields of every kind: numbers, structs, nullables, properties, static read-only ones and constants.
/// </summary>
public sealed class Fields : Service
{
    private const int Step = 3;
    private static readonly Range s_range = new(5, 9);
    private static readonly UInt128 s_wide = (UInt128)7 << 90;

    private readonly int _fixed = 11;
    private byte _byte = 250;
    private sbyte _signed = -3;
    private ushort _short = 65_000;
    private int _int = -1;
    private uint _uint;
    private long _long = long.MinValue;
    private ulong _ulong;
    private bool _flag = true;
    private char _char = 'q';
    private UInt128 _widest = s_wide;
    private Int128 _signedWidest = -5;
    private DayOfWeek _day = DayOfWeek.Friday;
    private int? _maybe;
    private Range _range = s_range;
    private Plain _plain = new() { Low = 4 };
    private (byte First, Range Second) _both = (3, new Range(1, 2));
    private readonly Range _fixedRange = new(100, 200);

    public Counter Frames { get; } = new();

    public int Property { get; private set; } = 4;

    public MacAddress Last { get; private set; }

    private int Derived
    {
        get => _int + Step;
        set => _int = value * _fixed;
    }

    public override void Process(ref Frame frame)
    {
        frame.Flood();
        Frames.Increment();
        var a = frame.Bytes[29];
        unchecked
        {
            _byte += a;
            _signed -= (sbyte)a;
            _short ^= (ushort)(a << 7);
            _uint = _uint * 5 + a;
            _long >>= a & 3;
            _ulong += (ulong)_long;
            _widest = _widest * 3 + a;
            _signedWidest = _signedWidest * -7 >> 1;
        }
        _flag ^= a > 77;
        _char++;
        _day = (DayOfWeek)(((int)_day + 1) % 7);
        _maybe = (a & 3) switch { 0 => null, 1 => _maybe + 1, _ => a };
        if (_maybe is > 100) _range.High++;
        _range = _flag ? new Range(_range.Low + 1, _range.High) : _range with { Low = a };
        _both.Second.High ^= a;
        _both.First--;
        Property += _range.Low + _fixedRange.High;
        Derived = Derived & 0xFFFF;
        Last = new Ethernet(frame).Source;
        Interval(ref _int, ref _plain.High);
    }

    private static void Interval(ref int a, ref int b) => (a, b) = (b, a & 0xFF);

    private struct Plain
    {
        public byte Low;
        public int High;
    }

    private record struct Range(int Low, int High);
}
