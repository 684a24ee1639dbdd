using Mono.Cecil;
using Mono.Cecil.Cil;
using Mono.Cecil.Rocks;

namespace Emu.Clocked;

/// <summary>
/// Rewrites a program with several threads so that none sees the writes of another before the clock edge: each field
/// that holds a number, or that a method gives another object, becomes a <see cref="Cell{T}"/>, or a
/// <see cref="SharedCell{T}"/> where the program takes its address, elements of arrays go through
/// <see cref="Elements"/>, writes by address through <see cref="Places"/>, and <see cref="Thread"/> becomes
/// <see cref="ClockedThread"/>.
/// </summary>
internal sealed class ThreadWeaver
{
    /// <summary>The classes of .NET that threads share variables by, each with what stands for it.</summary>
    private static readonly Dictionary<string, Type> s_shared = new()
    {
        [typeof(Thread).FullName!] = typeof(ClockedThread),
        [typeof(Monitor).FullName!] = typeof(ClockedMonitor),
        [typeof(Interlocked).FullName!] = typeof(ClockedInterlocked),
        [typeof(Volatile).FullName!] = typeof(ClockedVolatile),
    };

    private readonly ModuleDefinition _module;
    private readonly Dictionary<FieldDefinition, FieldDefinition> _cells = [];
    private readonly HashSet<FieldDefinition> _lent = [];
    private readonly HashSet<FieldDefinition> _moved = [];

    /// <summary>A part of the names of classes that hold what lambda expressions share with a method.</summary>
    private const string Closure = "DisplayClass";

    private ThreadWeaver(ModuleDefinition module) => _module = module;

    /// <summary>The name of the cell of a field.</summary>
    public static string CellOf(string field) => $"{field}$cell";

    /// <summary>
    /// The program woven, and if its threads are coroutines; null where it starts no threads, prints nothing and has no
    /// pauses of the compiler: it runs as it is.
    /// </summary>
    /// <param name="path">The path of an assembly.</param>
    /// <param name="schedule">The pauses that the compiler has added.</param>
    /// <param name="allowsCoroutines">False for threads of the operating system, whatever the program is.</param>
    public static (byte[] Program, bool HasCoroutines)? Weave(
        string path, IReadOnlyList<ScheduledPause> schedule, bool allowsCoroutines)
    {
        var hasSymbols = File.Exists(Path.ChangeExtension(path, ".pdb"));
        using var module = ModuleDefinition.ReadModule(
            path, new ReaderParameters { InMemory = true, ReadSymbols = hasSymbols });
        var shared = module.GetTypeReferences().Where(type => s_shared.ContainsKey(type.FullName)).ToList();
        var threads = shared.Exists(type => type.Name is nameof(Thread) or nameof(Monitor)) ? shared : [];
        var pauses = PauseWeaver.Weave(module, schedule);
        var prints = PrintWeaver.Weave(module);
        if (threads.Count == 0 && !prints && !pauses) return null;
        var hasCoroutines = threads.Count > 0 && new ThreadWeaver(module).Weave(threads, allowsCoroutines);
        using var woven = new MemoryStream();
        module.Write(woven);
        return (woven.ToArray(), hasCoroutines);
    }

    private bool Weave(IReadOnlyList<TypeReference> threads, bool allowsCoroutines)
    {
        var methods = _module.GetTypes().SelectMany(type => type.Methods).Where(method => method.HasBody).ToList();
        SharedMemoryRules.Check(methods);
        // Branches get longer.
        foreach (var method in methods) method.Body.SimplifyMacros();
        var coroutines = allowsCoroutines ? CoroutineWeaver.Plan(_module) : null;
        _lent.UnionWith(methods.SelectMany(method => method.Body.Instructions)
            .Where(at => at.OpCode.Code is Code.Ldflda or Code.Ldsflda)
            .Select(at => ((FieldReference)at.Operand).Resolve()));
        _moved.UnionWith(methods.Where(method => !method.IsConstructor).SelectMany(method => method.Body.Instructions)
            .Where(at => at.OpCode.Code is Code.Stfld or Code.Stsfld or Code.Ldflda or Code.Ldsflda)
            .Select(at => ((FieldReference)at.Operand).Resolve()));
        var types = _module.GetTypes().Where(type => type.IsClass && !type.IsValueType && !type.IsEnum).ToList();
        foreach (var field in types.SelectMany(type => type.Fields).Where(IsVariable).ToList()) AddCell(field);
        foreach (var type in types.Where(type => _cells.Keys.Any(field => field.DeclaringType == type)))
            Initialise(type);
        foreach (var method in methods) Weave(method);
        coroutines?.Weave();
        foreach (var method in methods) method.Body.OptimizeMacros();
        foreach (var type in threads) Replace(type, s_shared[type.FullName]);
        return coroutines is not null;
    }

