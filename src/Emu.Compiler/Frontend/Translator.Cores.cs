using System.Reflection;
using Emu.Compiler.Diagnostics;
using Emu.Compiler.IR;
using Emu.Compiler.Metadata;

namespace Emu.Compiler.Frontend;

internal sealed partial class Translator
{
    /// <summary>A call of a method that a Verilog module stands for: one operation.</summary>
    private AbstractValue? CallCore(MethodInfo method, AbstractValue[] arguments)
    {
        var target = method.IsStatic ? null : KnownTarget(method, arguments[0]);
        if (_state.IsStatic(target)) throw Refuse(Refusals.Refusal.WrittenStatic);
        var core = _state.Core(method, target);
        var given = method.IsStatic ? arguments : arguments[1..];
        var parameters = method.GetParameters();
        var call = _builder.Add(new Operation(
            Opcode.CoreCall, core.Width,
            parameters.Where(p => !p.IsOut)
                .Zip(core.Inputs, (p, port) => Resized(OperandOf(given[p.Position]), port.Width)))
        {
            State = [core],
            Location = _builder.Location,
        });

        var low = 0;
        AbstractValue Result(Type type)
        {
            var width = Number.KeyWidth(type)!.Value;
            low += width;
            var bits = width == call.Width
                ? call
                : _builder.Add(new Operation(Opcode.Extract, width, call)
                {
                    Low = low - width,
                    Location = _builder.Location,
                });
            return OfNumber(type, Resized(bits, Number.Width(type)!.Value));
        }

        var returned = method.ReturnType == typeof(void) ? null : Result(method.ReturnType);
        foreach (var parameter in parameters.Where(p => p.IsOut))
        {
            var result = Result(parameter.ParameterType.GetElementType()!);
            _storage.Store(((Pointer)given[parameter.Position]).Target, result);
        }
        return returned;
    }

    private Value Resized(Value value, int width) =>
        value.Width == width ? value
        : _builder.Emit(value.Width > width ? Opcode.Truncate : Opcode.ZeroExtend, width, value);

    private object KnownTarget(MethodInfo method, AbstractValue receiver) => receiver switch
    {
        Reference reference when NotNull(reference) is { IsKnown: true, Target: { } known } => known,
        _ => throw Refuse(
            DiagnosticNumber.UnknownObject,
            $"{method.Name} of one of several objects, which is a Verilog module; call each in its own branch"),
    };

    /// <summary>The number that a value is, or that a struct of one number has.</summary>
    private static Value OperandOf(AbstractValue value) =>
        value is Struct { Fields: [var only] } ? OperandOf(only) : ((Scalar)value).Value;

    private static AbstractValue OfNumber(Type type, Value number) => Types.Width(type) is not null
        ? new Scalar(number)
        : new Struct(StructShape.Of(type), [OfNumber(Number.Only(type)!.FieldType, number)]);
}
