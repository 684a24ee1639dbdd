using Mono.Cecil;
using Mono.Cecil.Cil;

namespace Emu.Direction.Weaving;

/// <summary>
/// The places that read and write a variable: a field of a class, or what is in a struct in the field. They load and
/// store it, load and store by its address, and give its address to methods that say that they read it or assign it.
/// </summary>
/// <param name="field">The field.</param>
/// <param name="inner">The fields of structs from there to the variable, in their order.</param>
/// <param name="valuesOf">Follows the values of a method.</param>
internal sealed class FieldAccesses(
    FieldDefinition field, IReadOnlyList<FieldDefinition> inner, Func<MethodBody, StackValues> valuesOf)
{
    private readonly List<ProbePlace> _reads = [], _writes = [];

    /// <summary>The places that read it, in the order of the code; null if others may, too.</summary>
    public IReadOnlyList<ProbePlace>? Reads => IsKnown ? _reads : null;

    /// <summary>The places that write it, in the order of the code; null if others may, too.</summary>
    public IReadOnlyList<ProbePlace>? Writes => IsKnown ? _writes : null;

    /// <summary>False if the address of the variable goes where it is not followed.</summary>
    private bool IsKnown { get; set; } = true;

    /// <summary>Takes the accesses of a method.</summary>
    public void Add(MethodDefinition method)
    {
        foreach (var instruction in method.Body.Instructions.Where(IsOfField))
        {
            if (instruction.OpCode.Code == Code.Ldfld) Add(_reads, method, instruction);
            else if (instruction.OpCode.Code == Code.Stfld) Add(_writes, method, instruction);
            else AddUses(method, instruction, at: 0);
        }
    }

    private bool IsOfField(Instruction instruction) =>
        instruction.OpCode.Code is Code.Ldfld or Code.Stfld or Code.Ldflda
        && ((FieldReference)instruction.Operand).Resolve() == field;

    private static void Add(List<ProbePlace> places, MethodDefinition method, Instruction instruction) =>
        places.Add(new ProbePlace(method, instruction, IsBefore: false));

    /// <summary>Takes the uses of the address of a struct on the way to the variable, or of the variable.</summary>
    private void AddUses(MethodDefinition method, Instruction address, int at)
    {
        if (valuesOf(method.Body).UsesOf(address) is not { } uses)
        {
            IsKnown = false;
            return;
        }
        foreach (var (user, number) in uses) AddUse(method, user, number, at);
    }

    private void AddUse(MethodDefinition method, Instruction user, int number, int at)
    {
        if (user.OpCode.Code is Code.Ldfld or Code.Ldflda or Code.Stfld && number == 0
            && (at == inner.Count || ((FieldReference)user.Operand).Resolve() != inner[at]))
            return;
        switch (UseBy(user, number))
        {
            case Use.None:
                break;
            case Use.Address:
                AddUses(method, user, at + 1);
                break;
            case Use.Read:
                Add(_reads, method, user);
                break;
            case Use.Write:
                Add(_writes, method, user);
                break;
            default:
                IsKnown = false;
                break;
        }
    }

    /// <summary>The use that an instruction makes of an address.</summary>
    private static Use UseBy(Instruction user, int number) => user.OpCode.Code switch
    {
        Code.Pop => Use.None,
        Code.Ldflda => Use.Address,
        Code.Ldfld or Code.Ldobj or (>= Code.Ldind_I1 and <= Code.Ldind_Ref) => Use.Read,
        Code.Initobj => Use.Write,
        Code.Stfld or Code.Stobj or Code.Stind_I or (>= Code.Stind_Ref and <= Code.Stind_R8) when number == 0 =>
            Use.Write,
        Code.Call or Code.Callvirt => UseBy((MethodReference)user.Operand, number),
        _ => Use.Unknown,
    };

    private static Use UseBy(MethodReference called, int number)
    {
        if (called.Resolve() is not { } method) return Use.Unknown;
        if (called.HasThis && number == 0)
            return method.IsConstructor ? Use.Write
                : IsReadOnly(method) || IsReadOnly(method.DeclaringType) ? Use.Read
                : Use.Unknown;
        var parameter = method.Parameters[called.HasThis ? number - 1 : number];
        return parameter.IsOut && !parameter.IsIn ? Use.Write
            : IsReadOnly(parameter) ? Use.Read
            : Use.Unknown;
    }

    /// <summary>True for a struct, a method or a parameter that is <c>readonly</c>.</summary>
    private static bool IsReadOnly(ICustomAttributeProvider member) =>
        member.CustomAttributes.Any(a => a.AttributeType.Name == "IsReadOnlyAttribute");

    /// <summary>The ways to use an address.</summary>
    private enum Use
    {
        None,
        Address,
        Read,
        Write,
        Unknown,
    }
}
