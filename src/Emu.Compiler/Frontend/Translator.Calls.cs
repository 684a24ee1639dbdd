using System.Reflection;
using Emu.Compiler.Diagnostics;
using Emu.Compiler.Refusals;

namespace Emu.Compiler.Frontend;

internal sealed partial class Translator
{
    /// <summary>
    /// A call: of an intrinsic, or of a method whose receiver is known, which is then translated in its place.
    /// </summary>
    /// <param name="method">The method as the instruction names it.</param>
    /// <param name="arguments">The arguments, the receiver first; numbers are as wide as their parameters.</param>
    /// <param name="isVirtual">True if the receiver's type decides, and null is a fault.</param>
    /// <param name="constrained">The type behind a type parameter; null without one.</param>
    private AbstractValue? Call(MethodBase method, AbstractValue[] arguments, bool isVirtual, Type? constrained)
    {
        if (_thread is not null && TryCallOfThread(method, arguments, out var called)) return called;
        if (method is ConstructorInfo constructor) return CallConstructor(constructor, arguments);
        if (constrained is { IsValueType: false } && arguments.Length > 0 && arguments[0] is Pointer toReference)
        {
            arguments[0] = _storage.Load(toReference.Target);
            (isVirtual, constrained) = (true, null);
        }
        if (method.DeclaringType!.IsSubclassOf(typeof(Delegate)) && method.Name == "Invoke")
            return Invoke(method, arguments);
        if (LibraryBodies.Find(method) is { } body) return Inline(body, arguments);
        if (Intrinsics.Find(method) is { } intrinsic) return intrinsic(this, arguments, method);

        if (constrained is not null) method = ConstrainedMethod(method, arguments, constrained);
        else if (isVirtual && arguments[0] is Reference receiver)
        {
            receiver = NotNull(receiver);
            arguments[0] = receiver;
            if (_builder.Current is null) return Nothing(method);
            if (method.IsVirtual) return CallVirtual(method, receiver, arguments);
        }
        else if (isVirtual && method.IsVirtual && arguments[0] is Pointer pointer)
            method = Implementation(method, pointer.Target.Type);
        return CallExactly(method, arguments);
    }

    /// <summary>A call of a method that is known.</summary>
    private AbstractValue? CallExactly(MethodBase method, AbstractValue[] arguments)
    {
        if (_thread is not null && IsNameOfType(method) && TypeOfReceiver(arguments[0]) is { } named)
            return new Reference(named.ToString());
        if (LibraryBodies.Find(method) is { } body) return Inline(body, arguments);
        if (Intrinsics.Find(method) is { } intrinsic) return intrinsic(this, arguments, method);
        var (type, member) = MemberNames.Of(method);
        if (!Intrinsics.HasTranslatableCode(method)
            || !Intrinsics.IsOfDotNet(method) && WaysOut.IsListed(type, member))
            throw RefuseMember(method);
        if (arguments.OfType<Boxed>().FirstOrDefault() is { } box)
            throw Refuse(Refusal.Box(box.Type.Name, method.Name));
        if (method is MethodInfo called && called.IsDefined(typeof(CoreAttribute)))
            return CallCore(called, arguments);
        return method.GetCustomAttribute<IntrinsicAttribute>() is { Operation: var operation }
            ? CallIntrinsic(operation, method, arguments)
            : InlineTranslatable(method, arguments);
    }

    /// <summary>
    /// Translates a method in place of a call. An error inside a method of .NET is reported under the method's name.
    /// </summary>
    private AbstractValue? InlineTranslatable(MethodBase method, IReadOnlyList<AbstractValue> arguments)
    {
        if (TryCallProcedure(method, arguments, out var result)) return result;
        if (!Intrinsics.IsOfDotNet(method) || _innermost is { } caller && Intrinsics.IsOfDotNet(caller))
            return Inline(method, arguments);
        var location = _builder.Location;
        try
        {
            return Inline(method, arguments);
        }
        catch (CompileException exception) when (IsAboutDotNet(exception))
        {
            // The service cannot change the code of .NET's method.
            _builder.Location = location;
            throw RefuseMember(method, exception);
        }
    }

    /// <summary>Tells a refusal of .NET's own code from one of the service's that it called, and a limit.</summary>
    private bool IsAboutDotNet(CompileException exception) =>
        exception.Number is not (DiagnosticNumber.TooLarge or DiagnosticNumber.Recursion)
        && _innermost is { } method && Intrinsics.IsOfDotNet(method);

