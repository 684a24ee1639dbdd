using System.Reflection;
using Emu.Compiler.Diagnostics;
using Emu.Compiler.IR;

namespace Emu.Compiler.Frontend;

/// <summary>Arrays of several dimensions of threads: their rows, one behind the other.</summary>
internal sealed partial class Translator
{
    /// <summary>A call on an array, as C# makes of an element of one of several dimensions; false for others.</summary>
    private bool TryCallOfDimensions(MethodBase method, AbstractValue[] arguments, out AbstractValue? result)
    {
        result = null;
        var isElement = method.DeclaringType is { IsArray: true } && !method.IsConstructor;
        if (!isElement && method.DeclaringType != typeof(Array)
            || arguments is not [Reference given, ..] || !given.Candidates.Any(candidate => candidate is Array))
            return false;
        var array = NotNull(given);
        if (_builder.Current is null) result = Nothing(method);
        else if (!isElement) return TryGetLength(method.Name, array, arguments, out result);
        else result = UseElement(method.Name, array, arguments);
        return true;
    }

    private AbstractValue? UseElement(string name, Reference array, AbstractValue[] arguments)
    {
        var rank = ((Array)array.Candidates[0]!).Rank;
        var element = ElementAt(array, [.. arguments[1..(1 + rank)].Select(index => ((Scalar)index).Value)]);
        switch (name)
        {
            case "Get":
                return _storage.Load(element);
            case "Set":
                _storage.Store(element, arguments[^1]);
                return null;
            default:
                return new Pointer(element);
        }
    }

    /// <summary>An element, if each index is inside its dimension.</summary>
    private ElementLocation ElementAt(Reference array, Value[] indices)
    {
        Value at = SsaBuilder.Constant(32, 0);
        for (var i = 0; i < indices.Length; i++)
        {
            var length = LengthOf(array, i);
            _builder.Require(
                _builder.Emit(Opcode.LessUnsigned, 1, indices[i], length), FaultKind.IndexOutOfRange);
            at = _builder.Emit(Opcode.Add, 32, _builder.Emit(Opcode.Multiply, 32, at, length), indices[i]);
        }
        var rows = array.With([.. array.Candidates.Select(candidate => _state.RowsOf((Array)candidate!))]);
        return new ElementLocation(rows, at, rows.Candidates[0]!.GetType().GetElementType()!, []);
    }

    /// <summary>The length of an array in a dimension, of width 32.</summary>
    private Value LengthOf(Reference array, int dimension) => _builder.Choose(
        [
            .. array.Candidates.Select(
                candidate => SsaBuilder.Constant(32, (UInt128)((Array)candidate!).GetLength(dimension))),
        ],
        array.Selector);

    private bool TryGetLength(string name, Reference array, AbstractValue[] arguments, out AbstractValue? result)
    {
        result = null;
        switch (name)
        {
            case nameof(Array.GetLowerBound):
                result = new Scalar(SsaBuilder.Constant(32, 0));
                break;
            case nameof(Array.GetLength) or nameof(Array.GetUpperBound)
                when arguments[1] is Scalar { Value: Constant dimension }:
                var length = LengthOf(array, (int)dimension.Bits);
                result = new Scalar(name == nameof(Array.GetLength)
                    ? length
                    : _builder.Emit(Opcode.Subtract, 32, length, SsaBuilder.Constant(32, 1)));
                break;
            case "get_Rank":
                result = new Scalar(SsaBuilder.Constant(32, (UInt128)((Array)array.Candidates[0]!).Rank));
                break;
            case "get_Length":
                result = new Scalar(_builder.Choose(
                    [
                        .. array.Candidates.Select(
                            candidate => SsaBuilder.Constant(32, (UInt128)((Array)candidate!).Length)),
                    ],
                    array.Selector));
                break;
            default:
                return false;
        }
        return true;
    }

    /// <summary>A new array of several dimensions.</summary>
    private Reference NewArray(Type type, AbstractValue[] lengths)
    {
        RequireElaboration($"an array of {type.GetElementType()!.Name}");
        int[] known =
        [
            .. lengths.Select(length => length is Scalar { Value: Constant count } && count.Bits <= int.MaxValue
                ? (int)count.Bits
                : throw Refuse(
                    DiagnosticNumber.UnknownObject, "the length of an array is not known; give it a constant")),
        ];
        return new Reference(Made(() => Array.CreateInstance(type.GetElementType()!, known)));
    }
}