    /// <summary>Every reference to a member of the type goes the same way.</summary>
    private void Replace(TypeReference type, Type by)
    {
        var other = _module.GetMemberReferences().FirstOrDefault(member =>
            member.DeclaringType == type && by.GetMember(member.Name).Length == 0);
        if (other is not null)
            throw new ClockedException(
                ClockedException.Member,
                $"{type.Name}.{other.Name} has no meaning at the clock level; threads are started, run in parallel, "
                + "and share static fields");
        var replaced = _module.ImportReference(by);
        (type.Namespace, type.Name, type.Scope) = (replaced.Namespace, replaced.Name, replaced.Scope);
    }

    private bool IsVariable(FieldDefinition field) =>
        !field.IsInitOnly && !field.IsLiteral && !field.HasConstant && !field.HasMarshalInfo && field.RVA == 0
        && (Plain(field.FieldType) is { IsValueType: true } or GenericParameter
            || _moved.Contains(field) && IsObject(Plain(field.FieldType)))
        && (!field.DeclaringType.Name.Contains('<', StringComparison.Ordinal)
            || field.DeclaringType.Name.Contains(Closure, StringComparison.Ordinal));

    /// <summary>True for a class or an array of the program's; threads and delegates stay as they are.</summary>
    private static bool IsObject(TypeReference type) =>
        type is ArrayType
        || StackTypes.Resolved(type) is { IsClass: true, IsValueType: false, BaseType: { } parent }
            && parent.FullName != typeof(MulticastDelegate).FullName && type.FullName != typeof(Thread).FullName;

    /// <summary>The type of a field that may be volatile.</summary>
    private static TypeReference Plain(TypeReference type) =>
        type is RequiredModifierType modified ? modified.ElementType : type;

    private Type KindOf(FieldDefinition field) => _lent.Contains(field) ? typeof(SharedCell<>) : typeof(Cell<>);

    private GenericInstanceType CellType(FieldDefinition field, TypeReference type)
    {
        var cell = new GenericInstanceType(_module.ImportReference(KindOf(field)));
        cell.GenericArguments.Add(type);
        return cell;
    }

    private void AddCell(FieldDefinition field)
    {
        var cell = new FieldDefinition(
            CellOf(field.Name), field.Attributes & (FieldAttributes.Static | FieldAttributes.FieldAccessMask),
            CellType(field, Plain(field.FieldType)));
        field.DeclaringType.Fields.Add(cell);
        _cells[field] = cell;
    }

    /// <summary>
    /// Makes the cells of a class: the static ones first of all, the others first in each constructor.
    /// </summary>
    private void Initialise(TypeDefinition type)
    {
        var cells = type.Fields.Where(_cells.ContainsKey).ToList();
        if (cells.Exists(field => field.IsStatic)) Insert(StaticConstructorOf(type), cells.FindAll(f => f.IsStatic));
        foreach (var constructor in type.Methods.Where(m => m.IsConstructor && !m.IsStatic))
            Insert(constructor, cells.FindAll(field => !field.IsStatic));
    }

