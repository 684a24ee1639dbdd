using System.Reflection;

namespace Emu.Compiler;

internal sealed partial class Translator
{
    /// <summary>Translates a call of a method that has a model instead of its CIL.</summary>
    private delegate Abstract? Intrinsic(Translator translator, Abstract[] arguments, MethodBase method);

    /// <summary>The methods of .NET that compile, each with its model.</summary>
    private static partial class Intrinsics
    {
        private static readonly Dictionary<string, Intrinsic> s_models = new(Spans().Concat(Numbers()).Concat(Bytes()).Append(Sending()));

        /// <summary>The model of a method; null when it has none.</summary>
        public static Intrinsic? Find(MethodBase method) => s_models.GetValueOrDefault(NameOf(method));

        /// <summary>Class, method and number of parameters: overloads of one name and number share a model, which looks at widths.</summary>
        private static string NameOf(MethodBase method)
        {
            var type = method.DeclaringType!;
            return $"{(type.IsGenericType ? type.GetGenericTypeDefinition() : type).FullName}.{method.Name}/{method.GetParameters().Length}";
        }

        private static KeyValuePair<string, Intrinsic> Sending() => new("Emu.IFrameOutput.Send/3", (translator, a, _) =>
        {
            var span = (SpanValue)a[1];
            if (span.Array is not null) throw translator.Refuse(17, "only the frame can be sent, not an array");
            translator._builder.Emit(Opcode.Send, 1, span.Start, span.Length, ((Scalar)((Struct)a[2]).Fields[0]).Value);
            return null;
        });

        private static Value Of(Abstract value) => ((Scalar)value).Value;
    }
}
