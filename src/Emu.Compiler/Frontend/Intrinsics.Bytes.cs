namespace Emu.Compiler;

internal sealed partial class Translator
{
    private static partial class Intrinsics
    {
        private const string BinaryPrimitives = "System.Buffers.Binary.BinaryPrimitives";

        private static Dictionary<string, Intrinsic> Bytes()
        {
            var models = new Dictionary<string, Intrinsic>();
            foreach (var (type, width) in new[] { ("UInt16", 16), ("Int16", 16), ("UInt32", 32), ("Int32", 32), ("UInt64", 64), ("Int64", 64), ("UInt128", 128), ("Int128", 128) })
            {
                foreach (var isBig in new[] { true, false })
                {
                    var order = isBig ? "BigEndian" : "LittleEndian";
                    models[$"{BinaryPrimitives}.Read{type}{order}/1"] = (t, a, _) => new Scalar(Read(t, This(t, a), width, isBig));
                    models[$"{BinaryPrimitives}.Write{type}{order}/2"] = (t, a, _) => Write(t, This(t, a), Of(a[1]), isBig);
                }
            }
            models[$"{BinaryPrimitives}.ReverseEndianness/1"] = (t, a, _) => new Scalar(Reverse(t._builder, Of(a[0])));
            return models;
        }

        private static Value Read(Translator translator, SpanValue span, int width, bool isBig)
        {
            var builder = translator._builder;
            RequireBytes(translator, span, width / 8);
            if (builder.Current is null) return SsaBuilder.Constant(width, 0);
            var number = builder.Emit(Opcode.FrameRead, width, span.Start);
            return isBig ? number : Reverse(builder, number);
        }

        private static Abstract? Write(Translator translator, SpanValue span, Value value, bool isBig)
        {
            var builder = translator._builder;
            RequireBytes(translator, span, value.Width / 8);
            if (builder.Current is not null) builder.Emit(Opcode.FrameWrite, 1, span.Start, isBig ? value : Reverse(builder, value));
            return null;
        }

        private static void RequireBytes(Translator translator, SpanValue span, int count)
        {
            if (span.Array is not null) throw translator.Refuse(17, "numbers are read from and written to the frame only, not to arrays of bytes");
            var builder = translator._builder;
            builder.Require(builder.Not(builder.Emit(Opcode.LessUnsigned, 1, span.Length, SsaBuilder.Constant(32, (UInt128)count))), FaultKind.IndexOutOfRange);
        }

        private static Value Reverse(SsaBuilder builder, Value value)
        {
            Value reversed = SsaBuilder.Constant(value.Width, 0);
            for (var low = 0; low < value.Width; low += 8)
            {
                var octet = builder.Emit(
                    Opcode.And, value.Width, builder.Emit(Opcode.ShiftRight, value.Width, value, SsaBuilder.Constant(32, (UInt128)low)), SsaBuilder.Constant(value.Width, 0xFF));
                reversed = builder.Emit(
                    Opcode.Or, value.Width, reversed, builder.Emit(Opcode.ShiftLeft, value.Width, octet, SsaBuilder.Constant(32, (UInt128)(value.Width - 8 - low))));
            }
            return reversed;
        }
    }
}