    private void Insert(MethodDefinition constructor, List<FieldDefinition> fields)
    {
        var il = constructor.Body.GetILProcessor();
        var first = constructor.Body.Instructions[0];
        foreach (var field in fields)
        {
            if (!field.IsStatic) il.InsertBefore(first, il.Create(OpCodes.Ldarg_0));
            il.InsertBefore(first, il.Create(OpCodes.Ldstr, $"{field.DeclaringType.Name}.{field.Name}"));
            il.InsertBefore(first, il.Create(OpCodes.Newobj, Member(field, Plain(field.FieldType), ".ctor")));
            il.InsertBefore(
                first,
                il.Create(field.IsStatic ? OpCodes.Stsfld : OpCodes.Stfld, CellOf(field, Own(field.DeclaringType))));
        }
    }

    private MethodDefinition StaticConstructorOf(TypeDefinition type)
    {
        if (type.Methods.FirstOrDefault(m => m.IsConstructor && m.IsStatic) is { } known) return known;
        var made = new MethodDefinition(
            ".cctor",
            MethodAttributes.Private | MethodAttributes.Static | MethodAttributes.HideBySig
            | MethodAttributes.SpecialName | MethodAttributes.RTSpecialName,
            _module.TypeSystem.Void);
        made.Body.GetILProcessor().Emit(OpCodes.Ret);
        type.Methods.Add(made);
        return made;
    }

    private void Weave(MethodDefinition method)
    {
        foreach (var instruction in method.Body.Instructions.ToList())
        {
            // Threads run one after the other: nothing is seen out of order.
            if (instruction.OpCode.Code is Code.Volatile or Code.Readonly) instruction.OpCode = OpCodes.Nop;
            else if (instruction.Operand is FieldReference reference && reference.Resolve() is { } field
                && _cells.ContainsKey(field))
                Access(method.Body.GetILProcessor(), instruction, field, reference.DeclaringType);
            else if (ElementType(instruction) is { } element)
                AccessElement(method.Body.GetILProcessor(), instruction, element);
            else
                StoreWeaver.Weave(method.Body, instruction);
        }
    }

    /// <param name="il">The method.</param>
    /// <param name="at">The instruction.</param>
    /// <param name="field">The field that it uses.</param>
    /// <param name="owner">The class of the field, with its arguments there.</param>
    private void Access(ILProcessor il, Instruction at, FieldDefinition field, TypeReference owner)
    {
        var (cell, type) = (CellOf(field, owner), Closed(Plain(field.FieldType), owner));
        var (code, member) = at.OpCode.Code switch
        {
            Code.Ldsfld or Code.Ldfld => (at.OpCode, "get_Value"),
            Code.Ldsflda => (OpCodes.Ldsfld, "get_Place"),
            Code.Ldflda => (OpCodes.Ldfld, "get_Place"),
            Code.Stsfld or Code.Stfld => (at.OpCode, "set_Value"),
            _ => (default, ""),
        };
        if (member.Length == 0) return;
        if (member != "set_Value")
        {
            (at.OpCode, at.Operand) = (code, cell);
            il.InsertAfter(at, il.Create(OpCodes.Callvirt, Member(field, type, member)));
            return;
        }
        // The value is on the stack: it waits in a variable for the cell.
        var value = new VariableDefinition(type);
        il.Body.Variables.Add(value);
        il.Body.InitLocals = true;
        (at.OpCode, at.Operand) = (OpCodes.Stloc, value);
        var load = il.Create(field.IsStatic ? OpCodes.Ldsfld : OpCodes.Ldfld, cell);
        il.InsertAfter(at, load);
        var again = il.Create(OpCodes.Ldloc, value);
        il.InsertAfter(load, again);
        il.InsertAfter(again, il.Create(OpCodes.Callvirt, Member(field, type, member)));
    }

    /// <summary>The field with the cell of a field, in a class with its arguments.</summary>
    private FieldReference CellOf(FieldDefinition field, TypeReference owner) =>
        owner is GenericInstanceType ? new FieldReference(_cells[field].Name, _cells[field].FieldType, owner)
            : _cells[field];

    /// <summary>A class as its own methods name it: with its parameters as arguments.</summary>
    private static TypeReference Own(TypeDefinition type)
    {
        if (!type.HasGenericParameters) return type;
        var own = new GenericInstanceType(type);
        foreach (var parameter in type.GenericParameters) own.GenericArguments.Add(parameter);
        return own;
    }

