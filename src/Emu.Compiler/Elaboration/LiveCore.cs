using System.Reflection;
using Emu.Compiler.IR;
using Emu.Compiler.Metadata;

namespace Emu.Compiler.Elaboration;

/// <summary>A core by the method that it stands for, which is called on a copy of the object.</summary>
/// <param name="method">The method.</param>
/// <param name="target">The object as the constructor left it; null of a static method.</param>
/// <param name="latency">Cycles from a call to its results, unless <paramref name="cycles"/> gives them.</param>
/// <param name="cycles">Gives the cycles of a call of a handshake.</param>
internal sealed class LiveCore(MethodInfo method, object? target, int latency, MethodInfo? cycles) : ICoreModel
{
    private readonly ParameterInfo[] _parameters = method.GetParameters();
    private object? _target = new ObjectCopy().Of(target);

    /// <inheritdoc/>
    public void Reset() => _target = new ObjectCopy().Of(target);

    /// <inheritdoc/>
    public UInt128 Call(IReadOnlyList<UInt128> operands)
    {
        var arguments = Arguments(_parameters, operands);
        var returned = method.Invoke(_target, BindingFlags.DoNotWrapExceptions, null, arguments, null);
        List<object?> results = [.. _parameters.Where(p => p.IsOut).Select(p => arguments[p.Position])];
        if (method.ReturnType != typeof(void)) results.Insert(0, returned);
        var (joined, low) = (UInt128.Zero, 0);
        foreach (var result in results)
        {
            var width = Number.KeyWidth(result!.GetType())!.Value;
            joined |= (Number.Bits(result) & Arithmetic.Mask(width)) << low;
            low += width;
        }
        return joined;
    }

    /// <inheritdoc/>
    public int CyclesOf(IReadOnlyList<UInt128> operands) => cycles is null
        ? latency
        : (int)cycles.Invoke(
            null, BindingFlags.DoNotWrapExceptions, null, Arguments(cycles.GetParameters(), operands), null)!;

    private static object?[] Arguments(ParameterInfo[] parameters, IReadOnlyList<UInt128> operands)
    {
        var next = 0;
        return [.. parameters.Select(p => p.IsOut ? null : Number.Of(p.ParameterType, operands[next++]))];
    }
}
