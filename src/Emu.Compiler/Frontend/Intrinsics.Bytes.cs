using System.Reflection;
using Emu.Compiler.Diagnostics;
using Emu.Compiler.IR;
using Emu.Compiler.Metadata;

namespace Emu.Compiler.Frontend;

internal sealed partial class Translator
{
    private static partial class Intrinsics
    {
        private const string BinaryPrimitives = "System.Buffers.Binary.BinaryPrimitives";

        private static Dictionary<string, Intrinsic> Bytes()
        {
            var models = new Dictionary<string, Intrinsic>();
            (string Type, int Width)[] numbers =
            [
                ("UInt16", 16), ("Int16", 16), ("UInt32", 32), ("Int32", 32), ("UInt64", 64), ("Int64", 64),
                ("UInt128", 128), ("Int128", 128),
            ];
            foreach (var (type, width) in numbers)
            {
                foreach (var isBig in new[] { true, false })
                {
                    var order = isBig ? "BigEndian" : "LittleEndian";
                    models[$"{BinaryPrimitives}.Read{type}{order}/1"] = (t, a, _) =>
                        new Scalar(Read(t, This(t, a), width, isBig));
                    models[$"{BinaryPrimitives}.Write{type}{order}/2"] = (t, a, _) =>
                        Write(t, This(t, a), Of(a[1]), isBig);
                    models[$"{BinaryPrimitives}.TryRead{type}{order}/2"] = (t, a, _) => TryRead(t, a, width, isBig);
                    models[$"{BinaryPrimitives}.TryWrite{type}{order}/2"] = (t, a, _) => TryWrite(t, a, isBig);
                }
            }
            models["System.Runtime.InteropServices.MemoryMarshal.Read/1"] = (t, a, m) =>
                new Scalar(Read(t, This(t, a), MarshalledWidth(t, m), isBig: false));
            models["System.Runtime.InteropServices.MemoryMarshal.Write/2"] = (t, a, m) =>
                MarshalledWidth(t, m) > 0
                    ? Write(t, This(t, a), Of(t._storage.Load(((Pointer)a[1]).Target)), isBig: false)
                    : null;
            models[$"{BinaryPrimitives}.ReverseEndianness/1"] = (t, a, _) => new Scalar(Reverse(t._builder, Of(a[0])));
            return models;
        }

        /// <summary>
        /// MemoryMarshal reads and writes as the machine does: little-endian, on all that .NET runs on.
        /// </summary>
        private static int MarshalledWidth(Translator translator, MethodBase method)
        {
            var type = method.GetGenericArguments()[0];
            if (type != typeof(bool) && Types.Width(type) is { } width) return width;
            throw translator.Refuse(
                DiagnosticNumber.NoModel,
                $"MemoryMarshal.{method.Name} of a {type.Name} does not compile; read its fields, "
                + "with BinaryPrimitives");
        }

        private static Scalar TryRead(Translator translator, AbstractValue[] arguments, int width, bool isBig)
        {
            var builder = translator._builder;
            var (span, result) = ((SpanValue)arguments[0], ((Pointer)arguments[1]).Target);
            var isThere = HasBytes(builder, span, width / 8);
            Either(
                builder,
                isThere,
                () => translator._storage.Store(result, new Scalar(Load(translator, span, width, isBig))),
                () => translator._storage.Store(result, new Scalar(SsaBuilder.Constant(width, 0))));
            return new Scalar(isThere);
        }

        private static Scalar TryWrite(Translator translator, AbstractValue[] arguments, bool isBig)
        {
            var (span, value) = ((SpanValue)arguments[0], Of(arguments[1]));
            var isThere = HasBytes(translator._builder, span, value.Width / 8);
            Either(translator._builder, isThere, () => Store(translator, span, value, isBig), () => { });
            return new Scalar(isThere);
        }

        private static Value Read(Translator translator, SpanValue span, int width, bool isBig)
        {
            translator._builder.Require(HasBytes(translator._builder, span, width / 8), FaultKind.IndexOutOfRange);
            return Load(translator, span, width, isBig);
        }

        private static AbstractValue? Write(Translator translator, SpanValue span, Value value, bool isBig)
        {
            translator._builder.Require(
                HasBytes(translator._builder, span, value.Width / 8), FaultKind.IndexOutOfRange);
            if (translator._builder.Current is not null) Store(translator, span, value, isBig);
            return null;
        }

        private static Value HasBytes(SsaBuilder builder, SpanValue span, int count) =>
            builder.Not(builder.Emit(Opcode.LessUnsigned, 1, span.Length, SsaBuilder.Constant(32, (UInt128)count)));

        /// <summary>A number whose bytes are there: of the frame at once, of an array byte by byte.</summary>
        private static Value Load(Translator translator, SpanValue span, int width, bool isBig)
        {
            var builder = translator._builder;
            if (span.IsOfFrame)
            {
                var number = builder.Emit(Opcode.FrameRead, width, span.Start);
                return isBig ? number : Reverse(builder, number);
            }
            var octets = Enumerable.Range(0, width / 8)
                .Select(i => Of(translator._storage.Load(At(builder, span, SsaBuilder.Constant(32, (UInt128)i)))));
            return (isBig ? octets : octets.Reverse()).ToList()
                .Aggregate((high, low) => builder.Emit(Opcode.Concat, high.Width + low.Width, high, low));
        }

        private static void Store(Translator translator, SpanValue span, Value value, bool isBig)
        {
            var builder = translator._builder;
            if (!isBig) value = Reverse(builder, value);
            if (span.IsOfFrame)
            {
                builder.Emit(Opcode.FrameWrite, 1, span.Start, value);
                return;
            }
            for (var i = 0; i < value.Width / 8; i++)
            {
                var octet = builder.Resize(
                    builder.Emit(Opcode.ShiftRight, value.Width, value, SsaBuilder.Constant(
                        32, (UInt128)(value.Width - 8 * (i + 1)))),
                    8);
                translator._storage.Store(At(builder, span, SsaBuilder.Constant(32, (UInt128)i)), new Scalar(octet));
            }
        }

        private static Value Reverse(SsaBuilder builder, Value value)
        {
            Value reversed = SsaBuilder.Constant(value.Width, 0);
            for (var low = 0; low < value.Width; low += 8)
            {
                var octet = builder.Emit(
                    Opcode.And, value.Width,
                    builder.Emit(Opcode.ShiftRight, value.Width, value, SsaBuilder.Constant(32, (UInt128)low)),
                    SsaBuilder.Constant(value.Width, 0xFF));
                reversed = builder.Emit(
                    Opcode.Or, value.Width, reversed,
                    builder.Emit(
                        Opcode.ShiftLeft,
                        value.Width,
                        octet,
                        SsaBuilder.Constant(32, (UInt128)(value.Width - 8 - low))));
            }
            return reversed;
        }
    }
}
