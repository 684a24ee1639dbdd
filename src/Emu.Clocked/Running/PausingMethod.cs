using Mono.Cecil;
using Mono.Cecil.Cil;

namespace Emu.Clocked;

/// <summary>
/// Rewrites a method of a <see cref="Coroutine"/>: behind each call that may pause it saves its variables and returns
/// while calls unwind; at its beginning it restores them, and goes on at that call.
/// </summary>
internal sealed class PausingMethod
{
    private readonly MethodDefinition _method;
    private readonly ModuleDefinition _module;
    private readonly IReadOnlyList<PausingCall> _calls;
    private readonly MethodBody _body;
    private readonly List<ProtectedRegion> _regions;
    private readonly List<Instruction> _goesOn = [];
    private readonly VariableDefinition _place, _isResuming;
    private readonly Instruction _unwinds = Instruction.Create(OpCodes.Nop);

    private readonly List<VariableDefinition> _kept;

    /// <summary>For a method.</summary>
    /// <param name="method">The method.</param>
    /// <param name="calls">The calls that may pause.</param>
    /// <param name="live">The variables that are read behind one of them.</param>
    public PausingMethod(
        MethodDefinition method, IReadOnlyList<PausingCall> calls, IReadOnlySet<VariableDefinition> live)
    {
        (_method, _module, _calls, _body) = (method, method.Module, calls, method.Body);
        _kept = [.. live.OrderBy(variable => variable.Index)];
        _regions = ProtectedRegion.Of(_body, [.. calls.Select(call => call.At)]);
        (_place, _isResuming) =
            (new VariableDefinition(_module.TypeSystem.Int32), new VariableDefinition(_module.TypeSystem.Int32));
    }

    /// <summary>Rewrites it.</summary>
    public void Weave()
    {
        _body.InitLocals = true;
        _body.Variables.Add(_place);
        _body.Variables.Add(_isResuming);
        for (var i = 0; i < _calls.Count; i++) Rewrite(_calls[i], i);
        foreach (var region in _regions) Guard(region);
        foreach (var region in _regions) Dispatch(region);
        var frame = new FrameClass(_method, _kept);
        Begin(frame);
        Unwind(frame);
    }

    private VariableDefinition Variable(TypeReference type)
    {
        var variable = new VariableDefinition(type);
        _body.Variables.Add(variable);
        return variable;
    }

    private MethodReference Member(string name) => _module.ImportReference(typeof(Coroutine).GetMethod(name));

    /// <summary>A call with what is on the stack kept in variables, and the way out behind it.</summary>
    private void Rewrite(PausingCall call, int number)
    {
        var below = call.Below.Select(Variable).ToList();
        var arguments = call.Arguments.Select(Variable).ToList();
        var called = Instruction.Create(call.At.OpCode, call.Called);
        var result = call.Called.ReturnType.MetadataType == MetadataType.Void
            ? null
            : Variable(StackTypes.Closed(call.Called.ReturnType, call.Called)!);
        // Branches to the call are branches to what is done before it.
        (call.At.OpCode, call.At.Operand) = (OpCodes.Nop, null);
        if (call.Reference is not null) (call.At.Previous.OpCode, call.At.Previous.Operand) = (OpCodes.Nop, null);
        var resumes = Instruction.Create(OpCodes.Ldc_I4, 0);
        Instruction[] isResumed = [resumes, Instruction.Create(OpCodes.Stloc, _isResuming)];
        List<Instruction> code =
            [.. below.Concat(arguments).Reverse().Select(v => Instruction.Create(OpCodes.Stloc, v))];
        if (!call.IsPause) code.AddRange(isResumed);
        code.AddRange(arguments.Select(v => Instruction.Create(OpCodes.Ldloc, v)));
        if (call.Reference is { } reference) code.Add(Instruction.Create(OpCodes.Ldloca, reference));
        code.Add(called);
        if (result is not null) code.Add(Instruction.Create(OpCodes.Stloc, result));
        var goesOn = Instruction.Create(OpCodes.Nop);
        code.AddRange(
        [
            Instruction.Create(OpCodes.Ldc_I4, number), Instruction.Create(OpCodes.Stloc, _place),
            Instruction.Create(OpCodes.Call, Member($"get_{nameof(Coroutine.IsUnwinding)}")),
            Instruction.Create(OpCodes.Brfalse, goesOn),
            Instruction.Create(_regions.Exists(region => region.Has(number)) ? OpCodes.Leave : OpCodes.Br, _unwinds),
        ]);
        if (call.IsPause) code.AddRange(isResumed);
        code.Add(goesOn);
        code.AddRange(below.Select(v => Instruction.Create(OpCodes.Ldloc, v)));
        if (result is not null) code.Add(Instruction.Create(OpCodes.Ldloc, result));
        var il = _body.GetILProcessor();
        var at = call.At;
        foreach (var instruction in code)
        {
            il.InsertAfter(at, instruction);
            at = instruction;
        }
        _goesOn.Add(resumes);
        _kept.AddRange(below);
        if (!call.IsPause) _kept.AddRange(arguments);
    }

