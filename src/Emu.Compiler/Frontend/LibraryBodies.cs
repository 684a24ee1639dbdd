using System.Reflection;

namespace Emu.Compiler.Frontend;

/// <summary>
/// Methods of .NET whose own code does not compile, as it is for vectors and addresses, in plain C#: each is translated
/// in place of the method of the same name and parameters.
/// </summary>
internal static partial class LibraryBodies
{
    private static readonly ILookup<string, MethodInfo> s_bodies = new[]
        {
            (Of: "System.MemoryExtensions", Bodies: typeof(OfSpans)),
            (Of: "System.Array", Bodies: typeof(OfArrays)),
            (Of: "System.Text.Ascii", Bodies: typeof(OfText)),
        }
        .SelectMany(of => of.Bodies.GetMethods(BindingFlags.Static | BindingFlags.Public)
            .Select(body => (Key: $"{of.Of}.{body.Name}", Body: body)))
        .ToLookup(entry => entry.Key, entry => entry.Body);

    /// <summary>Class, method and number of parameters of each method of .NET that has code here.</summary>
    public static IEnumerable<string> Names =>
        from bodies in s_bodies
        from body in bodies
        select $"{bodies.Key}/{body.GetParameters().Length}";

    /// <summary>The code for a method of .NET; null when it has none here.</summary>
    public static MethodInfo? Find(MethodBase method) =>
        s_bodies[$"{method.DeclaringType!.FullName}.{method.Name}"]
            .Select(body => WithArgumentsOf(body, method)).FirstOrDefault(body => body is not null);

    private static MethodInfo? WithArgumentsOf(MethodInfo body, MethodBase method)
    {
        var parameters = method.GetParameters();
        var arguments = method.IsGenericMethod ? method.GetGenericArguments() : [];
        if (body.GetParameters().Length != parameters.Length
            || (body.IsGenericMethod ? body.GetGenericArguments().Length : 0) != arguments.Length)
            return null;
        if (arguments.Length > 0)
        {
            if (!arguments[0].IsValueType) return null;
            try
            {
                body = body.MakeGenericMethod(arguments);
            }
            catch (ArgumentException)
            {
                // The type lacks what elements are compared by.
                return null;
            }
        }
        var isSame = body.GetParameters().Zip(parameters)
            .All(pair => Readable(pair.First.ParameterType) == Readable(pair.Second.ParameterType));
        return isSame ? body : null;
    }

    /// <summary>A span of either kind as the one that is only read.</summary>
    private static Type Readable(Type type) =>
        type.IsGenericType && type.GetGenericTypeDefinition() == typeof(Span<>)
            ? typeof(ReadOnlySpan<>).MakeGenericType(type.GetGenericArguments())
            : type;
}
