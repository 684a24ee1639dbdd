using System.Diagnostics;
using Mono.Cecil;
using Mono.Cecil.Cil;
using Mono.Cecil.Rocks;

namespace Emu.Direction.Weaving;

/// <summary>
/// Weaves direction into a service: reads its assembly and writes another, in which the service has a
/// <see cref="Controller"/> that sees each frame first.
/// </summary>
public sealed class ServiceWeaver
{
    private const string ControllerName = "DirectionController";
    private const string AddressParameter = "mac";
    private const string Mark = "Emu.Direction";
    private const long NanosecondsPerSecond = 1_000_000_000;

    private readonly ModuleDefinition _module;
    private readonly TypeDefinition _service;
    private readonly ServiceParts _parts;
    private readonly WeaveOptions _options;

    private ServiceWeaver(
        ModuleDefinition module, TypeDefinition service, ServiceParts parts, WeaveOptions options) =>
        (_module, _service, _parts, _options) = (module, service, parts, options);

    /// <summary>Weaves a service.</summary>
    /// <param name="assembly">The path of its assembly; the PDB is beside it or in it.</param>
    /// <param name="service">The full name of its class.</param>
    /// <param name="folder">
    /// The folder for the woven assembly and its PDB, under their own names; not that of the assembly.
    /// </param>
    /// <param name="options">What is woven into it.</param>
    /// <returns>The path of the woven assembly.</returns>
    /// <exception cref="WeaveException">The assembly or the service cannot be woven.</exception>
    public static string Weave(string assembly, string service, string folder, WeaveOptions options)
    {
        ArgumentNullException.ThrowIfNull(options);
        using var resolver = ResolverFor(assembly);
        using var module = Read(assembly, resolver);
        if (module.GetType(service) is not { } type)
            throw new WeaveException($"{assembly} has no class {service}");
        var parts = new ServiceParts(type);
        new ServiceWeaver(module, type, parts, options).Weave();
        foreach (var part in parts.Classes) CilVerifier.Check(part);

        Directory.CreateDirectory(folder);
        var path = Path.Combine(folder, Path.GetFileName(assembly));
        module.Write(path, new WriterParameters
        {
            WriteSymbols = true,
            SymbolWriterProvider = new PortablePdbWriterProvider(),
            DeterministicMvid = true,
        });
        return path;
    }

    /// <summary>The variables that packets may read or write.</summary>
    private IReadOnlyList<(WovenVariable Variable, bool IsWritable)> Variables(IReadOnlyList<StateVariable> all)
    {
        if (_options.Features.Unmatched(all.Select(v => v.Name)) is { } unknown)
            throw new WeaveException(
                $"{_service.Name} has no variable {unknown}: there are {string.Join(", ", all.Select(v => v.Name))}");
        return
        [
            .. all.Where(v => _options.Features.Reads(v.Name))
                .Select(v => ((WovenVariable)v, v.IsAssigned && _options.Features.Sets(v.Name))),
        ];
    }

    /// <summary>Finds the assemblies that one refers to.</summary>
    internal static DefaultAssemblyResolver ResolverFor(string assembly)
    {
        var resolver = new DefaultAssemblyResolver();
        foreach (var known in (string?[])
            [Path.GetDirectoryName(Path.GetFullPath(assembly)), AppContext.BaseDirectory, FolderOf(typeof(object))])
            resolver.AddSearchDirectory(known);
        return resolver;
    }

    /// <summary>Reads an assembly that can be woven, with its PDB.</summary>
    /// <exception cref="WeaveException">It is none.</exception>
    internal static ModuleDefinition Read(string assembly, DefaultAssemblyResolver resolver)
    {
        ModuleDefinition module;
        try
        {
            module = ModuleDefinition.ReadModule(
                assembly, new ReaderParameters { AssemblyResolver = resolver, ReadSymbols = true, InMemory = true });
        }
        catch (SymbolsNotFoundException)
        {
            throw new WeaveException(
                $"{assembly} has no PDB, which names its lines: build it with DebugType portable or embedded");
        }
        catch (SymbolsNotMatchingException)
        {
            throw new WeaveException($"{assembly} has a PDB of another build: build it again");
        }
        catch (BadImageFormatException)
        {
            throw new WeaveException($"{assembly} is no .NET assembly");
        }
        var why = module.Assembly.Name.HasPublicKey ? "is signed: weave it before it is signed"
            : module.Assembly.CustomAttributes.Any(IsMark) ? "is woven already: weave the assembly that the build made"
            : (module.Attributes & ModuleAttributes.ILOnly) == 0 ? "has native code: build it without"
            : null;
        if (why is null) return module;
        module.Dispose();
        throw new WeaveException($"{assembly} {why}");
    }

