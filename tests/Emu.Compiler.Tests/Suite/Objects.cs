namespace Suite;

/// <summary>
/// Objects made by the constructor: nested, shared, in arrays, called through base classes and interfaces.
/// </summary>
public sealed class Objects : Service
{
    private readonly Node _left;
    private readonly Node _right;
    private readonly Node _shared = new() { Weight = 9 };
    private readonly Shape[] _shapes = [new Circle(3), new Square(4), new Circle(5), new Square(2)];
    private readonly Circle[] _circles = [new Circle(1), new Circle(2)];
    private readonly IStep _step = new Doubler();
    private readonly Node? _missing;
    private readonly Func<int, int> _delegate;
    private readonly Node?[] _some;
    private int _area;

    public Objects()
    {
        _left = new Node { Next = _shared, Weight = 1 };
        _right = new Node { Next = _shared, Weight = 2 };
        _delegate = _shared.Weigh;
        _some = [_left, null, _right, _shared];
    }

    public override void Process(ref Frame frame)
    {
        frame.Flood();
        var a = frame.Bytes[29];
        _left.Next!.Weight += a;
        if (_right.Next == _shared) _right.Next!.Weight ^= 3;
        var side = a > 100 ? _left : _right;
        side.Weight++;
        if (side == _left) _area++;
        foreach (var shape in _shapes) _area = unchecked(_area * 3 + shape.Area() + shape.Double());
        _area += _shapes[a & 3].Area() + _shapes[1].Area();
        _circles[a & 1].Grow(a);
        _area ^= _circles[frame.Bytes[45] & 1].Area();
        _area += _step.Apply(a) + _step.ApplyTwice(a);
        if (_shapes[a & 3] is Circle circle) circle.Grow(1);
        if (_missing is not null) _area = 0;
        _area += _missing?.Weight ?? 5;
        _area += _delegate(a);
        _area += _some[a & 3]?.Weight ?? -7;
        if (_some[frame.Bytes[45] & 3] is { Weight: > 4 } some) some.Weight--;
        _area += this[a];
        this[3] = _area;
        if (a > 250) _some[frame.Bytes[45] & 3]!.Weight = 1;
        if (a == 255) _area = _missing!.Weight;
    }

    private int this[int i]
    {
        get => _left.Weight + i;
        set => _right.Weight = value & 0xFF + i;
    }

    private sealed class Node
    {
        public Node? Next;
        public int Weight;

        public int Weigh(int a) => unchecked(Weight * a);
    }

    private abstract class Shape(int size)
    {
        protected int Size = size;

        public abstract int Area();

        public virtual int Double() => 2 * Area();
    }

    private sealed class Circle(int size) : Shape(size)
    {
        public override int Area() => unchecked(3 * Size * Size);

        public void Grow(int by) => Size += by;
    }

    private sealed class Square(int size) : Shape(size)
    {
        private int _asked;

        public override int Area()
        {
            _asked++;
            return unchecked(Size * Size + _asked);
        }

        public override int Double() => unchecked(base.Double() + 1);
    }

    private interface IStep
    {
        int Apply(int a);

        int ApplyTwice(int a) => Apply(Apply(a));
    }

    private sealed class Doubler : IStep
    {
        public int Apply(int a) => unchecked(2 * a);
    }
}
