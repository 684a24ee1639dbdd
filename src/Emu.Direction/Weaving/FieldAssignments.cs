using Mono.Cecil;
using Mono.Cecil.Cil;

namespace Emu.Direction.Weaving;

/// <summary>
/// The fields that code assigns once their object is constructed, and those of arrays whose elements it may. An array
/// is followed through locals, getters and spans; one that goes elsewhere may be assigned there.
/// </summary>
/// <param name="module">
/// The module of the service, whose code is looked at besides that of a field's own module.
/// </param>
internal sealed class FieldAssignments(ModuleDefinition module)
{
    private const string ReadOnlyView = "System.ReadOnlySpan`1";

    private readonly Dictionary<ModuleDefinition, HashSet<FieldDefinition>> _known = [];

    /// <summary>True for a field that is assigned, or whose elements may be.</summary>
    public bool Contains(FieldDefinition field) => In(module).Contains(field) || In(field.Module).Contains(field);

    private HashSet<FieldDefinition> In(ModuleDefinition code)
    {
        if (_known.TryGetValue(code, out var known)) return known;
        var assigned = _known[code] = [];
        foreach (var method in code.GetTypes().SelectMany(type => type.Methods).Where(method => method.HasBody))
            Add(assigned, method);
        return assigned;
    }

    private static void Add(HashSet<FieldDefinition> assigned, MethodDefinition method)
    {
        StackValues? values = null;
        foreach (var instruction in method.Body.Instructions)
        {
            if (FieldOf(instruction) is not { } field || assigned.Contains(field)
                || (method.IsConstructor && method.DeclaringType == field.DeclaringType))
                continue;
            if (instruction.OpCode.Code is Code.Stfld or Code.Ldflda
                || (field.FieldType is ArrayType
                    && StoresElements(method, instruction, values ??= new StackValues(method.Body), [])))
                assigned.Add(field);
        }
    }

    /// <summary>The field that an instruction accesses, or whose getter it calls.</summary>
    private static FieldDefinition? FieldOf(Instruction instruction) => instruction.OpCode.Code switch
    {
        Code.Stfld or Code.Ldflda or Code.Ldfld => ((FieldReference)instruction.Operand).Resolve(),
        Code.Call or Code.Callvirt => FieldOf((MethodReference)instruction.Operand),
        _ => null,
    };

    /// <summary>The field that a getter of an array gives.</summary>
    private static FieldDefinition? FieldOf(MethodReference called) =>
        called.ReturnType is ArrayType && called.Resolve() is { IsGetter: true, HasBody: true } getter
        && getter.Body.Instructions.Where(i => i.OpCode.Code == Code.Ldfld).ToList() is [var load]
            ? ((FieldReference)load.Operand).Resolve()
            : null;

    /// <summary>True if elements of an array, or of a view of one, that an instruction gives may be assigned.</summary>
    private static bool StoresElements(
        MethodDefinition method, Instruction given, StackValues values, HashSet<Instruction> open)
    {
        bool Stores(Instruction value) => StoresElements(method, value, values, open);
        bool StoresBy(Instruction user, int number) => user.OpCode.Code switch
        {
            Code.Ldlen or Code.Pop or Code.Ceq => false,
            Code.Ldelem_Ref => Stores(user),
            (>= Code.Ldelem_I1 and <= Code.Ldelem_R8) or Code.Ldelem_Any => false,
            (>= Code.Ldind_I1 and <= Code.Ldind_Ref) or Code.Ldobj => false,
            Code.Ret => !method.IsGetter,
            Code.Call => UseBy((MethodReference)user.Operand, number) is not { } isView || (isView && Stores(user)),
            _ when user.OpCode.FlowControl == FlowControl.Cond_Branch => false,
            _ => LocalOf(user, method.Body) is not { } local
                || method.Body.Instructions.Any(i => IsLoad(i, local, method.Body) && Stores(i)),
        };
        return open.Add(given) && values.UsesOf(given)?.Any(use => StoresBy(use.User, use.Number)) != false;
    }

    /// <summary>
    /// True for a method that gives a view of an array or of a view, or the place of an element; false for one that
    /// only reads it; null for any other.
    /// </summary>
    private static bool? UseBy(MethodReference called, int number)
    {
        var (type, name) = (called.DeclaringType.FullName, called.Name);
        if (type.StartsWith(ReadOnlyView, StringComparison.Ordinal)) return false;
        if (type == "System.Array")
            return name is "IndexOf" or "LastIndexOf" or "BinarySearch" or "GetLength" or "get_Length" ? false : null;
        if (number != 0) return null;
        if (type == "System.MemoryExtensions") return name == "AsSpan" ? true : null;
        if (!type.StartsWith("System.Span`1", StringComparison.Ordinal)) return null;
        return name switch
        {
            "op_Implicit" => !called.ReturnType.FullName.StartsWith(ReadOnlyView, StringComparison.Ordinal),
            "Slice" or "get_Item" => true,
            "get_Length" or "get_IsEmpty" or "CopyTo" or "TryCopyTo" or "ToArray" => false,
            _ => null,
        };
    }

    /// <summary>The local that an instruction stores into; null for any other instruction.</summary>
    private static VariableDefinition? LocalOf(Instruction store, MethodBody body) => store.OpCode.Code switch
    {
        Code.Stloc or Code.Stloc_S => (VariableDefinition)store.Operand,
        >= Code.Stloc_0 and <= Code.Stloc_3 => body.Variables[store.OpCode.Code - Code.Stloc_0],
        _ => null,
    };

    private static bool IsLoad(Instruction instruction, VariableDefinition local, MethodBody body) =>
        instruction.OpCode.Code switch
        {
            Code.Ldloc or Code.Ldloc_S or Code.Ldloca or Code.Ldloca_S => instruction.Operand == local,
            >= Code.Ldloc_0 and <= Code.Ldloc_3 => body.Variables[instruction.OpCode.Code - Code.Ldloc_0] == local,
            _ => false,
        };
}
