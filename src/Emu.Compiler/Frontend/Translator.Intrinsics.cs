using System.Reflection;
using Emu.Compiler.Diagnostics;
using Emu.Compiler.IR;

namespace Emu.Compiler.Frontend;

internal sealed partial class Translator
{
    /// <summary>A call of a method that is an operation: that, or where it has no unit, what it does.</summary>
    private Scalar? CallIntrinsic(IntrinsicOperation operation, MethodBase method, AbstractValue[] arguments)
    {
        var expansion = typeof(IntrinsicExpansions).GetMethod(operation.ToString());
        if (expansion is null || !HasParametersOf(expansion, method))
            throw Refuse(
                DiagnosticNumber.NoCode,
                $"{method.Name} is marked as {operation}, which is {Signature(operation)}; "
                + "write it so, or take the attribute away");
        if (operation == IntrinsicOperation.ClearGrowth)
        {
            if (_keepsFrameOperations && arguments[1] is SpanValue { IsOfFrame: true, IsDefault: false } frame)
                _builder.Emit(Opcode.FrameResize, 1, Of(arguments[0]), frame.Length);
            else Inline(expansion, arguments);
            return null;
        }
        var wide = Of(
            Kept(operation, arguments[0]) is { } kept
                ? new Scalar(_builder.Emit(Opcode.ZeroExtend, 64, kept))
                : Inline(expansion, arguments)!);
        return new Scalar(
            ((MethodInfo)method).ReturnType == typeof(ulong) ? wide : _builder.Emit(Opcode.Truncate, 32, wide));
    }

    /// <summary>A sum over the frame, or of one, in 16 bits; null where it has to be written out.</summary>
    private Value? Kept(IntrinsicOperation operation, AbstractValue argument) => (operation, argument) switch
    {
        _ when !_keepsFrameOperations => null,
        (IntrinsicOperation.OnesComplementSum, SpanValue { IsOfFrame: true, IsDefault: false } bytes) =>
            _builder.Emit(Opcode.FrameSum, 16, bytes.Start, bytes.Length),
        (IntrinsicOperation.OnesComplementFold, Scalar sum) => _builder.Emit(Opcode.OnesSum, 16, sum.Value),
        _ => null,
    };

    private static Value Of(AbstractValue value) => ((Scalar)value).Value;

    private static bool HasParametersOf(MethodInfo expansion, MethodBase method)
    {
        var type = (method as MethodInfo)?.ReturnType;
        return method.IsStatic
            && (expansion.ReturnType == typeof(void)
                ? type == typeof(void)
                : type == typeof(ushort) || type == typeof(uint) || type == typeof(ulong))
            && expansion.GetParameters().Select(p => p.ParameterType)
                .SequenceEqual(method.GetParameters().Select(p => p.ParameterType));
    }

    private static string Signature(IntrinsicOperation operation) => operation switch
    {
        IntrinsicOperation.OnesComplementSum =>
            "a static method of a ReadOnlySpan<byte> that gives a ushort, uint or ulong",
        IntrinsicOperation.OnesComplementFold => "a static method of a ulong that gives a ushort, uint or ulong",
        IntrinsicOperation.ClearGrowth => "a static method of an int and a Span<byte> that gives nothing",
        _ => "no operation that there is",
    };
}
