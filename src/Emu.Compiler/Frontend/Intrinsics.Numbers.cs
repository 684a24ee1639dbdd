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
                ["System.Numerics.BitOperations.PopCount/1"] = Counting(Opcode.PopCount),
                ["System.Numerics.BitOperations.LeadingZeroCount/1"] = Counting(Opcode.LeadingZeros),
                ["System.Numerics.BitOperations.TrailingZeroCount/1"] = Counting(Opcode.TrailingZeros),
                ["System.Math.Min/2"] = (t, a, m) => Extreme(t, a, m, isLeast: true),
                ["System.Math.Max/2"] = (t, a, m) => Extreme(t, a, m, isLeast: false),
            };
            foreach (var (type, isSigned) in new[] { (typeof(UInt128), false), (typeof(Int128), true) }) Wide(models, type.FullName!, isSigned);
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

        /// <summary>128-bit numbers are numbers here, and calls of operators in CIL.</summary>
        private static void Wide(Dictionary<string, Intrinsic> models, string type, bool isSigned)
        {
            void Operator(string name, Opcode opcode) => models[$"{type}.op_{name}/2"] = (t, a, _) => new Scalar(t._builder.Emit(opcode, 128, Of(a[0]), Of(a[1])));
            void Comparison(string name, string comparison) =>
                models[$"{type}.op_{name}/2"] = (t, a, _) => new Scalar(t.Compare(comparison + (isSigned ? "" : ".un"), a[0], a[1]));
            void Shifting(string name, string operation, bool isUnsigned) =>
                models[$"{type}.op_{name}/2"] = (t, a, _) => new Scalar(t.Shift(operation, isUnsigned, Of(a[0]), Of(a[1])));

            Operator("Addition", Opcode.Add);
            Operator("Subtraction", Opcode.Subtract);
            Operator("Multiply", Opcode.Multiply);
            Operator("BitwiseAnd", Opcode.And);
            Operator("BitwiseOr", Opcode.Or);
            Operator("ExclusiveOr", Opcode.Xor);
            Comparison("Equality", "eq");
            Comparison("Inequality", "ne");
            Comparison("LessThan", "lt");
            Comparison("GreaterThan", "gt");
            Comparison("LessThanOrEqual", "le");
            Comparison("GreaterThanOrEqual", "ge");
            Shifting("LeftShift", "shl", true);
            Shifting("RightShift", "shr", !isSigned);
            Shifting("UnsignedRightShift", "shr", true);
            models[$"{type}.op_OnesComplement/1"] = (t, a, _) => new Scalar(t._builder.Emit(Opcode.Xor, 128, Of(a[0]), SsaBuilder.Constant(128, UInt128.MaxValue)));
            models[$"{type}.get_Zero/0"] = (_, _, _) => new Scalar(SsaBuilder.Constant(128, 0));
            models[$"{type}.get_One/0"] = (_, _, _) => new Scalar(SsaBuilder.Constant(128, 1));
            models[$"{type}.get_MaxValue/0"] = (_, _, _) => new Scalar(SsaBuilder.Constant(128, isSigned ? UInt128.MaxValue >> 1 : UInt128.MaxValue));
            models[$"{type}.op_Implicit/1"] = models[$"{type}.op_Explicit/1"] = Conversion;
            models[$"{type}..ctor/2"] = (t, a, _) => new Scalar(t._builder.Emit(
                Opcode.Or,
                128,
                t._builder.Emit(Opcode.ShiftLeft, 128, t._builder.Resize(Of(a[0]), 128), SsaBuilder.Constant(32, 64)),
                t._builder.Resize(Of(a[1]), 128)));
        }

        private static Scalar Conversion(Translator translator, Abstract[] arguments, MethodBase method)
        {
            var (from, to) = (method.GetParameters()[0].ParameterType, ((MethodInfo)method).ReturnType);
            if (Types.Width(from) is null || Types.Width(to) is not { } width) throw translator.Refuse(13, $"the conversion from {from.Name} to {to.Name} does not compile");
            return new Scalar(translator._builder.Resize(Of(arguments[0]), width, Types.IsSigned(from)));
        }
    }
}
