using System.Reflection;
using Emu.Compiler.Diagnostics;
using Emu.Compiler.IR;

namespace Emu.Compiler.Frontend;

internal sealed partial class Translator
{
    private static partial class Intrinsics
    {
        private static Dictionary<string, Intrinsic> Spans()
        {
            var models = new Dictionary<string, Intrinsic>();
            foreach (var span in new[] { "System.Span`1", "System.ReadOnlySpan`1" })
            {
                models[$"{span}.get_Length/0"] = (t, a, _) => new Scalar(This(t, a).Length);
                models[$"{span}.get_IsEmpty/0"] = (t, a, _) =>
                    new Scalar(t._builder.Emit(Opcode.Equal, 1, This(t, a).Length, SsaBuilder.Constant(32, 0)));
                models[$"{span}.get_Empty/0"] = (_, _, method) => Storage.Default(method.DeclaringType!);
                models[$"{span}.get_Item/1"] = (t, a, _) => new Pointer(Item(t, This(t, a), Of(a[1])));
                models[$"{span}.Slice/1"] = (t, a, _) => Slice(t, This(t, a), Of(a[1]), null);
                models[$"{span}.Slice/2"] = (t, a, _) => Slice(t, This(t, a), Of(a[1]), Of(a[2]));
                models[$"{span}.op_Implicit/1"] = (t, a, _) => a[0] is Reference array ? OfArray(t, array) : a[0];
                models[$"{span}..ctor/1"] =
                    (t, a, _) => a[0] is Reference array ? OfArray(t, array) : OfVariable(t, a[0]);
            }
            models["System.ReadOnlySpan`1..ctor/2"] = models["System.Span`1..ctor/2"] = OfData;
            models["System.Span`1..ctor/3"] = models["System.ReadOnlySpan`1..ctor/3"] = (t, a, _) =>
                Slice(t, OfArrayOrSpan(t, a[0]), Of(a[1]), Of(a[2]));
            models["System.Runtime.CompilerServices.RuntimeHelpers.CreateSpan/1"] =
                (t, a, m) => OfArray(
                    t, new Reference(t._state.Data((FieldInfo)((Reference)a[0]).Target!, m.GetGenericArguments()[0])));
            models["System.Array.Clear/1"] = (t, a, _) => Clear(t, OfArrayOrSpan(t, a[0]));
            models["System.Array.Clear/3"] =
                (t, a, _) => Clear(t, Slice(t, OfArrayOrSpan(t, a[0]), Of(a[1]), Of(a[2])));
            models["System.Array.Copy/3"] = (t, a, _) => CopyTo(
                t, Slice(t, OfArrayOrSpan(t, a[0]), SsaBuilder.Constant(32, 0), Of(a[2])), OfArrayOrSpan(t, a[1]));
            models["System.Array.Copy/5"] = (t, a, _) => CopyTo(
                t, Slice(t, OfArrayOrSpan(t, a[0]), Of(a[1]), Of(a[4])),
                Slice(t, OfArrayOrSpan(t, a[2]), Of(a[3]), Of(a[4])));
            models[$"{Extensions}.AsSpan/1"] = (t, a, _) => OfArrayOrSpan(t, a[0]);
            models[$"{Extensions}.AsSpan/2"] = (t, a, m) =>
                a[1] is Scalar ? Slice(t, OfArrayOrSpan(t, a[0]), Of(a[1]), null) : throw RefuseOverload(t, m);
            models[$"{Extensions}.AsSpan/3"] = (t, a, _) => Slice(t, OfArrayOrSpan(t, a[0]), Of(a[1]), Of(a[2]));
            return models;
        }

        /// <summary>Spans are structs: their methods get a pointer to one.</summary>
        private static SpanValue This(Translator translator, AbstractValue[] arguments) =>
            (SpanValue)(arguments[0] is Pointer pointer ? translator._storage.Load(pointer.Target) : arguments[0]);

        /// <summary>Constant data of the program, which the C# compiler addresses directly.</summary>
        private static SpanValue OfData(Translator translator, AbstractValue[] arguments, MethodBase method)
        {
            if (arguments[0] is StackMemory memory)
                return translator.SpanOver(memory, method.DeclaringType!.GetGenericArguments()[0], Of(arguments[1]));
            if (arguments[0] is not DataPointer data || Of(arguments[1]) is not Constant length)
                throw translator.Refuse(
                    DiagnosticNumber.UnsafeCode,
                    "a span over an address does not compile; use an array that the constructor makes");
            var array = translator._state.Data(data.Field, method.DeclaringType!.GetGenericArguments()[0]);
            return new SpanValue(new Reference(array), false, SsaBuilder.Constant(32, 0), length);
        }

        private static SpanValue OfArrayOrSpan(Translator translator, AbstractValue value) =>
            value switch
            {
                SpanValue span => span,
                Reference { Target: Array or null } array => OfArray(translator, array),
                _ => throw translator.Refuse(
                    DiagnosticNumber.Text, "a span over a string does not compile; use bytes, such as \"text\"u8"),
            };

        private static SpanValue OfArray(Translator translator, Reference array) =>
            array is { IsKnown: true, Target: null }
                ? new SpanValue(null, true, SsaBuilder.Constant(32, 0), SsaBuilder.Constant(32, 0))
                : new SpanValue(array, false, SsaBuilder.Constant(32, 0), translator.LengthOf(array));

        private static StorageLocation Item(Translator translator, SpanValue span, Value index)
        {
            var builder = translator._builder;
            builder.Require(builder.Emit(Opcode.LessUnsigned, 1, index, span.Length), FaultKind.IndexOutOfRange);
            return At(builder, span, index);
        }

        /// <summary>An element whose index has been checked.</summary>
        private static StorageLocation At(SsaBuilder builder, SpanValue span, Value index)
        {
            var at = builder.Emit(Opcode.Add, 32, span.Start, index);
            return span switch
            {
                { Local: { } local } => ElementOf(local, at),
                { Array: { } array } =>
                    new ElementLocation(array, at, array.Target!.GetType().GetElementType()!, []),
                _ => new FrameLocation(at),
            };
        }

        private static SpanValue Slice(Translator translator, SpanValue span, Value start, Value? length)
        {
            var builder = translator._builder;
            // start ≤ Length and length ≤ Length - start, unsigned, so that negative numbers are too large.
            builder.Require(
                builder.Not(builder.Emit(Opcode.LessUnsigned, 1, span.Length, start)), FaultKind.IndexOutOfRange);
            var rest = builder.Emit(Opcode.Subtract, 32, span.Length, start);
            if (length is not null)
                builder.Require(
                    builder.Not(builder.Emit(Opcode.LessUnsigned, 1, rest, length)), FaultKind.IndexOutOfRange);
            return span with { Start = builder.Emit(Opcode.Add, 32, span.Start, start), Length = length ?? rest };
        }
    }
}