    /// <summary>A member of .NET that does not compile, with what to write instead.</summary>
    private CompileException RefuseMember(MethodBase method, Exception? cause = null)
    {
        if (method.DeclaringType!.IsArray) return Refuse(Refusal.ArrayOfSeveralDimensions);
        var (type, member) = MemberNames.Of(method);
        var isThrowHelper = method.IsStatic && typeof(Exception).IsAssignableFrom(method.DeclaringType);
        return Refuse(isThrowHelper ? Refusal.ThrowHelper(type, member) : Refusal.OfMember(type, member), cause);
    }

    /// <summary>An object that is made while a frame is handled.</summary>
    private CompileException RefuseObject(Type type) => Refuse(Refusal.NewObject(MemberNames.Of(type)));

    /// <summary>
    /// A constructor on a variable, which it assigns as a whole; or the base class's of an object that exists
    /// at compile time only.
    /// </summary>
    private AbstractValue? CallConstructor(ConstructorInfo constructor, AbstractValue[] arguments)
    {
        if (constructor.DeclaringType == typeof(object)) return null;
        // The base class's part of an object that a thread has made.
        if (_thread is not null && arguments[0] is Reference) return CallExactly(constructor, arguments);
        if (!constructor.DeclaringType!.IsValueType || arguments[0] is not Pointer pointer)
            throw RefuseObject(constructor.DeclaringType!);
        _storage.Store(pointer.Target, Construct(constructor, arguments[1..]));
        return null;
    }

    /// <summary>new of a struct: its variable, then its constructor on it.</summary>
    private AbstractValue Construct(ConstructorInfo constructor, AbstractValue[] arguments)
    {
        var type = constructor.DeclaringType!;
        if (Intrinsics.Find(constructor) is { } intrinsic)
            return intrinsic(this, arguments, constructor) ?? Storage.Default(type);
        var slot = new Slot($"a new {type.Name}");
        if (!Intrinsics.HasTranslatableCode(constructor)) throw RefuseMember(constructor);
        _builder.Write(slot, Storage.Default(type));
        InlineTranslatable(constructor, [new Pointer(new LocalLocation(slot, type, [])), .. arguments]);
        return _builder.Read(slot);
    }

    /// <summary>
    /// A call on an object that is known, or on one of several: then each class's method in a branch of its own.
    /// </summary>
    private AbstractValue? CallVirtual(MethodBase method, Reference receiver, AbstractValue[] arguments)
    {
        var targets = receiver.Candidates.Select(candidate => Implementation(method, candidate!.GetType())).ToList();
        return CallOneOf(method, receiver, targets, isMine =>
        {
            var own = receiver.Candidates.Where((_, i) => isMine(i)).First();
            return
            [
                receiver.With([.. receiver.Candidates.Select((candidate, i) => isMine(i) ? candidate : own)]),
                .. arguments[1..],
            ];
        });
    }

    /// <summary>Calls one of several methods, each in a branch of its own.</summary>
    /// <param name="method">The method as the instruction names it.</param>
    /// <param name="chosen">Tells which it is.</param>
    /// <param name="targets">The method for each candidate.</param>
    /// <param name="arguments">The arguments of a method, which is that of some of the candidates.</param>
    private AbstractValue? CallOneOf(
        MethodBase method, Reference chosen, List<MethodBase> targets, Func<Func<int, bool>, AbstractValue[]> arguments)
    {
        var different = targets.Distinct().ToList();
        if (different.Count == 1) return CallExactly(different[0], arguments(_ => true));

        var (exit, result) = (_builder.NewBlock(), new Slot($"the result of {method.Name}"));
        var location = _builder.Location;
        foreach (var target in different)
        {
            var (mine, others) = (_builder.NewBlock(), _builder.NewBlock());
            var isMine = Chosen(chosen, candidate =>
                SsaBuilder.Constant(1, targets[IndexOf(chosen, candidate)] == target ? UInt128.One : UInt128.Zero));
            if (target == different[^1]) _builder.Jump(mine);
            else _builder.Branch(isMine, mine, others);
            _builder.Seal(mine);
            _builder.Seal(others);
            _builder.Current = mine;
            if (CallExactly(target, arguments(i => targets[i] == target)) is { } value) _builder.Write(result, value);
            _builder.Jump(exit);
            _builder.Location = location;
            _builder.Current = others;
        }
        _builder.Seal(exit);
        _builder.Current = exit.Predecessors.Count > 0 ? exit : null;
        return _builder.Current is null
            ? Nothing(method)
            : method is MethodInfo { ReturnType: var type } && type != typeof(void) ? _builder.Read(result) : null;
    }

    private static int IndexOf(Reference reference, object? candidate) =>
        reference.Candidates.ToList().FindIndex(c => ReferenceEquals(c, candidate));

