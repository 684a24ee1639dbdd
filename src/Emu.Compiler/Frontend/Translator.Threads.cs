using System.Reflection;
using System.Runtime.CompilerServices;
using Emu.Clocked;
using Emu.Compiler.Diagnostics;
using Emu.Compiler.Elaboration;
using Emu.Compiler.IR;
using Emu.Compiler.Metadata;
using Emu.Compiler.Refusals;
using KiwiSystem;

namespace Emu.Compiler.Frontend;

/// <summary>Threads of the clock level: static fields are registers, a pause ends a block.</summary>
internal sealed partial class Translator
{
    private const int MostArguments = 256;

    /// <summary>Members of the dialect that are hints for other compilers, and do nothing.</summary>
    private static readonly HashSet<string> s_hints =
    [
        nameof(Kiwi.KppMark), nameof(Kiwi.NoUnroll), nameof(Kiwi.Unroll), nameof(Kiwi.Dispose),
        nameof(Kiwi.NeverReached),
    ];

    /// <summary>Translates a thread: the entry point of a program, or what a started thread runs.</summary>
    /// <param name="body">The method, and the object that it is called on.</param>
    /// <param name="state">The map that the state it uses is put into.</param>
    /// <param name="context">Takes the threads that it starts.</param>
    /// <param name="start">Is 1 once a thread that runs has started it; null for one of the elaboration.</param>
    /// <exception cref="CompileException">The thread uses what does not compile.</exception>
    public static Function TranslateThread(
        DelegateValue body, StateMap state, ThreadContext context, Register? start = null)
    {
        var method = body.Method;
        var translator = new Translator(state, false, false, method.Module.Assembly, context);
        if (start is null && context.Known is { } known) translator._builder.Know(known);
        return translator.Translate(method, () =>
        {
            if (start is not null) translator.WaitFor(start);
            translator.Inline(
                method,
                [
                    .. body.Receiver is { } receiver ? new[] { receiver } : [],
                    .. method.GetParameters().Select(_ => new Reference((object?)null)),
                ]);
            translator._builder.End(new Return(
                SsaBuilder.Constant(32, 0), SsaBuilder.Constant(32, 0), SsaBuilder.Constant(64, 0)));
        });
    }

    /// <summary>Begins in the cycle behind the one in which the thread is started.</summary>
    private void WaitFor(Register start)
    {
        var (again, go) = (_builder.NewBlock(isLoopHeader: true), _builder.NewBlock());
        _builder.Jump(again);
        _builder.Current = again;
        Pause();
        _builder.Branch(_builder.Emit(Opcode.RegisterRead, 1, (StateElement[])[start]), go, again);
        _builder.Seal(again);
        _builder.Seal(go);
        _builder.Current = go;
    }

    /// <summary>A static field as a register; null in a service, and for what is constant.</summary>
    private FieldLocation? StaticOf(FieldInfo field)
    {
        var type = field.DeclaringType!;
        if (_thread is null || field.Attributes.HasFlag(FieldAttributes.HasFieldRVA)
            || Body.IsCacheOfLambda(field) || type.Namespace == nameof(System))
            return null;
        RefuseOtherCircuit(field, $"{type.Name}.{field.Name}");
        _state.Name(type, "");
        return new FieldLocation(new Reference(type), field, field.FieldType, []);
    }

    /// <summary>Keeps an object in a field: once, before the first pause, so that it is known from then on.</summary>
    private bool TryKeep(FieldLocation place, AbstractValue value)
    {
        if (_thread is null || place.Path.Count > 0 || place.Type.IsValueType) return false;
        if (_thread.HasPaused || value is not Reference { IsKnown: true } kept || !place.Owner.IsKnown) return false;
        var (owner, key) = (place.Owner.Target!, PointsToSets.KeyOf(place.Info, []));
        if (_thread.Shared.Objects.Of(key) is not null) return false;
        var before = place.Info.GetValue(place.Owner.Target);
        if (ReferenceEquals(before, kept.Target)) return true;
        if (IsInLoop || _thread.Shared.Objects.IsReadOtherwise(key, _thread.Number, owner, kept.Target)) return false;
        place.Info.SetValue(owner, kept.Target);
        _thread.Shared.Objects.Kept(() => place.Info.SetValue(owner, before));
        if (_builder.Current is { } block) _kept.Add((block, key, before, kept.Target));
        return true;
    }

