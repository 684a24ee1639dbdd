using System.Reflection;

namespace Emu.Compiler;

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
            foreach (var set in typeof(System.Runtime.Intrinsics.X86.X86Base).Assembly.GetTypes()
                .Where(type => type.Namespace?.StartsWith("System.Runtime.Intrinsics", StringComparison.Ordinal) == true))
                models[$"{set.FullName}.get_IsSupported/0"] = (_, _, _) => new Scalar(SsaBuilder.Constant(1, 0));
            return models;
        }

        private static Intrinsic Counting(Opcode opcode) => (t, a, _) => new Scalar(t._builder.Emit(opcode, 32, Of(a[0])));

        private static Scalar Extreme(Translator translator, Abstract[] arguments, MethodBase method, bool isLeast)
        {
            var (a, b) = (Of(arguments[0]), Of(arguments[1]));
            var less = Types.IsSigned(method.GetParameters()[0].ParameterType) ? Opcode.LessSigned : Opcode.LessUnsigned;
            var isFirstLess = translator._builder.Emit(less, 1, a, b);
            return new Scalar(translator._builder.Emit(Opcode.Select, a.Width, isFirstLess, isLeast ? a : b, isLeast ? b : a));
        }

        /// <summary>The highest bit that is set; 0 for 0, as of 1.</summary>
        private static Value Log2(SsaBuilder builder, Value value, int width) => builder.Emit(
            Opcode.Subtract,
            width,
            SsaBuilder.Constant(width, (UInt128)(value.Width - 1)),
            builder.Emit(Opcode.LeadingZeros, width, builder.Emit(Opcode.Or, value.Width, value, SsaBuilder.Constant(value.Width, 1))));
    }
}
