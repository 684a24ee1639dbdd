using Emu.Compiler.IR;

namespace Emu.Compiler.Frontend;

/// <summary>
/// Goes through abstract values, and makes others of the same structure: with other numbers, and other variables that
/// pointers lead to.
/// </summary>
/// <param name="number">Makes the number of each number, in the order in which they stand.</param>
/// <param name="variable">Makes the variable of each variable that a pointer leads to.</param>
/// <param name="structure">Told of all else, in its order: values of the same structure tell the same.</param>
internal sealed class ValueMap(
    Func<Value, Value> number, Func<Slot, Slot> variable, Action<object?>? structure = null)
{
    /// <summary>False if a value was of a kind that cannot be made again somewhere else.</summary>
    public bool IsWhole { get; private set; } = true;

    /// <summary>The value with other numbers and variables.</summary>
    public AbstractValue Of(AbstractValue value)
    {
        Tell(value.GetType());
        switch (value)
        {
            case Scalar scalar:
                return new Scalar(Number(scalar.Value));
            case Reference reference:
                return Of(reference);
            case SpanValue span:
                Tell(span.IsDefault, span.Array is not null, span.Local is not null);
                var array = span.Array is null ? null : Of(span.Array);
                var local = span.Local is null ? null : Of(span.Local);
                return new SpanValue(array, span.IsDefault, Number(span.Start), Number(span.Length), local);
            case Struct whole:
                Tell(new Identity(whole.Shape));
                return whole with { Fields = [.. whole.Fields.Select(Of)] };
            case Pointer pointer:
                return new Pointer(Of(pointer.Target));
            case MethodPointer method:
                Tell(method.Method);
                return method;
            case DelegateValue made:
                Tell(made.Method, made.Receiver is not null);
                return made with { Receiver = made.Receiver is null ? null : Of(made.Receiver) };
            case DataPointer data:
                Tell(data.Field);
                return data;
            default:
                IsWhole = false;
                return value;
        }
    }

    private Reference Of(Reference reference)
    {
        Tell(reference.Candidates.Count, reference.Selector is not null);
        foreach (var candidate in reference.Candidates) Tell(new Identity(candidate));
        return reference with { Selector = reference.Selector is null ? null : Number(reference.Selector) };
    }

    private LocalArray Of(LocalArray array)
    {
        Tell(new Identity(array.Shape));
        return array with { Location = Of(array.Location) };
    }

    private StorageLocation Of(StorageLocation location)
    {
        Tell(location.GetType(), location.Type, string.Join('.', location.Path));
        switch (location)
        {
            case LocalLocation local:
                return local with { Slot = variable(local.Slot) };
            case FieldLocation field:
                Tell(field.Info);
                return field with { Owner = Of(field.Owner) };
            case ElementLocation element:
                return element with { Array = Of(element.Array), Index = Number(element.Index) };
            case LocalElementLocation element:
                return element with { Array = Of(element.Array), Index = Number(element.Index) };
            case FrameLocation frame:
                return new FrameLocation(Number(frame.Offset));
            default:
                IsWhole = false;
                return location;
        }
    }

    private Value Number(Value value)
    {
        Tell(value.Width);
        return number(value);
    }

    private void Tell(params ReadOnlySpan<object?> what)
    {
        foreach (var part in what) structure?.Invoke(part);
    }

    /// <summary>An object that is told from others by what it is, not by what it holds.</summary>
    private readonly struct Identity(object? target) : IEquatable<Identity>
    {
        private readonly object? _target = target;

        public bool Equals(Identity other) => ReferenceEquals(_target, other._target);

        public override bool Equals(object? obj) => obj is Identity other && Equals(other);

        public override int GetHashCode() => System.Runtime.CompilerServices.RuntimeHelpers.GetHashCode(_target);
    }
}