    private static bool IsMark(CustomAttribute attribute) =>
        attribute.AttributeType.Name == nameof(System.Reflection.AssemblyMetadataAttribute)
        && attribute.ConstructorArguments is [{ Value: Mark }, _];

    private static string FolderOf(Type type) => Path.GetDirectoryName(type.Assembly.Location)!;

    private void Weave()
    {
        if (!_options.Features.IsEmpty) AddController();
        AddMark();
    }

    private void AddController()
    {
        var (all, own) = (StateVariables.Of(_service), _service.Fields.ToHashSet());
        var controller = new FieldDefinition(
            ControllerName, FieldAttributes.Private, _module.ImportReference(typeof(Controller)));
        var probes = new ProbeWeaver(_module, _service, _parts, all, _options, controller);
        var probeVariables = probes.Weave().Select(v => ((WovenVariable)v, v.Write is not null)).ToList();
        (WovenVariable Variable, bool IsWritable)[] variables =
            [.. Variables([.. all, .. probes.Locals]), .. probeVariables, .. probes.Calls.Select(v => (v, false))];
        if (variables.Length == 0 && !_options.Features.HasStatus)
            throw new WeaveException($"{_service.Name} has no variable that a direction packet can name");
        var state = new StateClass(_module, _service, variables).Add();
        _service.Fields.Add(controller);
        foreach (var constructor in _service.Methods.Where(m => m is { IsConstructor: true, IsStatic: false }))
        {
            if (CallsAnother(constructor)) continue;
            Construct(constructor, controller, state);
            probes.Construct(constructor);
        }
        Direct(controller, [.. probes.KeepFrame()]);
        if (probes.HasStops) AddInterrupt(controller);
        foreach (var added in _service.Fields.Except(own).Concat(_parts.References)) Hide(added);
        AccessChecks.Ignore(_module);
    }

    /// <summary>Hides a field from debuggers: it is no part of the service, and a circuit does not show it.</summary>
    private void Hide(FieldDefinition field)
    {
        var attribute = new CustomAttribute(_module.ImportReference(
            typeof(DebuggerBrowsableAttribute).GetConstructor([typeof(DebuggerBrowsableState)])));
        attribute.ConstructorArguments.Add(new CustomAttributeArgument(
            _module.ImportReference(typeof(DebuggerBrowsableState)), (int)DebuggerBrowsableState.Never));
        field.CustomAttributes.Add(attribute);
    }

    /// <summary>True for a constructor that leaves the construction to another of the class.</summary>
    private bool CallsAnother(MethodDefinition constructor) =>
        constructor.Body.Instructions.Any(i => i.OpCode.Code == Code.Call
            && i.Operand is MethodReference { Name: ".ctor" } called
            && called.Resolve() is { IsConstructor: true } other && other.DeclaringType == _service);

    /// <summary>Makes the controller at the end of a constructor, when the variables are there.</summary>
    private void Construct(
        MethodDefinition constructor, FieldDefinition controller,
        (MethodReference New, MethodReference Variables) state)
    {
        var body = constructor.Body;
        body.SimplifyMacros();
        var il = body.GetILProcessor();
        var ends = body.Instructions.Where(i => i.OpCode.Code == Code.Ret).ToList();
        var start = il.Create(OpCodes.Ldarg, body.ThisParameter);
        il.Append(start);
        il.Emit(OpCodes.Ldarg, body.ThisParameter);
        il.Emit(OpCodes.Ldarg, body.ThisParameter);
        il.Emit(OpCodes.Newobj, state.New);
        il.Emit(OpCodes.Ldarg, body.ThisParameter);
        il.Emit(OpCodes.Call, state.Variables);
        il.Emit(OpCodes.Ldc_I8, (long)(ulong)(_options.Key >> 64));
        il.Emit(OpCodes.Ldc_I8, (long)(ulong)_options.Key);
        il.Emit(OpCodes.Newobj, Imported(typeof(UInt128), typeof(ulong), typeof(ulong)));
        EmitAddress(constructor, il);
        il.Emit(OpCodes.Ldc_I4, unchecked((int)_options.BootCount));
        il.Emit(OpCodes.Ldc_I4, _options.Hold);
        il.Emit(OpCodes.Ldc_I8, _options.LeaseSeconds * NanosecondsPerSecond);
        il.Emit(OpCodes.Newobj, _module.ImportReference(typeof(Controller).GetConstructors().Single()));
        il.Emit(OpCodes.Stfld, controller);
        _parts.Attach(il, body.ThisParameter);
        il.Emit(OpCodes.Ret);
        foreach (var end in ends) (end.OpCode, end.Operand) = (OpCodes.Br, start);
        body.OptimizeMacros();
    }

