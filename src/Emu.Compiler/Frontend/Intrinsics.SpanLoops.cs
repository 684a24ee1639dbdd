using System.Reflection;
using Emu.Compiler.Diagnostics;
using Emu.Compiler.IR;
using Emu.Compiler.Metadata;

namespace Emu.Compiler.Frontend;

internal sealed partial class Translator
{
    private static partial class Intrinsics
    {
        private const string Extensions = "System.MemoryExtensions";

        /// <summary>The methods that go over the elements of spans: each is a loop.</summary>
        private static Dictionary<string, Intrinsic> SpanLoops()
        {
            var models = new Dictionary<string, Intrinsic>
            {
                ["System.Span`1.Clear/0"] = (t, a, method) =>
                    Fill(t, This(t, a), Storage.Default(method.DeclaringType!.GetGenericArguments()[0])),
                ["System.Span`1.Fill/1"] = (t, a, _) => Fill(t, This(t, a), a[1]),
                [$"{Extensions}.CopyTo/2"] = (t, a, _) => CopyTo(t, OfArrayOrSpan(t, a[0]), (SpanValue)a[1]),
                [$"{Extensions}.SequenceEqual/2"] = (t, a, m) =>
                    new Scalar(AreEqual(t, a, m, Opcode.Equal, fromEnd: false)),
                [$"{Extensions}.StartsWith/2"] = (t, a, m) =>
                    new Scalar(AreEqual(t, a, m, Opcode.LessUnsigned, fromEnd: false)),
                [$"{Extensions}.EndsWith/2"] = (t, a, m) =>
                    new Scalar(AreEqual(t, a, m, Opcode.LessUnsigned, fromEnd: true)),
                [$"{Extensions}.IndexOf/2"] = (t, a, m) => new Scalar(IndexOf(t, a, m, fromEnd: false)),
                [$"{Extensions}.LastIndexOf/2"] = (t, a, m) => new Scalar(IndexOf(t, a, m, fromEnd: true)),
                [$"{Extensions}.IndexOfAny/3"] = (t, a, m) => new Scalar(IndexOf(t, a, m, fromEnd: false)),
                [$"{Extensions}.Contains/2"] =
                    (t, a, m) => new Scalar(t._builder.Not(
                        t._builder.Emit(
                            Opcode.Equal,
                            1,
                            IndexOf(t, a, m, fromEnd: false),
                            SsaBuilder.Constant(32, UInt128.MaxValue)))),
            };
            foreach (var span in new[] { "System.Span`1", "System.ReadOnlySpan`1" })
            {
                models[$"{span}.CopyTo/1"] = (t, a, _) => CopyTo(t, This(t, a), (SpanValue)a[1]);
                models[$"{span}.TryCopyTo/1"] = (t, a, _) => TryCopyTo(t, This(t, a), (SpanValue)a[1]);
            }
            return models;
        }

        private static AbstractValue? Clear(Translator translator, SpanValue span) =>
            span.Array is { Target: Array array }
                ? Fill(translator, span, Storage.Default(array.GetType().GetElementType()!))
                : null;

        private static AbstractValue? Fill(Translator translator, SpanValue span, AbstractValue value)
        {
            Loop(translator, span.Length, i => translator._storage.Store(At(translator._builder, span, i), value));
            return null;
        }

        private static AbstractValue? CopyTo(Translator translator, SpanValue from, SpanValue to)
        {
            translator._builder.Require(Fits(translator, from, to), FaultKind.IndexOutOfRange);
            if (translator._builder.Current is not null) Copy(translator, from, to);
            return null;
        }

        private static Scalar TryCopyTo(Translator translator, SpanValue from, SpanValue to)
        {
            var builder = translator._builder;
            var fits = Fits(translator, from, to);
            Either(builder, fits, () => Copy(translator, from, to), () => { });
            return new Scalar(fits);
        }

        private static Value Fits(Translator translator, SpanValue from, SpanValue to) =>
            translator._builder.Not(translator._builder.Emit(Opcode.LessUnsigned, 1, to.Length, from.Length));

        /// <summary>
        /// Copies as if all were read before any is written:
        /// from the end when the destination begins inside the source.
        /// </summary>
        private static void Copy(Translator translator, SpanValue from, SpanValue to)
        {
            var builder = translator._builder;
            if (translator._keepsFrameOperations && from is { IsOfFrame: true, IsDefault: false, Length: not Constant }
                && to is { IsOfFrame: true, IsDefault: false })
            {
                builder.Emit(Opcode.FrameMove, 1, from.Start, to.Start, from.Length);
                return;
            }
            void Element(Value i) =>
                translator._storage.Store(At(builder, to, i), translator._storage.Load(At(builder, from, i)));
            void Upwards() => Loop(translator, from.Length, Element);
            void Downwards() => Loop(translator, from.Length, i => Element(FromEnd(builder, from.Length, i)));
            if (from.MayOverlap(to))
                Either(builder, builder.Emit(Opcode.LessUnsigned, 1, from.Start, to.Start), Downwards, Upwards);
            else Upwards();
        }

        private static Value FromEnd(SsaBuilder builder, Value length, Value i) =>
            builder.Emit(Opcode.Subtract, 32, builder.Emit(Opcode.Subtract, 32, length, SsaBuilder.Constant(32, 1)), i);

