using System.Reflection;
using Emu.Compiler.Diagnostics;
using Emu.Compiler.IR;
using Emu.Compiler.Refusals;

namespace Emu.Compiler.Frontend;

internal sealed partial class Translator
{
    private static partial class Intrinsics
    {
        private static Dictionary<string, Intrinsic> Objects() => new()
        {
            ["Emu.IFrameOutput.Send/3"] = (t, a, method) => CallHost(t, a, method, Send),
            ["Emu.Service.WaitForFrame/0"] = (t, _, _) => WaitForFrame(t),
            ["Emu.IEventHost.TryHold/4"] = (t, a, method) => CallHost(t, a, method, TryHold),
            ["System.Type.GetTypeFromHandle/1"] = (_, a, _) => a[0],
            ["System.Type.op_Equality/2"] = (t, a, _) =>
                new Scalar(t.CompareReferences(ComparisonInstruction.Equality, a[0], a[1])),
            ["System.Type.op_Inequality/2"] = (t, a, _) =>
                new Scalar(t.CompareReferences(ComparisonInstruction.Inequality, a[0], a[1])),
            ["System.Enum.HasFlag/1"] = (t, a, _) => HasFlag(t, a),
            ["System.Array.get_Length/0"] = (t, a, _) => new Scalar(t.LengthOf(a[0])),
            ["System.Nullable`1.get_Value/0"] = (t, a, _) => ValueOf(t, (Struct)Receiver(t, a)),
            ["System.Collections.Generic.EqualityComparer`1.get_Default/0"] =
                (_, _, method) => new Reference(method.DeclaringType!.GetProperty("Default")!.GetValue(null)),
            ["System.Collections.Generic.EqualityComparer`1.Equals/2"] =
                (t, a, method) => AreEqual(t, a[1], a[2], method.DeclaringType!.GetGenericArguments()[0]),
            ["System.Collections.Generic.Comparer`1.get_Default/0"] =
                (_, _, method) => new Reference(method.DeclaringType!.GetProperty("Default")!.GetValue(null)),
            ["System.Collections.Generic.Comparer`1.Compare/2"] =
                (t, a, method) => Order(t, a[1], a[2], method.DeclaringType!.GetGenericArguments()[0]),
            ["System.Math.ThrowNegateTwosCompOverflow/0"] = Throwing(FaultKind.Overflow),
            ["System.Math.ThrowMinMaxException/2"] = Throwing(FaultKind.IndexOutOfRange),
            ["System.ThrowHelper.ThrowOverflowException/0"] = Throwing(FaultKind.Overflow),
            ["<PrivateImplementationDetails>.ThrowSwitchExpressionException/1"] = RefuseSwitch,
            ["<PrivateImplementationDetails>.ThrowSwitchExpressionExceptionParameterless/0"] = RefuseSwitch,
        };

        /// <summary>The C# compiler calls it where no arm of a switch expression matches.</summary>
        private static AbstractValue? RefuseSwitch(
            Translator translator, AbstractValue[] arguments, MethodBase method) =>
            throw translator.Refuse(Refusal.UnmatchedSwitch);

        private static Intrinsic Throwing(FaultKind kind) => (t, _, _) =>
        {
            t._builder.Require(SsaBuilder.Constant(1, 0), kind);
            return null;
        };

        /// <summary>
        /// Calls a method of the host. One of a similar class of the service's own is called as any other.
        /// </summary>
        private static AbstractValue? CallHost(
            Translator translator, AbstractValue[] arguments, MethodBase method,
            Func<Translator, AbstractValue[], AbstractValue?> call)
        {
            var host = translator.NotNull((Reference)arguments[0]);
            if (host.Target is Host) return call(translator, arguments);
            return translator._builder.Current is null
                ? null
                : translator.CallVirtual(method, host, [host, .. arguments[1..]]);
        }

        private static AbstractValue? Send(Translator translator, AbstractValue[] arguments)
        {
            var frame = FrameOf(arguments[1]);
            translator._builder.Emit(Opcode.Send, 1, frame.Start, frame.Length, Of(((Struct)arguments[2]).Fields[0]));
            return null;
        }

        private static AbstractValue? WaitForFrame(Translator translator)
        {
            if (!translator._isInterrupt) translator._builder.Emit(Opcode.Wait, 1);
            return null;
        }

        private static Scalar TryHold(Translator translator, AbstractValue[] arguments)
        {
            var frame = FrameOf(arguments[1]);
            return new Scalar(translator._isInterrupt
                ? translator._builder.Emit(Opcode.Hold, 1, frame.Start, frame.Length, Of(arguments[4]))
                : SsaBuilder.Constant(1, 0));
        }

        private static SpanValue FrameOf(AbstractValue argument) =>
            argument is SpanValue { IsOfFrame: true } span
                ? span
                : throw new InvalidOperationException("the host got what is not the frame");

        private static Scalar HasFlag(Translator translator, AbstractValue[] arguments)
        {
            var receiver = arguments[0] switch
            {
                Boxed box => Of(box.Value),
                var other => Of(Receiver(translator, [other])),
            };
            var flag = translator._builder.Resize(Of(((Boxed)arguments[1]).Value), receiver.Width);
            return new Scalar(translator._builder.Emit(
                Opcode.Equal, 1, translator._builder.Emit(Opcode.And, receiver.Width, receiver, flag), flag));
        }

        /// <summary>
        /// Only where it is known to be there: the exception that it throws otherwise is none of the faults.
        /// </summary>
        private static AbstractValue ValueOf(Translator translator, Struct nullable)
        {
            var isHas = nullable.Shape.Parts[0].Type == typeof(bool) ? 0 : 1;
            if (!Constant.Is(Of(nullable.Fields[isHas]), 1))
                throw translator.Refuse(Refusal.NullableValue);
            return nullable.Fields[1 - isHas];
        }

        /// <summary>
        /// Numbers are compared; a struct by its own Equals, field by field if it is a record or a tuple.
        /// </summary>
        private static Scalar AreEqual(Translator translator, AbstractValue left, AbstractValue right, Type type)
        {
            if (left is Scalar && right is Scalar)
                return new Scalar(translator.Compare(ComparisonInstruction.Equality, left, right));
            return (Scalar)OwnMethod(translator, "Equals", left, right, type);
        }

        /// <summary>The order of two values by their type's own <c>CompareTo</c>: 0 if they are equal.</summary>
        private static Scalar Order(Translator translator, AbstractValue left, AbstractValue right, Type type) =>
            (Scalar)OwnMethod(
                translator, "CompareTo", left, right, type.IsEnum ? Enum.GetUnderlyingType(type) : type);

        private static AbstractValue OwnMethod(
            Translator translator, string name, AbstractValue left, AbstractValue right, Type type)
        {
            var method = type.GetMethod(name, [type]);
            if (!type.IsValueType || method is null)
                throw translator.Refuse(
                    DiagnosticNumber.NoModel,
                    $"two {type.Name} are compared in a way that does not compile; "
                    + $"give the type a method {name}({type.Name}) of its own");
            var slot = new Slot($"a {type.Name}");
            translator._builder.Write(slot, left);
            return translator.CallExactly(method, [new Pointer(new LocalLocation(slot, type, [])), right])!;
        }
    }
}
