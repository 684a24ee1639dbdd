using System.Reflection;
using Emu.Compiler.Diagnostics;

namespace Emu.Compiler.Elaboration;

/// <summary>Constructs the service that is compiled, as its host would.</summary>
internal static class ServiceConstructor
{
    /// <summary>An object of the type.</summary>
    /// <param name="type">Derived from <see cref="Service"/>.</param>
    /// <param name="arguments">The arguments of its constructor;
    /// those that it has defaults for may be left out.</param>
    /// <exception cref="CompileException">
    /// The type is no service that can be constructed, or its constructor threw an exception.
    /// </exception>
    public static Service Construct(Type type, object?[] arguments)
    {
        if (!type.IsSubclassOf(typeof(Service))) throw Refuse(type, "is no service: derive it from Service");
        if (type.IsAbstract) throw Refuse(type, "is abstract: compile a class that is derived from it");
        if (type.ContainsGenericParameters)
            throw Refuse(type, "has open type parameters: derive a class from it that names them");
        try
        {
            const BindingFlags Flags = BindingFlags.CreateInstance | BindingFlags.Instance
                | BindingFlags.Public | BindingFlags.OptionalParamBinding;
            return (Service)Activator.CreateInstance(type, Flags, null, arguments, null)!;
        }
        catch (MissingMethodException)
        {
            var given = arguments.Length == 0
                ? "no arguments"
                : string.Join(", ", arguments.Select(a => a?.GetType().Name ?? "null"));
            throw Refuse(type, $"has no public constructor that takes {given}: give it one, or other arguments");
        }
        catch (TargetInvocationException exception)
        {
            var cause = exception.InnerException ?? exception;
            throw new CompileException(
                DiagnosticNumber.FailedConstructor,
                $"the constructor of {type.Name} threw {cause.GetType().Name}: {cause.Message}; "
                + "construct it with arguments that it takes",
                null, cause);
        }
    }

    private static CompileException Refuse(Type type, string why) =>
        new(DiagnosticNumber.NoService, $"{type.Name} {why}", null);
}