    private void EmitAddress(MethodDefinition constructor, ILProcessor il)
    {
        if (_options.Address is { } address)
        {
            il.Emit(OpCodes.Ldc_I8, (long)address.Bits);
            il.Emit(OpCodes.Newobj, Imported(typeof(MacAddress), typeof(ulong)));
            return;
        }
        var own = constructor.Parameters.FirstOrDefault(
                p => p.Name == AddressParameter && p.ParameterType.FullName == typeof(MacAddress).FullName)
            ?? throw new WeaveException(
                $"{_service.Name} has no address of its own: name the one of direction frames, --direct-address MAC");
        il.Emit(OpCodes.Ldarg, own);
    }

    private MethodReference Imported(Type type, params Type[] parameters) =>
        _module.ImportReference(type.GetConstructor(parameters));

    /// <summary>Has <see cref="Service.Process"/> ask the controller first.</summary>
    private void Direct(FieldDefinition controller, IReadOnlyList<Instruction> start)
    {
        var process = _service.Methods.FirstOrDefault(
            m => m is { Name: nameof(Service.Process), IsVirtual: true, Parameters.Count: 1 }) ?? AddProcess();
        process.Body.SimplifyMacros();
        var first = process.Body.Instructions[0];
        var il = process.Body.GetILProcessor();
        foreach (var instruction in Direction(controller, start.FirstOrDefault(first)).Concat(start))
            il.InsertBefore(first, instruction);
        process.Body.OptimizeMacros();
    }

    private Instruction[] Direction(FieldDefinition controller, Instruction undirected) =>
    [
        // No callvirt, which would look whether there is a controller, for each frame.
        Instruction.Create(OpCodes.Ldarg_0), Instruction.Create(OpCodes.Ldfld, controller),
        Instruction.Create(OpCodes.Ldarg_1), Instruction.Create(OpCodes.Call, Imported(nameof(Controller.Takes))),
        Instruction.Create(OpCodes.Brfalse, undirected),
        Instruction.Create(OpCodes.Ldarg_0), Instruction.Create(OpCodes.Ldfld, controller),
        Instruction.Create(OpCodes.Ldarg_1), Instruction.Create(OpCodes.Callvirt, Imported(nameof(Controller.Receive))),
        Instruction.Create(OpCodes.Ret),
    ];

    /// <summary>Leaves the frames that arrive while the service is stopped to the controller.</summary>
    private void AddInterrupt(FieldDefinition controller)
    {
        if (_service.Methods.Any(m => m is { Name: nameof(Service.Interrupt), IsVirtual: true }))
            throw new WeaveException($"{_service.Name} has interrupts of its own, so it cannot be stopped");
        var interrupt = new MethodDefinition(
            nameof(Service.Interrupt),
            MethodAttributes.Public | MethodAttributes.Virtual | MethodAttributes.HideBySig, _module.TypeSystem.Void);
        interrupt.Parameters.Add(new ParameterDefinition(
            "frame", ParameterAttributes.None, _module.ImportReference(typeof(Frame).MakeByRefType())));
        var il = interrupt.Body.GetILProcessor();
        il.Emit(OpCodes.Ldarg_0);
        il.Emit(OpCodes.Ldfld, controller);
        il.Emit(OpCodes.Ldarg_1);
        il.Emit(OpCodes.Callvirt, Imported(nameof(Controller.Interrupt)));
        il.Emit(OpCodes.Ret);
        _service.Methods.Add(interrupt);
    }

    /// <summary>Adds a method of <see cref="Service.Process"/> that leaves frames to the base class.</summary>
    private MethodDefinition AddProcess()
    {
        var process = new MethodDefinition(
            nameof(Service.Process),
            MethodAttributes.Public | MethodAttributes.Virtual | MethodAttributes.HideBySig, _module.TypeSystem.Void);
        var frame = _module.ImportReference(typeof(Frame).MakeByRefType());
        process.Parameters.Add(new ParameterDefinition("frame", ParameterAttributes.None, frame));
        var il = process.Body.GetILProcessor();
        il.Emit(OpCodes.Ldarg_0);
        il.Emit(OpCodes.Ldarg_1);
        il.Emit(OpCodes.Call, new MethodReference(process.Name, process.ReturnType, _service.BaseType)
        {
            HasThis = true,
            Parameters = { new ParameterDefinition(frame) },
        });
        il.Emit(OpCodes.Ret);
        _service.Methods.Add(process);
        return process;
    }

    private MethodReference Imported(string method) => _module.ImportReference(typeof(Controller).GetMethod(method));

    private void AddMark()
    {
        var mark = new CustomAttribute(_module.ImportReference(
            typeof(System.Reflection.AssemblyMetadataAttribute).GetConstructor([typeof(string), typeof(string)])));
        mark.ConstructorArguments.Add(new CustomAttributeArgument(_module.TypeSystem.String, Mark));
        mark.ConstructorArguments.Add(new CustomAttributeArgument(_module.TypeSystem.String, _service.FullName));
        _module.Assembly.CustomAttributes.Add(mark);
    }
}
