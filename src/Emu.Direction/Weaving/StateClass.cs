using System.Reflection;
using Emu.Direction.Probes;
using Mono.Cecil;
using Mono.Cecil.Cil;
using Mono.Cecil.Rocks;
using FieldAttributes = Mono.Cecil.FieldAttributes;
using MethodAttributes = Mono.Cecil.MethodAttributes;
using ParameterAttributes = Mono.Cecil.ParameterAttributes;
using TypeAttributes = Mono.Cecil.TypeAttributes;

namespace Emu.Direction.Weaving;

/// <summary>
/// Makes, for a service, its class of <see cref="DirectedState"/>, nested in the service: a case for each variable that
/// reads or writes it, and a list that says what the variables are.
/// </summary>
/// <param name="module">The module of the service.</param>
/// <param name="service">The service.</param>
/// <param name="variables">The variables, each with whether it may be written, in the order of their numbers.</param>
internal sealed class StateClass(
    ModuleDefinition module, TypeDefinition service, IReadOnlyList<(WovenVariable Variable, bool IsWritable)> variables)
{
    private const string Name = "DirectedState";
    private static readonly MethodInfo s_elementsOf =
        typeof(DirectedState).GetMethod(nameof(DirectedState.ElementsOf))!;

    private static readonly MethodInfo s_show = typeof(Controller).GetMethod(nameof(Controller.Show))!;
    private static readonly MethodInfo s_showCount = typeof(Controller).GetMethod(nameof(Controller.ShowCount))!;
    private static readonly MethodInfo s_isActive = typeof(Probe).GetProperty(nameof(Probe.IsActive))!.GetMethod!;

    private readonly TypeSystem _types = module.TypeSystem;
    private readonly TypeDefinition _class = new(
        "", Name,
        TypeAttributes.NestedPrivate | TypeAttributes.Sealed | TypeAttributes.BeforeFieldInit,
        module.ImportReference(typeof(DirectedState)));

    private readonly FieldDefinition _service =
        new("service", FieldAttributes.Private | FieldAttributes.InitOnly, service);

    /// <summary>Adds the class.</summary>
    /// <returns>
    /// Its constructor, which takes the service, and the static method that lists the variables of one.
    /// </returns>
    public (MethodReference Constructor, MethodReference Variables) Add()
    {
        service.NestedTypes.Add(_class);
        _class.Fields.Add(_service);
        AddAccess(nameof(DirectedState.Read), EmitRead);
        AddAccess(nameof(DirectedState.Write), EmitWrite);
        return (AddConstructor(), AddVariables());
    }

    private MethodDefinition AddConstructor()
    {
        var constructor = new MethodDefinition(
            ".ctor",
            MethodAttributes.Public | MethodAttributes.HideBySig | MethodAttributes.SpecialName
            | MethodAttributes.RTSpecialName,
            _types.Void);
        constructor.Parameters.Add(new ParameterDefinition("service", ParameterAttributes.None, service));
        var il = constructor.Body.GetILProcessor();
        il.Emit(OpCodes.Ldarg_0);
        il.Emit(OpCodes.Call, new MethodReference(".ctor", _types.Void, _class.BaseType) { HasThis = true });
        il.Emit(OpCodes.Ldarg_0);
        il.Emit(OpCodes.Ldarg_1);
        il.Emit(OpCodes.Stfld, _service);
        il.Emit(OpCodes.Ret);
        _class.Methods.Add(constructor);
        return constructor;
    }

    /// <summary>Adds an override of a method with a case for each variable.</summary>
    private void AddAccess(string name, Action<ILProcessor, WovenVariable> emit)
    {
        var overridden = typeof(DirectedState).GetMethod(name)!;
        var method = new MethodDefinition(
            name, MethodAttributes.Public | MethodAttributes.Virtual | MethodAttributes.HideBySig,
            module.ImportReference(overridden.ReturnType));
        foreach (var parameter in overridden.GetParameters())
        {
            method.Parameters.Add(new ParameterDefinition(
                parameter.Name, ParameterAttributes.None, module.ImportReference(parameter.ParameterType)));
        }
        var il = method.Body.GetILProcessor();
        var isRead = name == nameof(DirectedState.Read);
        // The number is one that there is, so what is none of the others is the last.
        var cases = variables.Select(_ => il.Create(OpCodes.Nop)).ToArray();
        if (cases.Length > 1)
        {
            il.Emit(OpCodes.Ldarg_1);
            il.Emit(OpCodes.Switch, cases[..^1]);
            il.Emit(OpCodes.Br, cases[^1]);
        }
        if (cases.Length == 0)
        {
            EmitNone(il, isRead);
            il.Emit(OpCodes.Ret);
        }
        foreach (var ((variable, isWritable), start) in variables.Zip(cases))
        {
            il.Append(start);
            if (isRead || isWritable) emit(il, variable);
            else EmitNone(il, isRead);
            il.Emit(OpCodes.Ret);
        }
        method.Body.Optimize();
        _class.Methods.Add(method);
    }

    /// <summary>Shows 0, or says that nothing was written.</summary>
    private void EmitNone(ILProcessor il, bool isRead)
    {
        if (isRead) EmitShow(il, () => EmitWide(il, typeof(byte), () => il.Emit(OpCodes.Ldc_I4_0)));
        else il.Emit(OpCodes.Ldc_I4_0);
    }

    /// <summary>Has the controller show a value of 128 bits.</summary>
    private void EmitShow(ILProcessor il, Action emitValue)
    {
        il.Emit(OpCodes.Ldarg_3);
        emitValue();
        il.Emit(OpCodes.Callvirt, module.ImportReference(s_show));
    }

    private void EmitWide(ILProcessor il, Type type, Action emitValue)
    {
        emitValue();
        il.Emit(OpCodes.Call, module.ImportReference(WideNumbers.From(type)));
    }

    private void EmitRead(ILProcessor il, WovenVariable variable)
    {
        if (variable is StateVariable state) EmitShow(il, () => EmitRead(il, state));
        else if (variable is not ProbeVariable { Read: { } read } probe) EmitNone(il, isRead: true);
        else if (read.Name == nameof(CountProbe.ReadEvents))
        {
            il.Emit(OpCodes.Ldarg_3);
            EmitProbe(il, probe, read);
            il.Emit(OpCodes.Ldarg_1);
            il.Emit(OpCodes.Callvirt, module.ImportReference(s_showCount));
        }
        else if (read.ReturnType.MetadataType != MetadataType.UInt64) EmitShow(il, () => EmitProbe(il, probe, read));
        else EmitShow(il, () => EmitWide(il, typeof(ulong), () => EmitKept(il, probe, read)));
    }

    /// <summary>A value that a trace has kept, in the bits of the variable that it is of.</summary>
    private void EmitKept(ILProcessor il, ProbeVariable probe, MethodReference read)
    {
        EmitProbe(il, probe, read);
        if (probe.Kind != VariableKind.SignedNumber || Narrowing(probe.Width) is not { } narrowing) return;
        il.Emit(narrowing);
        il.Emit(OpCodes.Conv_U8);
    }

    private void EmitWrite(ILProcessor il, WovenVariable variable)
    {
        if (variable is ProbeVariable probe)
        {
            EmitProbe(il, probe, probe.Write!);
            EmitActive(il, probe);
        }
        else EmitWrite(il, (StateVariable)variable);
    }

    private void EmitProbe(ILProcessor il, ProbeVariable probe, MethodReference method)
    {
        il.Emit(OpCodes.Ldarg_0);
        il.Emit(OpCodes.Ldfld, _service);
        il.Emit(OpCodes.Ldfld, probe.Probe);
        for (var parameter = 0; parameter < method.Parameters.Count; parameter++)
            il.Emit(parameter == 0 ? OpCodes.Ldarg_2 : OpCodes.Ldarg_3);
        il.Emit(OpCodes.Callvirt, method);
    }

    /// <summary>Keeps in the service whether the probe works.</summary>
    private void EmitActive(ILProcessor il, ProbeVariable probe)
    {
        il.Emit(OpCodes.Ldarg_0);
        il.Emit(OpCodes.Ldfld, _service);
        il.Emit(OpCodes.Ldarg_0);
        il.Emit(OpCodes.Ldfld, _service);
        il.Emit(OpCodes.Ldfld, probe.Probe);
        il.Emit(OpCodes.Callvirt, module.ImportReference(s_isActive));
        il.Emit(OpCodes.Stfld, probe.Active);
    }

    /// <summary>The conversion that drops the copies of a sign; null for a number that has none.</summary>
    private static OpCode? Narrowing(int width) => width switch
    {
        8 => OpCodes.Conv_U1,
        16 => OpCodes.Conv_U2,
        32 => OpCodes.Conv_U4,
        _ => null,
    };

    private void EmitRead(ILProcessor il, StateVariable variable)
    {
        EmitOwner(il, variable);
        var number = LeafTypes.Underlying(variable.Type);
        if (variable.Path[^1] is ElementStep) il.Emit(OpCodes.Ldelem_Any, module.ImportReference(variable.Type));
        else il.Emit(OpCodes.Ldfld, Imported(variable.Path[^1]));
        if (number.MetadataType == MetadataType.ValueType) return;
        var (type, conversion) = WideNumbers.Unsigned(number.MetadataType);
        EmitWide(il, type, () => il.Emit(conversion));
    }

    private void EmitWrite(ILProcessor il, StateVariable variable)
    {
        EmitOwner(il, variable);
        il.Emit(OpCodes.Ldarg_3);
        var number = LeafTypes.Underlying(variable.Type);
        if (number.MetadataType != MetadataType.ValueType)
        {
            il.Emit(OpCodes.Call, module.ImportReference(WideNumbers.ToUInt64));
            il.Emit(WideNumbers.Unsigned(number.MetadataType).Conversion);
        }
        if (variable.Path[^1] is ElementStep) il.Emit(OpCodes.Stelem_Any, module.ImportReference(variable.Type));
        else il.Emit(OpCodes.Stfld, Imported(variable.Path[^1]));
        il.Emit(OpCodes.Ldc_I4_1);
    }

    /// <summary>
    /// Loads what the last step of the way to a variable starts from: an object, or the place of a struct.
    /// </summary>
    private void EmitOwner(ILProcessor il, StateVariable variable)
    {
        il.Emit(OpCodes.Ldarg_0);
        il.Emit(OpCodes.Ldfld, _service);
        foreach (var (step, next) in variable.Path.Zip(variable.Path.Skip(1)))
        {
            if (step is ElementStep element)
            {
                EmitIndex(il, element);
                if (IsPlace(next)) il.Emit(OpCodes.Ldelema, module.ImportReference(element.Element));
                else il.Emit(OpCodes.Ldelem_Any, module.ImportReference(element.Element));
            }
            else il.Emit(IsPlace(next) ? OpCodes.Ldflda : OpCodes.Ldfld, Imported(step));
        }
        if (variable.Path[^1] is ElementStep last) EmitIndex(il, last);
    }

    /// <summary>Goes from an array to the array and index of the element asked for.</summary>
    private void EmitIndex(ILProcessor il, ElementStep step)
    {
        if (step.IsNested)
        {
            var inner = new ArrayType(module.ImportReference(step.Element));
            var first = new VariableDefinition(new ArrayType(inner));
            il.Body.Variables.Add(first);
            il.Body.InitLocals = true;
            il.Emit(OpCodes.Stloc, first);
            il.Emit(OpCodes.Ldloc, first);
            il.Emit(OpCodes.Ldarg_2);
            EmitInnerLength(il, first, inner);
            il.Emit(OpCodes.Div_Un);
            il.Emit(OpCodes.Ldelem_Ref);
            il.Emit(OpCodes.Ldarg_2);
            EmitInnerLength(il, first, inner);
            il.Emit(OpCodes.Rem_Un);
        }
        else il.Emit(OpCodes.Ldarg_2);
    }

    private static void EmitInnerLength(ILProcessor il, VariableDefinition outer, ArrayType inner)
    {
        il.Emit(OpCodes.Ldloc, outer);
        il.Emit(OpCodes.Ldc_I4_0);
        il.Emit(OpCodes.Ldelem_Any, inner);
        il.Emit(OpCodes.Ldlen);
        il.Emit(OpCodes.Conv_I4);
    }

    private FieldReference Imported(PathStep step) => ((FieldStep)step).In(module);

    private static bool IsPlace(PathStep next) => next is FieldStep { IsOfStruct: true };

    /// <summary>
    /// Adds the method that lists the variables of a service. One behind a null, or in arrays of an array that differ
    /// in length, has no elements.
    /// </summary>
    private MethodDefinition AddVariables()
    {
        var element = module.ImportReference(typeof(DirectedVariable));
        var method = new MethodDefinition(
            "Variables", MethodAttributes.Public | MethodAttributes.Static | MethodAttributes.HideBySig,
            new ArrayType(element));
        method.Parameters.Add(new ParameterDefinition("service", ParameterAttributes.None, service));
        var il = method.Body.GetILProcessor();
        il.Emit(OpCodes.Ldc_I4, variables.Count);
        il.Emit(OpCodes.Newarr, element);
        foreach (var (number, (variable, isWritable)) in variables.Index())
        {
            il.Emit(OpCodes.Dup);
            il.Emit(OpCodes.Ldc_I4, number);
            il.Emit(OpCodes.Ldstr, variable.Name);
            il.Emit(OpCodes.Ldc_I4, variable.Width);
            il.Emit(OpCodes.Ldc_I4, (int)variable.Kind);
            if (variable is StateVariable state) EmitElements(il, state);
            else il.Emit(OpCodes.Ldc_I4, variable is ProbeVariable probe ? probe.Elements : 0);
            il.Emit(isWritable ? OpCodes.Ldc_I4_1 : OpCodes.Ldc_I4_0);
            il.Emit(OpCodes.Newobj, module.ImportReference(typeof(DirectedVariable).GetConstructor(
                [typeof(string), typeof(int), typeof(VariableKind), typeof(int), typeof(bool)])));
            il.Emit(OpCodes.Stelem_Ref);
        }
        il.Emit(OpCodes.Ret);
        method.Body.Optimize();
        _class.Methods.Add(method);
        return method;
    }

    /// <summary>Counts the elements of the array on the way to a variable; of one without, 1.</summary>
    private void EmitElements(ILProcessor il, StateVariable variable)
    {
        var fields = variable.Path.TakeWhile(step => step is FieldStep).Cast<FieldStep>().ToList();
        var hasArray = fields.Count < variable.Path.Count;
        var (none, end) = (il.Create(OpCodes.Pop), il.Create(OpCodes.Nop));
        il.Emit(OpCodes.Ldarg_0);
        foreach (var (i, step) in fields.Index())
        {
            if (!step.IsOfStruct)
            {
                il.Emit(OpCodes.Dup);
                il.Emit(OpCodes.Brfalse, none);
            }
            if (hasArray || i < fields.Count - 1)
                il.Emit(IsPlace(variable.Path[i + 1]) ? OpCodes.Ldflda : OpCodes.Ldfld, Imported(step));
        }
        if (hasArray) il.Emit(OpCodes.Call, module.ImportReference(s_elementsOf));
        else
        {
            il.Emit(OpCodes.Pop);
            il.Emit(OpCodes.Ldc_I4_1);
        }
        il.Emit(OpCodes.Br, end);
        il.Append(none);
        il.Emit(OpCodes.Ldc_I4_0);
        il.Append(end);
    }
}