    /// <summary>The same for an element of an array.</summary>
    private bool TryKeep(ElementLocation place, AbstractValue value)
    {
        if (_thread is not { HasPaused: false } || IsInLoop || place.Path.Count > 0 || place.Type.IsValueType
            || value is not Reference { IsKnown: true } kept || place.Index is not Constant index
            || place.Array is not { IsKnown: true, Target: Array array })
            return false;
        var (key, at) = (PointsToSets.KeyOf(array, []), (int)index.Bits);
        if (_thread.Shared.Objects.Of(key) is not null
            || _thread.Shared.Objects.IsReadOtherwise(key, _thread.Number, array, kept.Target))
            return false;
        var before = array.GetValue(at);
        array.SetValue(kept.Target, at);
        _thread.Shared.Objects.Kept(() => array.SetValue(before, at));
        if (_builder.Current is { } block) _kept.Add((block, key, before, kept.Target));
        return true;
    }

    /// <summary>A field that would be given an object where that is fixed.</summary>
    private CompileException RefuseObject(string field) =>
        Refuse(_thread is null ? Refusal.KeptObject(field) : Refusal.ClockedObject(field));

    /// <summary>An array; one of texts or objects that no variable holds is a list of arguments.</summary>
    private AbstractValue NewArray(Type element, Value length, bool isList)
    {
        if ((element == typeof(object) && isList || element == typeof(string))
            && length is Constant { Bits: var items } && items < MostArguments)
            return new ArgumentList([
                .. Enumerable.Repeat(new Reference((object?)null), (int)items),
            ]);
        RequireElaboration($"an array of {element.Name}");
        if (length is not Constant { Bits: var count } || count > int.MaxValue)
            throw Refuse(DiagnosticNumber.UnknownObject, "the length of an array is not known; give it a constant");
        return new Reference(Made(() => Array.CreateInstance(element, (int)count)));
    }

    /// <summary>The elements that the C# compiler gives an array that has just been made.</summary>
    private void Initialise(AbstractValue[] arguments)
    {
        if (arguments is not [Reference { IsKnown: true, Target: Array array }, Reference { Target: FieldInfo data }])
            throw Refuse(DiagnosticNumber.UnknownObject, "elements are given to an array that is not known");
        RuntimeHelpers.InitializeArray(array, data.FieldHandle);
    }

    /// <summary>An object of the place that is translated: the same one whenever it is.</summary>
    private T Made<T>(Func<T> make)
        where T : notnull => _thread!.Shared.Objects.Made(Here, make);

    private Reference NewObject(ConstructorInfo constructor, AbstractValue[] arguments)
    {
        var type = constructor.DeclaringType!;
        if (IsObjectHandler(type)) throw RefuseLibrary(constructor);
        if (type.IsArray) return NewArray(type, arguments);
        // Only that it is thrown counts: the thread ends.
        if (typeof(Exception).IsAssignableFrom(type)) return new Reference(RuntimeHelpers.GetUninitializedObject(type));
        RequireElaboration($"a {type.Name}");
        if (type == typeof(Thread)) return NewThread(arguments[0]);
        if (type == typeof(object)) return new Reference(Made(() => new object()));
        if (IsOfRun(type))
            return new Reference(Made(() => Activator.CreateInstance(type, [.. arguments.Select(Known)])!));
        var made = Made(() => RuntimeHelpers.GetUninitializedObject(type));
        _state.Name(made, type.Name);
        CallExactly(constructor, [new Reference(made), .. arguments]);
        return new Reference(made);
    }

    /// <summary>
    /// True before the first pause, where what a lambda captures is an object as any other: another thread may run the
    /// lambda.
    /// </summary>
    private bool IsElaborating => _thread is { HasPaused: false } && !IsInLoop;

    /// <summary>A thread of .NET that never runs: variables hold it as any other object.</summary>
    private Reference NewThread(AbstractValue body)
    {
        if (body is Reference { IsKnown: true, Target: DelegateValue kept }) body = kept;
        if (body is not DelegateValue known)
            throw Refuse(DiagnosticNumber.UnknownObject, "a thread runs a method that is not known");
        var thread = Made(() => new Thread(static () => { }));
        _thread!.Shared.Threads[thread] = known;
        return new Reference(thread);
    }

