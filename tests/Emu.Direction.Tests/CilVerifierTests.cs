using Emu.Direction.Weaving;
using Mono.Cecil;
using Mono.Cecil.Cil;

namespace Emu.Direction.Tests;

/// <summary>Code that is wrong is found; that of all services is right (<see cref="WeaverTests"/>).</summary>
public sealed class CilVerifierTests
{
    private readonly ModuleDefinition _module = ModuleDefinition.CreateModule("Wrong", ModuleKind.Dll);
    private readonly MethodDefinition _method;
    private readonly ILProcessor _il;

    public CilVerifierTests()
    {
        var type = new TypeDefinition("", "Wrong", TypeAttributes.Class, _module.TypeSystem.Object);
        _module.Types.Add(type);
        type.Fields.Add(new FieldDefinition("wide", FieldAttributes.Private, _module.TypeSystem.Int64));
        _method = new MethodDefinition("M", MethodAttributes.Private, _module.TypeSystem.Int32) { HasThis = true };
        type.Methods.Add(_method);
        _il = _method.Body.GetILProcessor();
    }

    [Fact]
    public void Code_that_is_right_passes()
    {
        var end = _il.Create(OpCodes.Ldc_I4_2);
        _il.Emit(OpCodes.Ldarg_0);
        _il.Emit(OpCodes.Ldfld, _method.DeclaringType.Fields[0]);
        _il.Emit(OpCodes.Ldc_I8, 1L);
        _il.Emit(OpCodes.Ceq);
        _il.Emit(OpCodes.Brfalse, end);
        _il.Emit(OpCodes.Ldc_I4_1);
        _il.Emit(OpCodes.Ret);
        _il.Append(end);
        _il.Emit(OpCodes.Ret);
        new CilVerifier(_method).Check();
    }

    [Theory]
    [MemberData(nameof(WeaverTests.Services), MemberType = typeof(WeaverTests))]
    public void What_the_compiler_of_CSharp_makes_passes(string service)
    {
        using var module = ModuleDefinition.ReadModule(WeaverTests.Find(service).Assembly.Location);
        foreach (var type in module.Types) CilVerifier.Check(type);
    }

    [Fact]
    public void An_empty_stack_is_found() => Wrong("the stack is empty", () => _il.Emit(OpCodes.Ret));

    [Fact]
    public void A_value_that_is_left_is_found() => Wrong("something is left", () =>
    {
        _il.Emit(OpCodes.Ldc_I4_1);
        _il.Emit(OpCodes.Dup);
        _il.Emit(OpCodes.Ret);
    });

    [Fact]
    public void Another_type_is_found() => Wrong("there is int32 where int64 is expected", () =>
    {
        _il.Emit(OpCodes.Ldarg_0);
        _il.Emit(OpCodes.Ldc_I4_1);
        _il.Emit(OpCodes.Stfld, _method.DeclaringType.Fields[0]);
        _il.Emit(OpCodes.Ldc_I4_1);
        _il.Emit(OpCodes.Ret);
    });

    [Fact]
    public void A_number_in_the_place_of_an_object_is_found() => Wrong("where an object is expected", () =>
    {
        _il.Emit(OpCodes.Ldc_I4_1);
        _il.Emit(OpCodes.Ldc_I8, 1L);
        _il.Emit(OpCodes.Stfld, _method.DeclaringType.Fields[0]);
        _il.Emit(OpCodes.Ldc_I4_1);
        _il.Emit(OpCodes.Ret);
    });

    [Fact]
    public void Ways_that_leave_other_stacks_are_found() => Wrong("on one way", () =>
    {
        var join = _il.Create(OpCodes.Ldc_I4_1);
        _il.Emit(OpCodes.Ldc_I4_1);
        _il.Emit(OpCodes.Ldc_I4_1);
        _il.Emit(OpCodes.Brfalse, join);
        _il.Emit(OpCodes.Pop);
        _il.Append(join);
        _il.Emit(OpCodes.Ret);
    });

    [Fact]
    public void A_branch_to_elsewhere_is_found() => Wrong(
        "leads out of the method", () => _il.Emit(OpCodes.Br, Instruction.Create(OpCodes.Ret)));

    [Fact]
    public void Code_without_an_end_is_found() => Wrong("without a return", () => _il.Emit(OpCodes.Nop));

    private void Wrong(string message, Action emit)
    {
        emit();
        var refusal = Assert.Throws<WeaveException>(() => new CilVerifier(_method).Check());
        Assert.Contains(message, refusal.Message);
    }
}
