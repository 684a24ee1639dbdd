using Mono.Cecil;
using Mono.Cecil.Cil;

namespace Emu.Direction.Weaving;

/// <summary>The change of the evaluation stack by instructions (ECMA-335 III.3 and III.4).</summary>
/// <param name="method">The method that has them.</param>
/// <param name="stack">The stack.</param>
internal sealed class StackTransition(MethodDefinition method, Stack<StackKind> stack)
{
    /// <summary>Does what an instruction does with the stack.</summary>
    /// <exception cref="InvalidOperationException">The instruction does not find what it takes.</exception>
    public void Do(Instruction instruction)
    {
        var (code, operand) = (instruction.OpCode.Code, instruction.Operand);
        switch (code)
        {
            case Code.Ret:
                if (!IsVoid(method.ReturnType)) Pop(StackKind.Of(method.ReturnType));
                break;
            case Code.Dup:
                stack.Push(Any());
                stack.Push(stack.Peek());
                break;
            case Code.Shl or Code.Shr or Code.Shr_Un:
                Pop(StackKind.Int32);
                break;
            case Code.Isinst:
                Pop(StackKind.Reference);
                stack.Push(StackKind.Reference);
                break;
            case Code.Ldtoken:
                stack.Push(StackKind.HandleOf((MemberReference)operand));
                break;
            case Code.Leave or Code.Leave_S:
                stack.Clear();
                break;
            case Code.Call or Code.Callvirt or Code.Newobj:
                Call((MethodReference)operand, code == Code.Newobj);
                break;
            case Code.Stfld or Code.Stsfld:
                Pop(TypeOf((FieldReference)operand));
                if (code == Code.Stfld) Owner();
                break;
            case Code.Ldfld or Code.Ldsfld:
                if (code == Code.Ldfld) Any();
                stack.Push(TypeOf((FieldReference)operand));
                break;
            case >= Code.Ldarg_0 and <= Code.Ldarg_3:
                stack.Push(Argument(code - Code.Ldarg_0));
                break;
            case >= Code.Ldloc_0 and <= Code.Ldloc_3:
                stack.Push(Local(code - Code.Ldloc_0));
                break;
            case >= Code.Stloc_0 and <= Code.Stloc_3:
                Pop(Local(code - Code.Stloc_0));
                break;
            case Code.Ldarg or Code.Ldarg_S:
                stack.Push(Argument((ParameterDefinition)operand));
                break;
            case Code.Ldloc or Code.Ldloc_S:
                stack.Push(StackKind.Of(((VariableDefinition)operand).VariableType));
                break;
            case Code.Starg or Code.Starg_S:
                Pop(Argument((ParameterDefinition)operand));
                break;
            case Code.Stloc or Code.Stloc_S:
                Pop(StackKind.Of(((VariableDefinition)operand).VariableType));
                break;
            default:
                DoOther(instruction);
                break;
        }
    }

    /// <summary>An instruction whose opcode says what it takes and gives.</summary>
    private void DoOther(Instruction instruction)
    {
        var opcode = instruction.OpCode;
        var taken = Enumerable.Range(0, TakenBy(opcode.StackBehaviourPop)).Select(_ => Any()).ToList();
        switch (opcode.StackBehaviourPush)
        {
            case StackBehaviour.Push0:
                break;
            case StackBehaviour.Pushi8:
                stack.Push(StackKind.Int64);
                break;
            case StackBehaviour.Pushr4 or StackBehaviour.Pushr8:
                stack.Push(StackKind.Float);
                break;
            case StackBehaviour.Pushref:
                stack.Push(StackKind.Reference);
                break;
            case StackBehaviour.Pushi:
                stack.Push(NumberOf(opcode.Code));
                break;
            default:
                stack.Push(instruction.Operand is TypeReference type ? StackKind.Of(type) : Result(taken));
                break;
        }
    }

    private static StackKind NumberOf(Code code) => code switch
    {
        Code.Ldarga or Code.Ldarga_S or Code.Ldloca or Code.Ldloca_S or Code.Ldflda or Code.Ldsflda or Code.Ldelema
            or Code.Unbox => StackKind.Address,
        Code.Conv_I or Code.Conv_U or Code.Conv_Ovf_I or Code.Conv_Ovf_U or Code.Conv_Ovf_I_Un or Code.Conv_Ovf_U_Un
            or Code.Ldlen or Code.Localloc or Code.Ldftn or Code.Ldvirtftn or Code.Ldind_I or Code.Ldelem_I
            => StackKind.NativeInt,
        _ => StackKind.Int32,
    };

