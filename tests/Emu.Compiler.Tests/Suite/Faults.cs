namespace Suite;

/// <summary>Each kind of fault, in the middle of writes; copies that were sent before stand too.</summary>
public sealed class Faults : Service
{
    private readonly int[] _array = new int[4];
    private readonly Holder? _none;
    private readonly Holder _some = new();
    private int _steps;

    public override void Process(ref Frame frame)
    {
        frame.Flood();
        var (a, b) = (
            BinaryPrimitives.ReadInt32BigEndian(frame.Bytes[26..]),
            BinaryPrimitives.ReadInt32BigEndian(frame.Bytes[42..]));
        _steps++;
        frame.Send(PortSet.First(2));
        frame.Bytes[14]++;
        switch (a & 7)
        {
            case 0:
                _array[b & 7]++;
                break;
            case 1:
                _array[1] = a / (b & 3);
                break;
            case 2:
                _array[2] = checked(a + b);
                break;
            case 3:
                _steps += _none!.Number;
                break;
            case 4:
                _array[3] = a % b;
                break;
            case 5:
                (b > 0 ? _some : _none)!.Number = b;
                break;
            case 6:
                frame.Resize(b);
                break;
            default:
                frame.Send(PortSet.Parse3());
                break;
        }
        _steps += 10;
    }

    private sealed class Holder
    {
        public int Number;
    }
}

internal static class Ports
{
    extension(PortSet)
    {
        public static PortSet Parse3() => new(3);
    }
}
