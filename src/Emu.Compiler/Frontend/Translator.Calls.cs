using System.Reflection;

namespace Emu.Compiler;

internal sealed partial class Translator
{
    /// <summary>A call: of an intrinsic, or of a method whose receiver is known, which is then translated in its place.</summary>
    /// <param name="method">As the instruction names it.</param>
    /// <param name="arguments">With the receiver first; numbers as wide as their parameters.</param>
    /// <param name="isVirtual">Whether the receiver's type decides.</param>
    /// <param name="constrained">The type behind a type parameter; null without one.</param>
    private Abstract? Call(MethodBase method, Abstract[] arguments, bool isVirtual, Type? constrained)
    {
        if (constrained is not null) method = Implementation(method, constrained);
        else if (isVirtual && !method.IsStatic && method.IsVirtual && arguments[0] is Reference receiver) method = Implementation(method, DynamicType(receiver, method));

        if (Intrinsics.Find(method) is { } intrinsic) return intrinsic(this, arguments, method);
        if (method.GetCustomAttribute<CompiledAsAttribute>() is { } other)
        {
            const BindingFlags Any = BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Static | BindingFlags.Instance;
            method = method.DeclaringType!.GetMethod(other.Method, Any, [.. method.GetParameters().Select(p => p.ParameterType)])
                ?? throw Refuse(8, $"{method.Name} names {other.Method} for the compiler, and there is none with its parameters");
        }
        if (method.Module == typeof(object).Module || method.DeclaringType?.Namespace?.StartsWith("System", StringComparison.Ordinal) == true)
            throw Refuse(16, $"{method.DeclaringType?.Name}.{method.Name} of .NET does not compile: it is not among the compiler's intrinsics; write it out, or use what Emu.Core has");
        return Inline(method, arguments);
    }

    /// <summary>new of a struct: its variable, then its constructor on it.</summary>
    private Abstract Construct(ConstructorInfo constructor, Abstract[] arguments)
    {
        if (Intrinsics.Find(constructor) is { } intrinsic) return intrinsic(this, arguments, constructor)!;
        var type = constructor.DeclaringType!;
        var slot = new Slot($"a new {type.Name}");
        _builder.Write(slot, Storage.Default(type));
        Inline(constructor, [new Pointer(new LocalPlace(slot, type, [])), .. arguments]);
        return _builder.Current is null ? Storage.Default(type) : _builder.Read(slot);
    }

    private Type DynamicType(Reference receiver, MethodBase method)
    {
        if (receiver.Candidates.Contains(null)) throw Refuse(4, $"{method.Name} of null");
        var types = receiver.Candidates.Select(candidate => candidate!.GetType()).Distinct().ToList();
        return types.Count == 1 ? types[0] : throw Refuse(5, $"{method.Name} of one of several objects of different classes; call each in its own branch");
    }

    /// <summary>The method of <paramref name="type"/> that a call of a virtual, interface or static abstract method reaches.</summary>
    private MethodBase Implementation(MethodBase method, Type type)
    {
        if (method.DeclaringType is { IsInterface: true } face)
        {
            if (typeof(IFrameOutput).IsAssignableFrom(type) && face == typeof(IFrameOutput)) return method;
            var map = type.GetInterfaceMap(face);
            var plain = method.IsGenericMethod ? ((MethodInfo)method).GetGenericMethodDefinition() : method;
            for (var i = 0; i < map.InterfaceMethods.Length; i++)
            {
                if (map.InterfaceMethods[i].MetadataToken == plain.MetadataToken && map.InterfaceMethods[i].Module == plain.Module)
                    return method.IsGenericMethod ? map.TargetMethods[i].MakeGenericMethod(method.GetGenericArguments()) : map.TargetMethods[i];
            }
            throw Refuse(8, $"{type.Name} does not implement {method.Name}");
        }
        if (!method.IsVirtual) return method;
        var root = ((MethodInfo)method).GetBaseDefinition();
        for (var at = type; at is not null; at = at.BaseType)
        {
            const BindingFlags Declared = BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.DeclaredOnly;
            if (at.GetMethods(Declared).FirstOrDefault(m => m.IsVirtual && m.GetBaseDefinition() is var b && b.MetadataToken == root.MetadataToken && b.Module == root.Module) is { } found) return found;
        }
        return method;
    }
}