    /// <summary>No <c>finally</c> block runs while calls unwind: the code that it protects has not ended.</summary>
    private void Guard(ProtectedRegion region)
    {
        foreach (var handler in region.Handlers.Where(handler =>
            handler.HandlerType is ExceptionHandlerType.Finally or ExceptionHandlerType.Fault))
        {
            var first = handler.HandlerStart;
            var guard = Instruction.Create(OpCodes.Call, Member($"get_{nameof(Coroutine.IsUnwinding)}"));
            Insert(
                first, guard, Instruction.Create(OpCodes.Brfalse, first), Instruction.Create(OpCodes.Endfinally));
            foreach (var other in _body.ExceptionHandlers)
            {
                if (other.TryEnd == first) other.TryEnd = guard;
                if (other.HandlerStart == first) other.HandlerStart = guard;
                if (other.HandlerEnd == first) other.HandlerEnd = guard;
            }
        }
    }

    /// <summary>Code cannot jump into a protected block: its beginning sends on what goes on inside.</summary>
    private void Dispatch(ProtectedRegion region)
    {
        var first = region.Start;
        var dispatch = Instruction.Create(OpCodes.Ldloc, _isResuming);
        foreach (var instruction in _body.Instructions)
        {
            if (ReferenceEquals(instruction.Operand, first)) instruction.Operand = dispatch;
            if (instruction.Operand is Instruction[] targets)
                instruction.Operand = targets.Select(target => target == first ? dispatch : target).ToArray();
        }
        foreach (var other in _body.ExceptionHandlers)
        {
            if (other.TryEnd == first) other.TryEnd = dispatch;
            if (other.HandlerEnd == first) other.HandlerEnd = dispatch;
        }
        foreach (var around in _regions.Where(other => other.Start == first && other.Contains(region)))
            around.Start = dispatch;
        Insert(
            first, dispatch, Instruction.Create(OpCodes.Brfalse, first), Instruction.Create(OpCodes.Ldloc, _place),
            Instruction.Create(OpCodes.Switch, Targets(region, first)));
    }

    /// <summary>The way to each call from a protected block, or from the beginning of the method.</summary>
    private Instruction[] Targets(ProtectedRegion? from, Instruction otherwise) =>
    [
        .. _goesOn.Select((resumes, number) =>
        {
            if (from is not null && !from.Has(number)) return otherwise;
            // Regions are in order, the innermost first.
            var next = _regions.LastOrDefault(region => region.Has(number) && (from is null
                || region != from && from.Contains(region)));
            return next?.Start ?? resumes;
        }),
    ];

    private void Begin(FrameClass frame)
    {
        var first = _body.Instructions[0];
        List<Instruction> code =
        [
            Instruction.Create(OpCodes.Call, Member(nameof(Coroutine.Resumed))),
            Instruction.Create(OpCodes.Castclass, frame.Type),
            Instruction.Create(OpCodes.Stloc, frame.Variable),
            Instruction.Create(OpCodes.Ldloc, frame.Variable), Instruction.Create(OpCodes.Brfalse, first),
        ];
        code.AddRange(frame.Restore());
        code.AddRange(
        [
            Instruction.Create(OpCodes.Ldc_I4, 1), Instruction.Create(OpCodes.Stloc, _isResuming),
            Instruction.Create(OpCodes.Ldloc, frame.Variable), Instruction.Create(OpCodes.Ldfld, frame.Place),
            Instruction.Create(OpCodes.Stloc, _place), Instruction.Create(OpCodes.Ldloc, _place),
            Instruction.Create(OpCodes.Switch, Targets(null, first)),
        ]);
        Insert(first, [.. code]);
    }

    private void Unwind(FrameClass frame)
    {
        var il = _body.GetILProcessor();
        // A handler may be the last code of the method.
        foreach (var handler in _body.ExceptionHandlers) handler.HandlerEnd ??= _unwinds;
        il.Append(_unwinds);
        foreach (var instruction in frame.Save(_place)) il.Append(instruction);
        il.Emit(OpCodes.Call, Member(nameof(Coroutine.Save)));
        if (_method.ReturnType.MetadataType != MetadataType.Void) il.Emit(OpCodes.Ldloc, Variable(_method.ReturnType));
        il.Emit(OpCodes.Ret);
    }

    private void Insert(Instruction before, params Instruction[] code)
    {
        var il = _body.GetILProcessor();
        foreach (var instruction in code) il.InsertBefore(before, instruction);
    }
}
