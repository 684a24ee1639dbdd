using Mono.Cecil;
using Mono.Cecil.Cil;

namespace Emu.Clocked;

/// <summary>The class of the <see cref="SavedFrame"/>s of a method: a field for each parameter and variable.</summary>
internal sealed class FrameClass
{
    private readonly MethodDefinition _method;
    private readonly List<(ParameterDefinition Parameter, FieldDefinition Field)> _parameters = [];
    private readonly List<(VariableDefinition Variable, FieldDefinition Field)> _variables = [];
    private readonly MethodDefinition _constructor;

    /// <summary>Makes it.</summary>
    /// <param name="method">The method.</param>
    /// <param name="kept">The variables that are saved.</param>
    public FrameClass(MethodDefinition method, IEnumerable<VariableDefinition> kept)
    {
        _method = method;
        var module = method.Module;
        Type = new TypeDefinition(
            "", $"{method.Name}$frame{method.MetadataToken.RID}", TypeAttributes.NestedAssembly | TypeAttributes.Sealed,
            module.ImportReference(typeof(SavedFrame)));
        method.DeclaringType.NestedTypes.Add(Type);
        if (method.HasThis) Keep(method.Body.ThisParameter, method.DeclaringType);
        foreach (var parameter in method.Parameters) Keep(parameter, parameter.ParameterType);
        foreach (var variable in kept) _variables.Add((variable, Field(variable.VariableType)));
        _constructor = Constructor(module);
        Variable = new VariableDefinition(Type);
        method.Body.Variables.Add(Variable);
    }

    /// <summary>The class.</summary>
    public TypeDefinition Type { get; }

    /// <summary>The variable for a frame that is restored.</summary>
    public VariableDefinition Variable { get; }

    /// <summary>The field for the number of the call.</summary>
    public FieldReference Place =>
        _method.Module.ImportReference(typeof(SavedFrame).GetField(nameof(SavedFrame.Place)));

    /// <summary>Code that leaves a frame with all variables on the stack.</summary>
    public IEnumerable<Instruction> Save(VariableDefinition place)
    {
        yield return Instruction.Create(OpCodes.Newobj, _constructor);
        var values = _parameters.Select(p => (Instruction.Create(OpCodes.Ldarg, p.Parameter), (FieldReference)p.Field))
            .Concat(_variables.Select(v => (Instruction.Create(OpCodes.Ldloc, v.Variable), (FieldReference)v.Field)))
            .Append((Instruction.Create(OpCodes.Ldloc, place), Place));
        foreach (var (value, field) in values)
        {
            yield return Instruction.Create(OpCodes.Dup);
            yield return value;
            yield return Instruction.Create(OpCodes.Stfld, field);
        }
    }

    /// <summary>Code that sets all variables by the frame in <see cref="Variable"/>.</summary>
    public IEnumerable<Instruction> Restore()
    {
        var stores = _parameters.Select(p => (p.Field, Instruction.Create(OpCodes.Starg, p.Parameter)))
            .Concat(_variables.Select(v => (v.Field, Instruction.Create(OpCodes.Stloc, v.Variable))));
        foreach (var (field, store) in stores)
        {
            yield return Instruction.Create(OpCodes.Ldloc, Variable);
            yield return Instruction.Create(OpCodes.Ldfld, field);
            yield return store;
        }
    }

    private void Keep(ParameterDefinition parameter, TypeReference type) => _parameters.Add((parameter, Field(type)));

    private FieldDefinition Field(TypeReference type)
    {
        var field = new FieldDefinition($"value{Type.Fields.Count}", FieldAttributes.Assembly, type);
        Type.Fields.Add(field);
        return field;
    }

    private MethodDefinition Constructor(ModuleDefinition module)
    {
        var constructor = new MethodDefinition(
            ".ctor",
            MethodAttributes.Assembly | MethodAttributes.HideBySig | MethodAttributes.SpecialName
            | MethodAttributes.RTSpecialName,
            module.TypeSystem.Void);
        var il = constructor.Body.GetILProcessor();
        il.Emit(OpCodes.Ldarg_0);
        var parent = typeof(SavedFrame).GetConstructors(
            System.Reflection.BindingFlags.Instance | System.Reflection.BindingFlags.NonPublic)[0];
        il.Emit(OpCodes.Call, module.ImportReference(parent));
        il.Emit(OpCodes.Ret);
        Type.Methods.Add(constructor);
        return constructor;
    }
}
