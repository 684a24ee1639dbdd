using System.Reflection;
using Emu.Compiler.Diagnostics;
using Emu.Compiler.IR;
using Emu.Compiler.Metadata;

namespace Emu.Compiler.Frontend;

internal sealed partial class Translator
{
    private static partial class Intrinsics
    {
        /// <summary>128-bit numbers are numbers here, and calls of operators in CIL.</summary>
        private static Dictionary<string, Intrinsic> WideNumbers()
        {
            var models = new Dictionary<string, Intrinsic>();
            foreach (var (type, isSigned) in new[] { (typeof(UInt128), false), (typeof(Int128), true) })
            {
                Operators(models, type.FullName!, isSigned);
                Methods(models, type.FullName!, isSigned);
            }
            return models;
        }

        private static void Operators(Dictionary<string, Intrinsic> models, string type, bool isSigned)
        {
            void Operator(string name, Opcode opcode) =>
                models[$"{type}.op_{name}/2"] = (t, a, _) =>
                    new Scalar(t._builder.Emit(opcode, 128, Of(a[0]), Of(a[1])));
            void Comparison(string name, ComparisonInstruction comparison) =>
                models[$"{type}.op_{name}/2"] = (t, a, _) => new Scalar(t.Compare(comparison, a[0], a[1]));
            void Shifting(string name, Opcode opcode) =>
                models[$"{type}.op_{name}/2"] = (t, a, _) => new Scalar(t.Shift(opcode, Of(a[0]), Of(a[1])));

            void Dividing(string name, Opcode opcode) =>
                models[$"{type}.op_{name}/2"] = (t, a, _) =>
                    new Scalar(t.Compute(
                        new ArithmeticInstruction(opcode, IsUnsigned: !isSigned), Of(a[0]), Of(a[1])));
            void Checked(string name, Opcode opcode, Func<AbstractValue[], (Value X, Value Y)> operands) =>
                models[$"{type}.op_{name}"] = (t, a, _) =>
                    new Scalar(t.Compute(
                        new ArithmeticInstruction(opcode, IsChecked: true, IsUnsigned: !isSigned),
                        operands(a).X, operands(a).Y));
            void Unary(string name, Func<SsaBuilder, Value, Value> operation) =>
                models[$"{type}.op_{name}/1"] = (t, a, _) => new Scalar(operation(t._builder, Of(a[0])));
            var less = isSigned ? ComparisonInstruction.Less : ComparisonInstruction.LessUnsigned;
            var quotient = isSigned ? Opcode.DivideSigned : Opcode.DivideUnsigned;
            var remainder = isSigned ? Opcode.RemainderSigned : Opcode.RemainderUnsigned;
            Constant zero = SsaBuilder.Constant(128, 0), one = SsaBuilder.Constant(128, 1);

            Dividing("Division", quotient);
            Dividing("CheckedDivision", quotient);
            Dividing("Modulus", remainder);
            Checked("CheckedAddition/2", Opcode.Add, a => (Of(a[0]), Of(a[1])));
            Checked("CheckedSubtraction/2", Opcode.Subtract, a => (Of(a[0]), Of(a[1])));
            Checked("CheckedMultiply/2", Opcode.Multiply, a => (Of(a[0]), Of(a[1])));
            Checked("CheckedIncrement/1", Opcode.Add, a => (Of(a[0]), one));
            Checked("CheckedDecrement/1", Opcode.Subtract, a => (Of(a[0]), one));
            Checked("CheckedUnaryNegation/1", Opcode.Subtract, a => (zero, Of(a[0])));
            Unary("Increment", (b, x) => b.Emit(Opcode.Add, 128, x, one));
            Unary("Decrement", (b, x) => b.Emit(Opcode.Subtract, 128, x, one));
            Unary("UnaryNegation", (b, x) => b.Emit(Opcode.Subtract, 128, zero, x));
            Unary("UnaryPlus", (_, x) => x);
            Unary("OnesComplement", (b, x) => b.Emit(Opcode.Xor, 128, x, SsaBuilder.Constant(128, UInt128.MaxValue)));
            Operator("Addition", Opcode.Add);
            Operator("Subtraction", Opcode.Subtract);
            Operator("Multiply", Opcode.Multiply);
            Operator("BitwiseAnd", Opcode.And);
            Operator("BitwiseOr", Opcode.Or);
            Operator("ExclusiveOr", Opcode.Xor);
            Comparison("Equality", ComparisonInstruction.Equality);
            Comparison("Inequality", ComparisonInstruction.Inequality);
            Comparison("LessThan", less);
            Comparison("GreaterThan", less with { IsSwapped = true });
            Comparison("LessThanOrEqual", less with { IsSwapped = true, IsNegated = true });
            Comparison("GreaterThanOrEqual", less with { IsNegated = true });
            Shifting("LeftShift", Opcode.ShiftLeft);
            Shifting("RightShift", isSigned ? Opcode.ShiftRightSigned : Opcode.ShiftRight);
            Shifting("UnsignedRightShift", Opcode.ShiftRight);
            models[$"{type}.get_Zero/0"] = (_, _, _) => new Scalar(SsaBuilder.Constant(128, 0));
            models[$"{type}.get_One/0"] = (_, _, _) => new Scalar(SsaBuilder.Constant(128, 1));
            models[$"{type}.get_MaxValue/0"] = (_, _, _) =>
                new Scalar(SsaBuilder.Constant(128, isSigned ? UInt128.MaxValue >> 1 : UInt128.MaxValue));
            models[$"{type}.get_MinValue/0"] = (_, _, _) =>
                new Scalar(SsaBuilder.Constant(128, isSigned ? UInt128.One << 127 : 0));
            if (isSigned)
                models[$"{type}.get_NegativeOne/0"] = (_, _, _) =>
                    new Scalar(SsaBuilder.Constant(128, UInt128.MaxValue));
            models[$"{type}.op_Implicit/1"] = models[$"{type}.op_Explicit/1"] = (t, a, m) =>
                Conversion(t, a, m, isChecked: false);
            models[$"{type}.op_CheckedExplicit/1"] = (t, a, m) => Conversion(t, a, m, isChecked: true);
            models[$"{type}..ctor/2"] = (t, a, _) => new Scalar(t._builder.Emit(
                Opcode.Or,
                128,
                t._builder.Emit(Opcode.ShiftLeft, 128, t._builder.Resize(Of(a[0]), 128), SsaBuilder.Constant(32, 64)),
                t._builder.Resize(Of(a[1]), 128)));
        }

