// A field that nothing but the constructor writes, needed only to decide whether there is a fault:
// in the pipeline it became 0.
public sealed class FieldOfConstructorInFault : Service
{
    private readonly byte[] _few = new byte[11];
    private interface IUnit { int Step(); }
    private sealed class Plain : IUnit { public int Step() => 0; }
    private sealed class Mixer(int by) : IUnit { public int Step() => by; }
    private readonly IUnit[] _units = [new Plain(), new Mixer(38), new Plain(), new Mixer(1)];

    public override void Process(ref Frame frame)
    {
        int source = frame.Bytes[11];
        _ = _few[_units[source].Step()];
    }
}
