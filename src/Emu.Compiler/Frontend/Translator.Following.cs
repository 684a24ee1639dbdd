using System.Reflection;
using System.Reflection.Metadata;
using Emu.Compiler.Metadata;
using KiwiSystem;

namespace Emu.Compiler.Frontend;

/// <summary>Decides how far the one way of a thread before its first pause is followed.</summary>
internal sealed partial class Translator
{
    /// <summary>The most instructions that are followed, of a thread: what is longer is a loop that is run.</summary>
    private const int MostFollowed = 60_000;

    private readonly Dictionary<MethodBase, bool> _mayPause = [];
    private int _followed;

    /// <summary>True if code is done once at most, and before the first pause.</summary>
    private bool IsDoneOnce => _thread is { HasPaused: false } && _followed < MostFollowed && !IsInLoop;

    private bool MayFollow(MethodBase method, Instruction instruction) =>
        !_thread!.HasPaused && _followed < MostFollowed && !MayPause(method, instruction);

    /// <summary>True if the first pause may be in an instruction.</summary>
    private bool MayPause(MethodBase method, Instruction instruction) =>
        _thread!.Shared.Places.HasPause(method, instruction.Offset)
        || instruction.OpCode is ILOpCode.Call or ILOpCode.Callvirt or ILOpCode.Newobj
            && MayPause((MethodBase)instruction.Operand!);

    private bool MayPause(MethodBase method)
    {
        if (_mayPause.TryGetValue(method, out var known)) return known;
        // A method that calls itself pauses if it does elsewhere.
        _mayPause[method] = false;
        return _mayPause[method] = Pauses(method);
    }

    private bool Pauses(MethodBase method)
    {
        var type = method.DeclaringType!;
        if (type == typeof(Kiwi)) return method.Name == nameof(Kiwi.Pause);
        if (type == typeof(Monitor) || type.IsSubclassOf(typeof(Delegate)) && method.Name == "Invoke") return true;
        if (type.Assembly != _own && type.Assembly != typeof(Kiwi).Assembly && !type.IsInterface) return false;
        if (method is MethodInfo { IsVirtual: true } && OthersOf(method).Any(MayPause)) return true;
        return !method.IsAbstract && CodeOf(method) is { } code
            && code.Instructions.Exists(instruction => MayPause(method, instruction));
    }

    /// <summary>The methods of the program's classes that a virtual call may reach, by their name.</summary>
    private IEnumerable<MethodBase> OthersOf(MethodBase method) => _own.GetTypes()
        .Where(type => !type.ContainsGenericParameters)
        .SelectMany(type => type.GetMethods(
            BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.DeclaredOnly))
        .Where(other => other.IsVirtual && !other.ContainsGenericParameters && other != method
            && other.Name.Split('.')[^1] == method.Name.Split('.')[^1]);
}
