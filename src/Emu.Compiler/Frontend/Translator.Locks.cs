using System.Reflection;
using Emu.Clocked;
using Emu.Compiler.Diagnostics;
using Emu.Compiler.IR;
using KiwiSystem;

namespace Emu.Compiler.Frontend;

/// <summary>
/// Locks and channels of the clock level: the code is that of Emu.Clocked, as it runs on .NET; only what holds state
/// there has its own form here.
/// </summary>
internal sealed partial class Translator
{
    /// <summary><c>Monitor</c>, which <c>lock</c> calls.</summary>
    private AbstractValue? CallMonitor(MethodBase method, AbstractValue[] arguments)
    {
        var parameters = method.GetParameters().Select(parameter => parameter.ParameterType).ToArray();
        var ours = typeof(ClockedMonitor).GetMethod(method.Name, parameters)
            ?? throw Refuse(
                DiagnosticNumber.ClockedMember,
                $"Monitor.{method.Name} with these arguments does not compile; lock, Enter, TryEnter, Exit, Wait, "
                + "Pulse and PulseAll do, without a time");
        if (_thread!.Number > ClockedMonitor.MostThreads)
            throw Refuse(DiagnosticNumber.ClockedMember, $"more than {ClockedMonitor.MostThreads} threads use locks");
        return Inline(ours, arguments);
    }

    /// <summary>A call of a class of .NET that threads share variables by: what a woven program calls for it.</summary>
    private AbstractValue? CallShared(MethodBase method, Type ours, AbstractValue[] arguments)
    {
        var parameters = method.GetParameters().Select(parameter => parameter.ParameterType).ToArray();
        return Inline(
            ours.GetMethod(method.Name, parameters)
            ?? throw Refuse(
                DiagnosticNumber.ClockedMember,
                $"{method.DeclaringType!.Name}.{method.Name} with these arguments does not compile; read and write the "
                + "variable as it is, under a lock where several threads change it"),
            arguments);
    }

    /// <summary>A call of what the .NET of the clock level runs on; false for what is compiled as it is.</summary>
    private bool TryCallOfLibrary(MethodBase method, AbstractValue[] arguments, out AbstractValue? result)
    {
        result = null;
        var type = method.DeclaringType!;
        if (type == typeof(ClockedMonitor) && method.Name == nameof(ClockedMonitor.Of))
        {
            var locked = NotNull((Reference)arguments[0]);
            result = locked.With(
                [.. locked.Candidates.Select(candidate => candidate is null ? null : ClockedMonitor.Of(candidate))]);
        }
        else if (type == typeof(ClockedMonitor) && method.Name == nameof(ClockedMonitor.Require))
            _builder.Require(IsTrue(arguments[0]), FaultKind.IndexOutOfRange);
        else if (type == typeof(CycleClock) && method.Name == $"get_{nameof(CycleClock.Number)}")
            result = new Scalar(SsaBuilder.Constant(32, (UInt128)_thread!.Number));
        else if (type == typeof(Places) && method.Name == nameof(Places.Store))
            _storage.Store(((Pointer)arguments[0]).Target, arguments[1]);
        else if (type == typeof(Coroutine)) result = new Scalar(SsaBuilder.Constant(1, 0));
        else if (type == typeof(Emu.Clocked.Elements)) result = UseElement(method, arguments);
        else if (type == typeof(Arbiter)) result = Ask((Reference)arguments[0]);
        else if (type.IsGenericType && type.GetGenericTypeDefinition() == typeof(Cell<>))
            result = UseCell(method, arguments);
        else if (IsObjectHandler(type) || method.Name == nameof(hpr_primitives.hpr_sysleds))
            throw RefuseLibrary(method);
        else return false;
        return true;
    }

    private static bool IsObjectHandler(Type type) =>
        type.IsGenericType && type.GetGenericTypeDefinition() == typeof(Kiwi.ObjectHandler<>);

    private CompileException RefuseLibrary(MethodBase method)
    {
        var type = method.DeclaringType!.Name.Split('`')[0];
        var name = method.IsConstructor ? type : method.Name;
        return Refuse(
            DiagnosticNumber.ClockedMember,
            $"{(method.IsConstructor ? $"a new {type}" : $"{type}.{name}")} does not compile; "
            + DialectMembers.Instead(name));
    }

    /// <summary>Asks an arbiter: what it grants depends on the threads before this one, in the same cycle.</summary>
    private Scalar Ask(Reference arbiter)
    {
        if (!arbiter.IsKnown)
            throw Refuse(
                DiagnosticNumber.UnknownObject,
                "a lock or a channel is one of several; use each in a branch of its own");
        var port = _thread!.Shared.PortOf((Arbiter)arbiter.Target!, _thread.Number);
        var grant = _builder.Emit(Opcode.RegisterRead, 1, (StateElement[])[port.Grant]);
        _builder.Emit(Opcode.RegisterWrite, 1, (StateElement[])[port.Taken], grant);
        return new Scalar(grant);
    }

    private AbstractValue? UseElement(MethodBase method, AbstractValue[] arguments)
    {
        var element = method.GetGenericArguments()[0];
        var place = Element((Reference)arguments[0], NumberOf(arguments[1]), element);
        if (method.Name == nameof(Emu.Clocked.Elements.Load))
            return _builder.Current is null ? Storage.Default(element) : _storage.Load(place);
        _storage.Store(place, arguments[2]);
        return null;
    }

    private AbstractValue? UseCell(MethodBase method, AbstractValue[] arguments)
    {
        var cell = (Reference)arguments[0];
        foreach (var candidate in cell.Candidates.OfType<object>())
            _state.Name(candidate, (string)candidate.GetType().GetProperty("Name")!.GetValue(candidate)!);
        var field = method.DeclaringType!.GetField("_now", BindingFlags.Instance | BindingFlags.NonPublic)!;
        var place = new FieldLocation(cell, field, field.FieldType, []);
        if (method.Name == "get_Value") return _storage.Load(place);
        _storage.Store(place, arguments[1]);
        _thread!.Shared.Arbitrated.UnionWith(_state.RegistersOf(cell.Candidates));
        return null;
    }
}