        /// <summary>Compares the second span with the first, or with its beginning or its end.</summary>
        /// <param name="translator">The translator of this event.</param>
        /// <param name="arguments">The two spans.</param>
        /// <param name="method">For its type argument.</param>
        /// <param name="lengths">Equal, or LessUnsigned when the first may be longer.</param>
        /// <param name="fromEnd">True for the end.</param>
        private static Value AreEqual(
            Translator translator, AbstractValue[] arguments, MethodBase method, Opcode lengths, bool fromEnd)
        {
            RequireNumbers(translator, method);
            if (arguments[0] is not SpanValue left || arguments[1] is not SpanValue right)
                throw RefuseOverload(translator, method);
            var builder = translator._builder;
            var isLong = lengths == Opcode.Equal
                ? builder.Emit(lengths, 1, left.Length, right.Length)
                : builder.Not(builder.Emit(lengths, 1, left.Length, right.Length));
            var begin = fromEnd
                ? builder.Emit(Opcode.Subtract, 32, left.Length, right.Length)
                : SsaBuilder.Constant(32, 0);
            // Elements are compared behind the lengths: where one length is a constant, so are the turns.
            var count = lengths == Opcode.Equal && left.Length is Constant ? left.Length : right.Length;
            var result = new Slot("equal");
            void Compare() => builder.Write(result, new Scalar(builder.Emit(
                Opcode.Equal, 1, SsaBuilder.Constant(32, UInt128.MaxValue),
                FirstIndex(translator, count, i => builder.Not(translator.Compare(
                    ComparisonInstruction.Equality,
                    translator._storage.Load(At(builder, left, builder.Emit(Opcode.Add, 32, begin, i))),
                    translator._storage.Load(At(builder, right, i))))))));
            Either(
                builder, isLong, Compare, () => builder.Write(result, new Scalar(SsaBuilder.Constant(1, 0))));
            return Of(builder.Read(result));
        }

        /// <summary>
        /// The index of the first or last element that is one of the arguments; -1 when there is none.
        /// </summary>
        private static Value IndexOf(Translator translator, AbstractValue[] arguments, MethodBase method, bool fromEnd)
        {
            RequireNumbers(translator, method);
            if (arguments[0] is not SpanValue span || !arguments.Skip(1).All(wanted => wanted is Scalar))
                throw RefuseOverload(translator, method);
            var builder = translator._builder;
            var found = FirstIndex(translator, span.Length, i =>
            {
                var element = translator._storage.Load(
                    At(builder, span, fromEnd ? FromEnd(builder, span.Length, i) : i));
                return arguments.Skip(1)
                    .Select(wanted => translator.Compare(ComparisonInstruction.Equality, element, wanted))
                    .Aggregate((a, b) => builder.Emit(Opcode.Or, 1, a, b));
            });
            if (!fromEnd) return found;
            var isNone = builder.Emit(Opcode.Equal, 1, found, SsaBuilder.Constant(32, UInt128.MaxValue));
            return builder.Emit(Opcode.Select, 32, isNone, found, FromEnd(builder, span.Length, found));
        }

        private static void RequireNumbers(Translator translator, MethodBase method)
        {
            if (Types.Width(method.GetGenericArguments()[0]) is null) throw RefuseOverload(translator, method);
        }

        private static CompileException RefuseOverload(Translator translator, MethodBase method) =>
            translator.Refuse(
                DiagnosticNumber.NoModel,
                $"{method.Name} compiles for spans of numbers, "
                + "and for single elements to look for; write the loop out");

        private static void Either(SsaBuilder builder, Value condition, Action then, Action @else)
        {
            var (yes, no, exit) = (builder.NewBlock(), builder.NewBlock(), builder.NewBlock());
            builder.Branch(condition, yes, no);
            foreach (var (block, act) in new[] { (yes, then), (no, @else) })
            {
                builder.Seal(block);
                builder.Current = block.Predecessors.Count > 0 ? block : null;
                if (builder.Current is not null) act();
                builder.Jump(exit);
            }
            builder.Seal(exit);
            builder.Current = exit;
        }

        private static void Loop(Translator translator, Value count, Action<Value> act) =>
            FirstIndex(translator, count, i =>
            {
                act(i);
                return SsaBuilder.Constant(1, 0);
            });

        /// <summary>A loop from 0 to a count, which ends early where something is found.</summary>
        /// <returns>The index, or -1.</returns>
        private static Value FirstIndex(Translator translator, Value count, Func<Value, Value> isFound)
        {
            var builder = translator._builder;
            var (header, body, next, exit) =
                (builder.NewBlock(isLoopHeader: true), builder.NewBlock(), builder.NewBlock(), builder.NewBlock());
            var (index, result) = (new Slot("an index"), new Slot("where it is"));
            builder.Write(index, new Scalar(SsaBuilder.Constant(32, 0)));
            builder.Jump(header);
            builder.Current = header;
            var i = Of(builder.Read(index));
            builder.Write(result, new Scalar(SsaBuilder.Constant(32, UInt128.MaxValue)));
            builder.Branch(builder.Emit(Opcode.LessUnsigned, 1, i, count), body, exit);
            builder.Seal(body);
            builder.Current = body.Predecessors.Count > 0 ? body : null;
            if (builder.Current is not null)
            {
                var found = isFound(i);
                builder.Write(result, new Scalar(i));
                builder.Branch(found, exit, next);
            }
            builder.Seal(next);
            builder.Current = next.Predecessors.Count > 0 ? next : null;
            builder.Write(index, new Scalar(builder.Emit(Opcode.Add, 32, i, SsaBuilder.Constant(32, 1))));
            builder.Jump(header);
            builder.Seal(header);
            builder.Seal(exit);
            builder.Current = exit;
            return Of(builder.Read(result));
        }
    }
}