        private static void Methods(Dictionary<string, Intrinsic> models, string type, bool isSigned)
        {
            models[$"{type}.Min/2"] = (t, a, m) => Extreme(t, a, m, isLeast: true);
            models[$"{type}.Max/2"] = (t, a, m) => Extreme(t, a, m, isLeast: false);
            models[$"{type}.Log2/1"] = (t, a, _) =>
            {
                if (isSigned) t._builder.Require(t._builder.Not(t.IsNegative(Of(a[0]))), FaultKind.IndexOutOfRange);
                return new Scalar(Log2(t._builder, Of(a[0]), 128));
            };
            (string Name, Opcode Opcode)[] counts =
                [
                    ("PopCount", Opcode.PopCount),
                    ("LeadingZeroCount", Opcode.LeadingZeros),
                    ("TrailingZeroCount", Opcode.TrailingZeros),
                ];
            foreach (var (name, opcode) in counts)
                models[$"{type}.{name}/1"] = (t, a, _) => new Scalar(t._builder.Emit(opcode, 128, Of(a[0])));
            if (isSigned)
            {
                models[$"{type}.IsNegative/1"] = (t, a, _) => new Scalar(t.IsNegative(Of(a[0])));
                models[$"{type}.IsPositive/1"] = (t, a, _) => new Scalar(t._builder.Not(t.IsNegative(Of(a[0]))));
            }
            models[$"{type}.IsOddInteger/1"] = (t, a, _) => new Scalar(t._builder.Resize(Of(a[0]), 1));
            models[$"{type}.IsEvenInteger/1"] = (t, a, _) => new Scalar(t._builder.Not(t._builder.Resize(Of(a[0]), 1)));
            models[$"{type}.Equals/1"] = (t, a, m) =>
                a[1] is Scalar other
                    ? new Scalar(t.Compare(ComparisonInstruction.Equality, Receiver(t, a), other))
                    : throw RefuseOverload(t, m);
            models[$"{type}.CompareTo/1"] = (t, a, m) =>
                a[1] is Scalar other ? Comparison(t, Receiver(t, a), other, isSigned) : throw RefuseOverload(t, m);
        }

        private static Scalar Comparison(Translator translator, AbstractValue left, AbstractValue right, bool isSigned)
        {
            var builder = translator._builder;
            var rest = builder.Resize(builder.Not(translator.Compare(ComparisonInstruction.Equality, left, right)), 32);
            return new Scalar(builder.Emit(
                Opcode.Select, 32,
                translator.Compare(
                    isSigned ? ComparisonInstruction.Less : ComparisonInstruction.LessUnsigned, left, right),
                SsaBuilder.Constant(32, UInt128.MaxValue), rest));
        }

        private static Scalar Conversion(
            Translator translator, AbstractValue[] arguments, MethodBase method, bool isChecked)
        {
            var (from, to) = (method.GetParameters()[0].ParameterType, ((MethodInfo)method).ReturnType);
            if (Types.Width(from) is null || Types.Width(to) is not { } width)
                throw translator.Refuse(
                    DiagnosticNumber.FloatingPoint,
                    $"the conversion from {from.Name} to {to.Name} does not compile; "
                    + "use integers, scaled where needed");
            var value = Of(arguments[0]);
            if (isChecked) translator.RequireInRange(value, width, Types.IsSigned(to), !Types.IsSigned(from));
            return new Scalar(translator._builder.Resize(value, width, Types.IsSigned(from)));
        }
    }
}
