using System.Reflection;

namespace Emu.Compiler.Frontend;

internal sealed partial class Translator
{
    /// <summary>Translates a call of a method that has a model instead of its CIL.</summary>
    private delegate AbstractValue? Intrinsic(Translator translator, AbstractValue[] arguments, MethodBase method);

    /// <summary>The methods of .NET that compile, each with its model.</summary>
    private static partial class Intrinsics
    {
        private static readonly Dictionary<string, Intrinsic> s_models =
            new(new[] { Spans(), LocalArrays(), SpanLoops(), Numbers(), WideNumbers(), Bytes(), Objects() }
                .SelectMany(models => models));

        /// <summary>
        /// Classes of .NET whose methods are plain CIL of the subset, apart from those that have a model.
        /// </summary>
        private static readonly HashSet<Type> s_plain =
        [
            typeof(bool), typeof(char), typeof(byte), typeof(sbyte), typeof(short), typeof(ushort), typeof(int),
            typeof(uint), typeof(long), typeof(ulong), typeof(nint), typeof(nuint), typeof(Math),
            typeof(System.Numerics.BitOperations), typeof(Nullable<>), typeof(TimeSpan),
        ];

        /// <summary>The names under which methods have models.</summary>
        public static IEnumerable<string> Models => s_models.Keys;

        /// <summary>Classes of .NET whose methods are translated, apart from those that have a model.</summary>
        public static IEnumerable<Type> PlainTypes => s_plain;

        /// <summary>The model of a method; null when it has none.</summary>
        public static Intrinsic? Find(MethodBase method) => s_models.GetValueOrDefault(NameOf(method));

        /// <summary>
        /// True if a method without a model is translated from its CIL: any but those of .NET, of which only a few are.
        /// </summary>
        public static bool HasTranslatableCode(MethodBase method)
        {
            if (!IsOfDotNet(method)) return true;
            var type = method.DeclaringType!;
            if (type.IsGenericType) type = type.GetGenericTypeDefinition();
            return s_plain.Contains(type)
                || type.FullName?.StartsWith("System.ValueTuple`", StringComparison.Ordinal) == true
                || type is { IsInterface: true, Namespace: "System.Numerics" };
        }

        /// <summary>Tells whether a method is .NET's own.</summary>
        public static bool IsOfDotNet(MethodBase method)
        {
            var type = method.DeclaringType!;
            return type.IsArray || type.Module == typeof(object).Module || type.Namespace is "System"
                || type.Namespace?.StartsWith("System.", StringComparison.Ordinal) == true;
        }

        /// <summary>
        /// Class, method and number of parameters: overloads of one name and number share a model,
        /// which looks at widths.
        /// </summary>
        private static string NameOf(MethodBase method)
        {
            var type = method.DeclaringType!;
            return $"{(type.IsGenericType ? type.GetGenericTypeDefinition() : type).FullName}.{method.Name}/"
                + $"{method.GetParameters().Length}";
        }

        /// <summary>The value behind a receiver: methods of structs get a pointer.</summary>
        private static AbstractValue Receiver(Translator translator, AbstractValue[] arguments) =>
            arguments[0] is Pointer pointer ? translator._storage.Load(pointer.Target) : arguments[0];
    }
}