    /// <summary>Objects are made once each.</summary>
    private void RequireElaboration(string what)
    {
        if (IsInLoop)
            throw Refuse(
                DiagnosticNumber.Allocation,
                _thread!.HasPaused
                    ? $"{what} is made while the circuit runs, and in a loop; make it before the first pause"
                    : $"{what} is made in a loop whose turns are not known; give it a bound that is known, or make it "
                        + "in the initialiser of a static field");
    }

    /// <summary>
    /// Objects that are kept in fields are kept on every way, since all that runs later knows them; else each way has
    /// its own.
    /// </summary>
    private void CheckKept(Block entry)
    {
        foreach (var (_, key, before, kept) in _kept.Where(kept => IsAvoidable(entry, kept.Block)))
            _thread!.Shared.Objects.With(key, [before, kept]);
    }

    /// <summary>True if a way from the entry leads to a place from which there is none to the block.</summary>
    private static bool IsAvoidable(Block entry, Block block)
    {
        var without = Reached(entry, block);
        var reaching = new HashSet<Block> { block };
        var open = new Stack<Block>([block]);
        while (open.TryPop(out var next))
            foreach (var before in next.Predecessors.Where(reaching.Add)) open.Push(before);
        return entry != block && without.Any(other => !reaching.Contains(other) && other.Terminator is not Fault);
    }

    private static HashSet<Block> Reached(Block entry, Block? except)
    {
        var reached = new HashSet<Block> { entry };
        var open = new Stack<Block>([entry]);
        while (open.TryPop(out var next))
            foreach (var after in next.Terminator!.Successors.Where(after => after != except && reached.Add(after)))
                open.Push(after);
        return reached;
    }

    private void RefuseOtherCircuit(MemberInfo member, string name)
    {
        if (member.GetCustomAttributes<Kiwi.OtherCircuitAttribute>(false).FirstOrDefault() is { } attribute)
            throw Refuse(
                DiagnosticNumber.ClockedMember,
                $"{name} is marked with {attribute.GetType().Name}, which does not compile; "
                + DialectMembers.Instead(attribute.GetType().Name));
    }

    /// <summary>True for a class that the .NET of the clock level runs on, of which a circuit has registers.</summary>
    private static bool IsOfRun(Type type) =>
        type == typeof(Arbiter) || type == typeof(LockState)
        || type.IsGenericType && type.GetGenericTypeDefinition() == typeof(Cell<>);

    private static object? Known(AbstractValue value) => (value as Reference)?.Target;

    /// <summary>
    /// True for a method that is marked as one that changes the type of bits alone: its body, which goes through an
    /// array of bytes on .NET, is none in a circuit.
    /// </summary>
    private static bool IsBitConversion(MethodBase method) =>
        method is MethodInfo { IsStatic: true } called && called.IsDefined(typeof(Kiwi.FastBitConvertAttribute))
        && called.GetParameters() is [var only] && Types.Width(only.ParameterType) is 32 or 64
        && Types.Width(only.ParameterType) == Types.Width(called.ReturnType);

    /// <summary>A call that only threads make; false for others.</summary>
    private bool TryCallOfThread(MethodBase method, AbstractValue[] arguments, out AbstractValue? result)
    {
        result = null;
        var type = method.DeclaringType!;
        if (IsBitConversion(method)) result = arguments[0];
        else if (type == typeof(Kiwi)) result = CallKiwi(method, arguments);
        else if (type == typeof(Thread)) CallOfThread(method, arguments);
        else if (type == typeof(Monitor)) result = CallMonitor(method, arguments);
        else if (type == typeof(Interlocked)) result = CallShared(method, typeof(ClockedInterlocked), arguments);
        else if (type == typeof(Volatile)) result = CallShared(method, typeof(ClockedVolatile), arguments);
        else if (type == typeof(RuntimeHelpers) && method.Name == nameof(RuntimeHelpers.InitializeArray))
            Initialise(arguments);
        else if (type == typeof(ArgumentNullException) && arguments is [Reference given, ..]) NotNull(given);
        else if (TryCallOfDimensions(method, arguments, out result)) return true;
        else if (type.Assembly == typeof(Kiwi).Assembly) return TryCallOfLibrary(method, arguments, out result);
        else return TryCallOfText(method, arguments, out result);
        return true;
    }