    /// <summary>A delegate that the constructor left, one that is made here, or one of several.</summary>
    private AbstractValue? Invoke(MethodBase method, AbstractValue[] arguments)
    {
        if (arguments[0] is DelegateValue made)
            return CallExactly(
                made.Method, [.. made.Receiver is { } receiver ? new[] { receiver } : [], .. arguments[1..]]);
        if (arguments[0] is not Reference given) throw RefuseDelegate();
        var reference = NotNull(given);
        if (_builder.Current is null) return Nothing(method);
        var targets = reference.Candidates.Select(TargetOf).ToList();
        return CallOneOf(method, reference, targets.ConvertAll(target => target.Method), isMine =>
        {
            var own = targets.Where((_, i) => isMine(i)).First();
            return own.Method.IsStatic
                ? arguments[1..]
                :
                [
                    reference.With([.. targets.Select((target, i) => (isMine(i) ? target : own).Receiver)]),
                    .. arguments[1..],
                ];
        });
    }

    /// <summary>The method of a delegate that is known, and the object that it calls it on.</summary>
    private (MethodBase Method, object? Receiver) TargetOf(object? candidate) => candidate switch
    {
        DelegateValue made => (made.Method, (made.Receiver as Reference)?.Target),
        Delegate known when known.GetInvocationList().Length == 1 && (known.Target is null || !known.Method.IsStatic) =>
            (known.Method, known.Target),
        _ => throw RefuseDelegate(),
    };

    private CompileException RefuseDelegate() => Refuse(
        DiagnosticNumber.UnknownObject,
        "a delegate is called that is not known at compile time; call a method, in a branch for each");

    /// <summary>The default value of a method's return type, for a return that is never reached.</summary>
    private static AbstractValue? Nothing(MethodBase method) =>
        method is MethodInfo { ReturnType: var type } && type != typeof(void) && !type.IsByRef
            ? Storage.Default(type)
            : null;

    private Type DynamicType(AbstractValue receiver, MethodBase method) => receiver switch
    {
        Reference reference
            when NotNull(reference) is var known
                && known.Candidates.Select(candidate => candidate?.GetType()).Distinct().Count() == 1
            => known.Target?.GetType() ?? method.DeclaringType!,
        _ => throw Refuse(
            DiagnosticNumber.UnknownObject,
            $"{method.Name} of one of several objects of different classes; call each in its own branch"),
    };

    /// <summary>
    /// The method of the type behind a type parameter. One that an interface has itself sees a copy of a
    /// struct, as in C#.
    /// </summary>
    private MethodBase ConstrainedMethod(MethodBase method, AbstractValue[] arguments, Type type)
    {
        var implementation = Implementation(method, type);
        if (implementation.IsStatic || !implementation.DeclaringType!.IsInterface
            || arguments[0] is not Pointer pointer)
            return implementation;
        var copy = new Slot($"a copy of a {type.Name}");
        _builder.Write(copy, _storage.Load(pointer.Target));
        arguments[0] = new Pointer(new LocalLocation(copy, type, []));
        return implementation;
    }

    /// <summary>
    /// The method of <paramref name="type"/> that a call of a virtual, interface or static abstract method reaches.
    /// </summary>
    private static MethodBase Implementation(MethodBase method, Type type)
    {
        if (method.DeclaringType is { IsInterface: true } face)
        {
            if (!face.IsAssignableFrom(type)) return method;
            var map = type.GetInterfaceMap(face);
            var plain = method.IsGenericMethod ? ((MethodInfo)method).GetGenericMethodDefinition() : method;
            for (var i = 0; i < map.InterfaceMethods.Length; i++)
            {
                if (map.InterfaceMethods[i].MetadataToken == plain.MetadataToken
                    && map.InterfaceMethods[i].Module == plain.Module)
                    return WithArguments(map.TargetMethods[i], method);
            }
            // A static member that the interface itself has.
            return method;
        }
        if (!method.IsVirtual) return method;
        var root = ((MethodInfo)method).GetBaseDefinition();
        for (var at = type; at is not null; at = at.BaseType)
        {
            const BindingFlags Declared =
                BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.DeclaredOnly;
            if (at.GetMethods(Declared)
                .FirstOrDefault(m => m.IsVirtual && m.GetBaseDefinition() is var b
                    && b.MetadataToken == root.MetadataToken && b.Module == root.Module) is { } found)
                return WithArguments(found, method);
        }
        return method;
    }

    private static MethodInfo WithArguments(MethodInfo found, MethodBase method) =>
        found.IsGenericMethodDefinition ? found.MakeGenericMethod(method.GetGenericArguments()) : found;
}