    /// <summary>The type of a field in a class with its arguments.</summary>
    private static TypeReference Closed(TypeReference type, TypeReference owner)
    {
        if (owner is not GenericInstanceType { GenericArguments: var arguments } || !type.ContainsGenericParameter)
            return type;
        switch (type)
        {
            case GenericParameter { Type: GenericParameterType.Type } parameter:
                return arguments[parameter.Position];
            case ArrayType array:
                return new ArrayType(Closed(array.ElementType, owner), array.Rank);
            case GenericInstanceType instance:
                var closed = new GenericInstanceType(instance.ElementType);
                foreach (var argument in instance.GenericArguments)
                    closed.GenericArguments.Add(Closed(argument, owner));
                return closed;
            default:
                return type;
        }
    }

    /// <summary>A member of the cell of a field, whose type may have the class's arguments.</summary>
    private MethodReference Member(FieldDefinition field, TypeReference type, string name)
    {
        var method = name == ".ctor"
            ? _module.ImportReference(KindOf(field).GetConstructors().Single())
            : _module.ImportReference(KindOf(field).GetMethod(name));
        var member = new MethodReference(method.Name, method.ReturnType, CellType(field, type))
        {
            HasThis = method.HasThis,
        };
        foreach (var parameter in method.Parameters)
            member.Parameters.Add(new ParameterDefinition(parameter.ParameterType));
        return member;
    }

    /// <summary>The type of an element, without its sign: loads and stores of one array have the same.</summary>
    private TypeReference? ElementType(Instruction instruction) => instruction.OpCode.Code switch
    {
        Code.Ldelem_I1 or Code.Ldelem_U1 or Code.Stelem_I1 => _module.TypeSystem.Byte,
        Code.Ldelem_I2 or Code.Ldelem_U2 or Code.Stelem_I2 => _module.TypeSystem.UInt16,
        Code.Ldelem_I4 or Code.Ldelem_U4 or Code.Stelem_I4 => _module.TypeSystem.UInt32,
        Code.Ldelem_I8 or Code.Stelem_I8 => _module.TypeSystem.Int64,
        Code.Ldelem_Any or Code.Stelem_Any or Code.Ldelema when IsValue((TypeReference)instruction.Operand) =>
            Unsigned((TypeReference)instruction.Operand),
        _ => null,
    };

    private static bool IsValue(TypeReference type) =>
        type is GenericParameter || type.IsValueType || StackTypes.Resolved(type) is { IsValueType: true };

    private TypeReference Unsigned(TypeReference type) => type.MetadataType switch
    {
        MetadataType.Boolean or MetadataType.SByte => _module.TypeSystem.Byte,
        MetadataType.Char or MetadataType.Int16 => _module.TypeSystem.UInt16,
        MetadataType.Int32 => _module.TypeSystem.UInt32,
        MetadataType.UInt64 => _module.TypeSystem.Int64,
        MetadataType.ValueType when StackTypes.Resolved(type) is { IsEnum: true } enumeration =>
            Unsigned(enumeration.GetEnumUnderlyingType()),
        _ => type,
    };

    private void AccessElement(ILProcessor il, Instruction at, TypeReference element)
    {
        if (at.OpCode.Code == Code.Ldelem_I1) il.InsertAfter(at, il.Create(OpCodes.Conv_I1));
        if (at.OpCode.Code == Code.Ldelem_I2) il.InsertAfter(at, il.Create(OpCodes.Conv_I2));
        var name = at.OpCode.Code == Code.Ldelema ? nameof(Elements.Place)
            : at.OpCode.Name.StartsWith("ldelem", StringComparison.Ordinal) ? nameof(Elements.Load)
            : nameof(Elements.Store);
        var method = new GenericInstanceMethod(_module.ImportReference(typeof(Elements).GetMethod(name)));
        method.GenericArguments.Add(element);
        (at.OpCode, at.Operand) = (OpCodes.Call, method);
    }
}
