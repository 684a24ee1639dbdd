using System.Reflection;
using System.Runtime.CompilerServices;
using Emu.Compiler.Diagnostics;
using Emu.Compiler.Elaboration;
using Emu.Compiler.IR;
using KiwiSystem;

namespace Emu.Compiler.Frontend;

/// <summary>Threads of the clock level: static fields are registers, a pause ends a block.</summary>
internal sealed partial class Translator
{
    private const int MostArguments = 256;

    private const string Hint = "make it before the first pause";

    /// <summary>Members of the dialect that are hints for other compilers, and do nothing.</summary>
    private static readonly HashSet<string> s_hints =
    [
        nameof(Kiwi.KppMark), nameof(Kiwi.NoUnroll), nameof(Kiwi.Unroll), nameof(Kiwi.EndOfElaborate),
        nameof(Kiwi.Dispose),
    ];

    /// <summary>Translates a thread: the entry point of a program, or what a started thread runs.</summary>
    /// <param name="body">The method, and the object that it is called on.</param>
    /// <param name="state">The map that the state it uses is put into.</param>
    /// <param name="context">Takes the threads that it starts.</param>
    /// <exception cref="CompileException">The thread uses what does not compile.</exception>
    public static Function TranslateThread(DelegateValue body, StateMap state, ThreadContext context)
    {
        var method = body.Method;
        var translator = new Translator(state, false, false, method.Module.Assembly, context);
        return translator.Translate(method, () =>
        {
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

    /// <summary>A static field as a register; null in a service, and for what is constant.</summary>
    private FieldLocation? StaticOf(FieldInfo field)
    {
        var type = field.DeclaringType!;
        if (_thread is null || field.Attributes.HasFlag(FieldAttributes.HasFieldRVA)
            || field.FieldType.IsSubclassOf(typeof(Delegate)) || type.Namespace == nameof(System))
            return null;
        _state.Name(type, "");
        return new FieldLocation(new Reference(type), field, field.FieldType, []);
    }

    /// <summary>Keeps an object in a field: once, before the first pause, so that it is known from then on.</summary>
    private bool TryKeep(FieldLocation place, AbstractValue value)
    {
        if (_thread is null || place.Path.Count > 0 || place.Type.IsValueType) return false;
        if (_thread.HasPaused || value is not Reference { IsKnown: true } kept || !place.Owner.IsKnown) return false;
        place.Info.SetValue(place.Owner.Target, kept.Target);
        return true;
    }

    private AbstractValue NewArray(Type element, Value length)
    {
        if ((element == typeof(object) || element == typeof(string))
            && length is Constant { Bits: var items } && items < MostArguments)
            return new ArgumentList([
                .. Enumerable.Repeat(new Reference((object?)null), (int)items),
            ]);
        RequireElaboration($"an array of {element.Name}");
        if (length is not Constant { Bits: var count } || count > int.MaxValue)
            throw Refuse(DiagnosticNumber.UnknownObject, "the length of an array is not known; give it a constant");
        return new Reference(Array.CreateInstance(element, (int)count));
    }

    private Reference NewObject(ConstructorInfo constructor, AbstractValue[] arguments)
    {
        var type = constructor.DeclaringType!;
        RequireElaboration($"a {type.Name}");
        if (type == typeof(Thread))
            return new Reference(
                arguments[0] is DelegateValue body
                    ? new ThreadObject(body)
                    : throw Refuse(DiagnosticNumber.UnknownObject, "a thread runs a method that is not known"));
        if (type == typeof(object)) return new Reference(new object());
        var made = RuntimeHelpers.GetUninitializedObject(type);
        _state.Name(made, type.Name);
        CallExactly(constructor, [new Reference(made), .. arguments]);
        return new Reference(made);
    }

    private void RequireElaboration(string what)
    {
        if (_thread!.HasPaused)
            throw Refuse(DiagnosticNumber.Allocation, $"{what} is made while the circuit runs; {Hint}");
    }

    /// <summary>A call that only threads make; false for others.</summary>
    private bool TryCallOfThread(MethodBase method, AbstractValue[] arguments, out AbstractValue? result)
    {
        result = null;
        var type = method.DeclaringType!;
        if (type == typeof(Kiwi)) result = CallKiwi(method);
        else if (type == typeof(Thread)) CallOfThread(method, arguments);
        else return TryCallOfText(method, arguments, out result);
        return true;
    }

    private Scalar? CallKiwi(MethodBase method)
    {
        if (s_hints.Contains(method.Name)) return null;
        switch (method.Name)
        {
            case nameof(Kiwi.Pause):
                Pause();
                return null;
            case nameof(Kiwi.PauseControlSet):
                return new Scalar(SsaBuilder.Constant(32, (UInt128)(int)Kiwi.PauseControl.hardPauseEnable));
            case nameof(Kiwi.inHardware):
                return new Scalar(SsaBuilder.Constant(1, 1));
            default:
                throw Refuse(
                    DiagnosticNumber.ClockedMember, $"Kiwi.{method.Name} does not compile; write it without");
        }
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
        if (method.Name != nameof(Thread.Start) || arguments is not [Reference { Target: ThreadObject thread }])
        {
            if (method.Name is "set_IsBackground" or "set_Name" or "set_Priority") return;
            throw Refuse(
                DiagnosticNumber.ClockedMember,
                $"Thread.{method.Name} does not compile; threads are started, run in parallel, "
                + "and share static fields");
        }
        RequireElaboration("a thread");
        var started = new Register($"started_{_thread!.Started.Count}", 1, 0);
        _builder.Emit(Opcode.RegisterWrite, 1, (StateElement[])[started], SsaBuilder.Constant(1, 1));
        _thread.Started.Add((thread.Body, started));
    }
}
