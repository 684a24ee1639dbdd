namespace Emu.Compiler;

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
                models[$"{span}.get_IsEmpty/0"] = (t, a, _) => new Scalar(t._builder.Emit(Opcode.Equal, 1, This(t, a).Length, SsaBuilder.Constant(32, 0)));
                models[$"{span}.get_Empty/0"] = (_, _, method) => Storage.Default(method.DeclaringType!);
                models[$"{span}.get_Item/1"] = (t, a, _) => new Pointer(Item(t, This(t, a), Of(a[1])));
                models[$"{span}.Slice/1"] = (t, a, _) => Slice(t, This(t, a), Of(a[1]), null);
                models[$"{span}.Slice/2"] = (t, a, _) => Slice(t, This(t, a), Of(a[1]), Of(a[2]));
                models[$"{span}.op_Implicit/1"] = (t, a, _) => a[0] is Reference array ? OfArray(t, array) : a[0];
                models[$"{span}..ctor/1"] = (t, a, _) => OfArray(t, (Reference)a[0]);
            }
            models["System.Span`1.Clear/0"] = (t, a, method) => Fill(t, This(t, a), Storage.Default(method.DeclaringType!.GetGenericArguments()[0]));
            models["System.Span`1.Fill/1"] = (t, a, _) => Fill(t, This(t, a), a[1]);
            return models;
        }

        /// <summary>Spans are structs: their methods get a pointer to one.</summary>
        private static SpanValue This(Translator translator, Abstract[] arguments) =>
            (SpanValue)(arguments[0] is Pointer pointer ? translator._storage.Load(pointer.Place) : arguments[0]);

        private static SpanValue OfArray(Translator translator, Reference array) =>
            array is { IsKnown: true, Target: null }
                ? new SpanValue(null, true, SsaBuilder.Constant(32, 0), SsaBuilder.Constant(32, 0))
                : new SpanValue(array, false, SsaBuilder.Constant(32, 0), translator.LengthOf(array));

        private static Place Item(Translator translator, SpanValue span, Value index)
        {
            var builder = translator._builder;
            builder.Require(builder.Emit(Opcode.LessUnsigned, 1, index, span.Length), FaultKind.IndexOutOfRange);
            return At(builder, span, index);
        }

        /// <summary>An element whose index has been checked.</summary>
        private static Place At(SsaBuilder builder, SpanValue span, Value index)
        {
            if (builder.Current is null) return new FramePlace(SsaBuilder.Constant(32, 0));
            var at = builder.Emit(Opcode.Add, 32, span.Start, index);
            return span.Array is null ? new FramePlace(at) : new ElementPlace(span.Array, at, span.Array.Target!.GetType().GetElementType()!, []);
        }

        private static SpanValue Slice(Translator translator, SpanValue span, Value start, Value? length)
        {
            var builder = translator._builder;
            // start ≤ Length and length ≤ Length - start, unsigned, so that negative numbers are too large.
            builder.Require(builder.Not(builder.Emit(Opcode.LessUnsigned, 1, span.Length, start)), FaultKind.IndexOutOfRange);
            if (builder.Current is null) return span;
            var rest = builder.Emit(Opcode.Subtract, 32, span.Length, start);
            if (length is not null) builder.Require(builder.Not(builder.Emit(Opcode.LessUnsigned, 1, rest, length)), FaultKind.IndexOutOfRange);
            return builder.Current is null ? span : span with { Start = builder.Emit(Opcode.Add, 32, span.Start, start), Length = length ?? rest };
        }

        /// <summary>A loop that stores one value everywhere.</summary>
        private static Abstract? Fill(Translator translator, SpanValue span, Abstract value)
        {
            var builder = translator._builder;
            var (header, body, exit) = (builder.NewBlock(isLoopHeader: true), builder.NewBlock(), builder.NewBlock());
            var index = new Slot("an index");
            builder.Write(index, new Scalar(SsaBuilder.Constant(32, 0)));
            builder.Jump(header);
            builder.Current = header;
            var i = Of(builder.Read(index));
            builder.Branch(builder.Emit(Opcode.LessUnsigned, 1, i, span.Length), body, exit);
            builder.Seal(body);
            builder.Seal(exit);
            builder.Current = body;
            translator._storage.Store(At(builder, span, i), value);
            builder.Write(index, new Scalar(builder.Emit(Opcode.Add, 32, i, SsaBuilder.Constant(32, 1))));
            builder.Jump(header);
            builder.Seal(header);
            builder.Current = exit;
            return null;
        }
    }
}
