using Mono.Cecil;
using Mono.Cecil.Cil;

namespace Emu.Clocked;

/// <summary>
/// Rewrites writes by address: each becomes a call of <see cref="Places"/>, which knows what threads share. Reads by
/// address stay, since an address leads to the running thread's own copy.
/// </summary>
internal static class StoreWeaver
{
    /// <summary>Rewrites an instruction, if it writes a number by an address.</summary>
    public static void Weave(MethodBody body, Instruction at)
    {
        if (at.OpCode.Code == Code.Stfld) StoreField(body, at);
        else if (at.OpCode.Code == Code.Initobj) Call(body, at, nameof(Places.Clear), (TypeReference)at.Operand);
        else if (TypeOf(body.Method.Module.TypeSystem, at) is { } type) Call(body, at, nameof(Places.Store), type);
    }

    private static TypeReference? TypeOf(TypeSystem types, Instruction at) => at.OpCode.Code switch
    {
        Code.Stind_I1 => types.Byte,
        Code.Stind_I2 => types.UInt16,
        Code.Stind_I4 => types.UInt32,
        Code.Stind_I8 => types.Int64,
        Code.Stobj => (TypeReference)at.Operand,
        _ => null,
    };

    private static void Call(MethodBody body, Instruction at, string name, TypeReference type) =>
        (at.OpCode, at.Operand) = (OpCodes.Call, Method(body, name, type));

    private static GenericInstanceMethod Method(MethodBody body, string name, TypeReference type)
    {
        var method = new GenericInstanceMethod(
            body.Method.Module.ImportReference(typeof(Places).GetMethod(name)));
        method.GenericArguments.Add(type);
        return method;
    }

    /// <summary>A field of a struct: the value waits in a variable for the address of the field.</summary>
    private static void StoreField(MethodBody body, Instruction at)
    {
        var field = (FieldReference)at.Operand;
        if (StackTypes.Resolved(field.DeclaringType) is not { IsValueType: true } || TypeOf(field) is not { } type)
            return;
        var il = body.GetILProcessor();
        var value = new VariableDefinition(type);
        body.Variables.Add(value);
        body.InitLocals = true;
        (at.OpCode, at.Operand) = (OpCodes.Stloc, value);
        var address = il.Create(OpCodes.Ldflda, field);
        il.InsertAfter(at, address);
        var again = il.Create(OpCodes.Ldloc, value);
        il.InsertAfter(address, again);
        il.InsertAfter(again, il.Create(OpCodes.Call, Method(body, nameof(Places.Store), type)));
    }

    /// <summary>The type of what a field holds; null for a reference, which no thread changes.</summary>
    private static TypeReference? TypeOf(FieldReference field)
    {
        var type = field.FieldType is RequiredModifierType modified ? modified.ElementType : field.FieldType;
        if (type is GenericParameter parameter && field.DeclaringType is GenericInstanceType instance)
            return instance.GenericArguments[parameter.Position];
        if (type.ContainsGenericParameter || type is ByReferenceType) return null;
        return StackTypes.Resolved(type) is { IsValueType: true } ? type : null;
    }
}