    private Scalar? CallKiwi(MethodBase method, AbstractValue[] arguments)
    {
        if (s_hints.Contains(method.Name)) return null;
        switch (method.Name)
        {
            case nameof(Kiwi.Pause):
                Pause();
                if (arguments is [Scalar { Value: Constant { Bits: var how } }]) Flag(method, (int)how);
                return null;
            case nameof(Kiwi.PauseControlSet):
                return SetPauses((Scalar)arguments[0]);
            case nameof(Kiwi.KPragma) or nameof(Kiwi.EndOfElaborate):
                return new Scalar(SsaBuilder.Constant(32, 0));
            case nameof(Kiwi.WriteLine):
                Print([.. Formatted(arguments), (new LiteralText("\n"), null)]);
                return null;
            case $"get_{nameof(Kiwi.tnow)}":
                return new Scalar(
                    _builder.Emit(Opcode.RegisterRead, 64, (StateElement[])[_thread!.Shared.TimeOf()]));
            case nameof(Kiwi.ReportNormalCompletion) or nameof(Kiwi.ReportCompletion):
                Inline(method, arguments);
                return null;
            case nameof(Kiwi.inHardware):
                return new Scalar(SsaBuilder.Constant(1, 1));
            default:
                throw Refuse(
                    DiagnosticNumber.ClockedMember, $"Kiwi.{method.Name} does not compile; "
                        + DialectMembers.Instead(method.Name));
        }
    }

    /// <summary>Chooses how code is taken from here on; gives how it was.</summary>
    private Scalar SetPauses(Scalar mode)
    {
        var before = _builder.Emit(Opcode.RegisterRead, 32, (StateElement[])[_thread!.PauseMode]);
        _builder.Emit(Opcode.RegisterWrite, 1, (StateElement[])[_thread.PauseMode], mode.Value);
        return new Scalar(before);
    }

    /// <summary>Notes what a pause says of the code behind it.</summary>
    private void Flag(MethodBase method, int how)
    {
        var mode = method.GetParameters()[0].ParameterType.IsEnum ? (Kiwi.PauseControl)how
            : (how & Kiwi.SoftFlag) != 0 ? Kiwi.PauseControl.softPauseEnable
            : (how & Kiwi.HardFlag) != 0 ? Kiwi.PauseControl.hardPauseEnable
            : (Kiwi.PauseControl?)null;
        if (mode is not { } flagged || _builder.Current is null) return;
        _builder.Emit(
            Opcode.RegisterWrite, 1, (StateElement[])[_thread!.PauseFlag],
            SsaBuilder.Constant(32, (UInt128)(int)flagged));
    }

    /// <summary>The pause that the schedule has in front of an instruction, if it has one.</summary>
    private void PauseBefore(MethodBase method, int offset)
    {
        if (_thread is null || method.Module.Assembly != _own) return;
        _thread.Shared.Places.Note(_builder.Location!, method, offset);
        if (_thread.Shared.Places.HasPause(method, offset)) Pause();
    }

    private void Pause()
    {
        _thread!.HasPaused = true;
        var next = _builder.NewBlock();
        _builder.End(new Pause(_builder.Location, next));
        _builder.Seal(next);
        _builder.Current = next.Predecessors.Count > 0 ? next : null;
    }

    private void CallOfThread(MethodBase method, AbstractValue[] arguments)
    {
        if (method.Name is "set_IsBackground" or "set_Name" or "set_Priority") return;
        if (method.Name != nameof(Thread.Start) || arguments is not [Reference started])
            throw Refuse(
                DiagnosticNumber.ClockedMember,
                $"Thread.{method.Name}{(arguments.Length > 1 ? " with an argument" : "")} does not compile; threads "
                + "are started, run in parallel, and share static fields");
        if (!started.IsKnown || started.Target is not Thread thread
            || !_thread!.Shared.Threads.TryGetValue(thread, out var body))
            throw Refuse(
                DiagnosticNumber.UnknownObject,
                "the thread that is started here is not known; make it in the code before the first pause, and start "
                + "that one");
        RequireElaboration("a thread");
        var hasStarted = new Register($"started_{_thread.Number}_{_thread.Started.Count}", 1, 0);
        _builder.Emit(Opcode.RegisterWrite, 1, (StateElement[])[hasStarted], SsaBuilder.Constant(1, 1));
        _thread.Started.Add(new StartedThread(body, hasStarted, _thread.HasPaused));
    }
}
