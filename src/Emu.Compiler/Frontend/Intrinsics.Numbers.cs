using System.Reflection;
using Emu.Compiler.IR;
using Emu.Compiler.Metadata;

namespace Emu.Compiler.Frontend;

internal sealed partial class Translator
{
    private static partial class Intrinsics
    {
        private static Dictionary<string, Intrinsic> Numbers()
        {
            var models = new Dictionary<string, Intrinsic>
            {
                ["System.Numerics.BitOperations.Log2/1"] = (t, a, _) => new Scalar(Log2(t._builder, Of(a[0]), 32)),
                ["System.Numerics.BitOperations.PopCount/1"] = Counting(Opcode.PopCount),
                ["System.Numerics.BitOperations.LeadingZeroCount/1"] = Counting(Opcode.LeadingZeros),
                ["System.Numerics.BitOperations.TrailingZeroCount/1"] = Counting(Opcode.TrailingZeros),
                ["System.Math.Min/2"] = (t, a, m) => Extreme(t, a, m, isLeast: true),
                ["System.Math.Max/2"] = (t, a, m) => Extreme(t, a, m, isLeast: false),
            };
            Type[] integers =
            [
                typeof(byte), typeof(sbyte), typeof(short), typeof(ushort), typeof(int), typeof(uint), typeof(long),
                typeof(ulong), typeof(nint), typeof(nuint), typeof(Int128), typeof(UInt128),
            ];
            foreach (var number in integers)
            {
                models[$"{number.FullName}.CreateChecked/1"] = (t, a, m) => Conversion(t, a, m, isChecked: true);
                models[$"{number.FullName}.CreateSaturating/1"] = Saturate;
                models[$"{number.FullName}.CreateTruncating/1"] = (t, a, m) => Conversion(t, a, m, isChecked: false);
            }
            foreach (var native in new[] { typeof(nint), typeof(nuint) })
            {
                models[$"{native.FullName}..ctor/1"] = (t, a, m) => new Scalar(
                    t._builder.Resize(t.NumberOf(a[0]), 64, Types.IsSigned(m.GetParameters()[0].ParameterType)));
            }
            foreach (var set in typeof(System.Runtime.Intrinsics.X86.X86Base).Assembly.GetTypes()
                .Where(type =>
                    type.Namespace?.StartsWith("System.Runtime.Intrinsics", StringComparison.Ordinal) == true))
                models[$"{set.FullName}.get_IsSupported/0"] = (_, _, _) => new Scalar(SsaBuilder.Constant(1, 0));
            return models;
        }

        /// <summary>The operand; the least or the greatest number of the type where the operand is beyond it.</summary>
        private static Scalar Saturate(Translator translator, AbstractValue[] arguments, MethodBase method)
        {
            var (from, to) = (method.GetParameters()[0].ParameterType, ((MethodInfo)method).ReturnType);
            var result = Of(Conversion(translator, arguments, method, isChecked: false));
            var (builder, value) = (translator._builder, Of(arguments[0]));
            if (Greatest(from) > Greatest(to))
            {
                var less = Types.IsSigned(from) ? Opcode.LessSigned : Opcode.LessUnsigned;
                var isAbove = builder.Emit(less, 1, SsaBuilder.Constant(value.Width, Greatest(to)), value);
                result = Select(isAbove, Greatest(to), result);
            }
            if (!Types.IsSigned(from) || Types.IsSigned(to) && value.Width <= result.Width) return new Scalar(result);
            var isBelow = builder.Emit(Opcode.LessSigned, 1, value, SsaBuilder.Constant(value.Width, Least(to)));
            return new Scalar(Select(isBelow, Least(to), result));

            Value Select(Value condition, UInt128 limit, Value otherwise) => builder.Emit(
                Opcode.Select, otherwise.Width, condition, SsaBuilder.Constant(otherwise.Width, limit), otherwise);
        }

        private static UInt128 Greatest(Type type) =>
            Arithmetic.Mask(Types.Width(type)!.Value - (Types.IsSigned(type) ? 1 : 0));

        /// <summary>As many bits as a number can have, above the type's width copies of its sign.</summary>
        private static UInt128 Least(Type type) => Types.IsSigned(type) ? ~Greatest(type) : 0;

        private static Intrinsic Counting(Opcode opcode) =>
            (t, a, _) => new Scalar(t._builder.Emit(opcode, 32, Of(a[0])));

        private static Scalar Extreme(Translator translator, AbstractValue[] arguments, MethodBase method, bool isLeast)
        {
            var (a, b) = (Of(arguments[0]), Of(arguments[1]));
            var less = Types.IsSigned(method.GetParameters()[0].ParameterType)
                ? Opcode.LessSigned
                : Opcode.LessUnsigned;
            var isFirstLess = translator._builder.Emit(less, 1, a, b);
            return new Scalar(
                translator._builder.Emit(Opcode.Select, a.Width, isFirstLess, isLeast ? a : b, isLeast ? b : a));
        }

        /// <summary>The highest bit that is set; 0 for 0, as of 1.</summary>
        private static Value Log2(SsaBuilder builder, Value value, int width) => builder.Emit(
            Opcode.Subtract,
            width,
            SsaBuilder.Constant(width, (UInt128)(value.Width - 1)),
            builder.Emit(
                Opcode.LeadingZeros,
                width,
                builder.Emit(Opcode.Or, value.Width, value, SsaBuilder.Constant(value.Width, 1))));
    }
}