    /// <summary>The kind of a sum and the like: the wider of its operands.</summary>
    private static StackKind Result(List<StackKind> operands)
    {
        if (operands.Count < 2) return operands.Count == 0 ? StackKind.Reference : operands[0];
        var (right, left) = (operands[0], operands[1]);
        return left == right || right.Fits(left) || left == StackKind.Address ? left
            : left.Fits(right) || right == StackKind.Address ? right
            : throw new InvalidOperationException($"{left} and {right} have no operation");
    }

    private static int TakenBy(StackBehaviour behaviour) => behaviour switch
    {
        StackBehaviour.Pop0 => 0,
        StackBehaviour.Pop1 or StackBehaviour.Popi or StackBehaviour.Popref => 1,
        StackBehaviour.Popi_popi_popi or StackBehaviour.Popref_popi_popi or StackBehaviour.Popref_popi_popi8
            or StackBehaviour.Popref_popi_popr4 or StackBehaviour.Popref_popi_popr8
            or StackBehaviour.Popref_popi_popref => 3,
        _ => 2,
    };

    private void Call(MethodReference called, bool isNew)
    {
        foreach (var parameter in called.Parameters.Reverse())
        {
            var kind = StackKind.Of(parameter.ParameterType);
            // What a generic method takes is what its type argument is.
            if (IsGeneric(parameter.ParameterType)) Any();
            else Pop(kind);
        }
        if (isNew) stack.Push(StackKind.Of(called.DeclaringType));
        else
        {
            if (called.HasThis) Owner();
            if (!IsVoid(called.ReturnType)) stack.Push(Returned(called));
        }
    }

    /// <summary>True for <c>void</c>, also that of an <c>init</c> accessor, which has a modifier.</summary>
    private static bool IsVoid(TypeReference type) =>
        type is IModifierType modified ? IsVoid(modified.ElementType) : type.MetadataType == MetadataType.Void;

    private static StackKind Returned(MethodReference called) => called.ReturnType switch
    {
        GenericParameter { Type: GenericParameterType.Type } parameter
            when called.DeclaringType is GenericInstanceType instance =>
            StackKind.Of(instance.GenericArguments[parameter.Position]),
        GenericParameter { Type: GenericParameterType.Method } parameter when called is GenericInstanceMethod instance
            => StackKind.Of(instance.GenericArguments[parameter.Position]),
        var type => StackKind.Of(type),
    };

    private static bool IsGeneric(TypeReference type) =>
        type is GenericParameter || type.MetadataType is MetadataType.Var or MetadataType.MVar;

    private static StackKind TypeOf(FieldReference field) =>
        field.FieldType is GenericParameter parameter && field.DeclaringType is GenericInstanceType instance
            ? StackKind.Of(instance.GenericArguments[parameter.Position])
            : StackKind.Of(field.FieldType);

    private StackKind Argument(int index) =>
        !method.HasThis ? Argument(method.Parameters[index])
        : index == 0 ? This
        : Argument(method.Parameters[index - 1]);

    private StackKind Argument(ParameterDefinition parameter) =>
        parameter == method.Body.ThisParameter ? This : StackKind.Of(parameter.ParameterType);

    private StackKind This => method.DeclaringType.IsValueType ? StackKind.Address : StackKind.Reference;

    private StackKind Local(int index) => StackKind.Of(method.Body.Variables[index].VariableType);

    private void Owner()
    {
        if (Any() is var owner && owner != StackKind.Reference && owner != StackKind.Address
            && owner != StackKind.NativeInt)
            throw new InvalidOperationException($"there is {owner} where an object is expected");
    }

    private StackKind Any() =>
        stack.TryPop(out var kind) ? kind : throw new InvalidOperationException("the stack is empty");

    private void Pop(StackKind expected)
    {
        if (Any() is var kind && !kind.Fits(expected))
            throw new InvalidOperationException($"there is {kind} where {expected} is expected");
    }
}
