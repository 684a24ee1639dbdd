using Emu.Direction.Probes;
using Mono.Cecil;
using Mono.Cecil.Cil;
using Mono.Cecil.Rocks;

namespace Emu.Direction.Weaving;

/// <summary>Weaves probes into the methods of a service.</summary>
/// <param name="module">The module of the service.</param>
/// <param name="service">The service.</param>
/// <param name="parts">The classes of its objects.</param>
/// <param name="variables">All variables of the service.</param>
/// <param name="options">The features, of which it takes those that need probes.</param>
/// <param name="controller">The field of the service that holds the controller.</param>
internal sealed class ProbeWeaver(
    ModuleDefinition module, TypeDefinition service, ServiceParts parts, IReadOnlyList<StateVariable> variables,
    WeaveOptions options, FieldDefinition controller)
{
    private const int MostValues = 4;

    private readonly ServiceEvents _events = new(service, parts);
    private readonly List<Probe> _probes = [];
    private readonly Dictionary<Probe, MethodDefinition> _passes = [];
    private readonly LocalVariables _locals = new(service, parts, options.Features);

    private readonly CallChains _calls = new(service, parts);
    private readonly FrameValues _frame = new(module, service);

    /// <summary>The instructions that keep what conditions name of a frame, at the start of its event.</summary>
    public IEnumerable<Instruction> KeepFrame() => _frame.Keep();

    /// <summary>True if one stops the service.</summary>
    public bool HasStops => _probes.Exists(Stops);

    /// <summary>The variables for the locals that are in scope where one stops the service.</summary>
    public IReadOnlyList<StateVariable> Locals => _locals.Variables;

    /// <summary>The variables that say where the service is stopped.</summary>
    public IEnumerable<WovenVariable> Calls => _calls.Variables;

    /// <summary>Weaves the probes in, but for their construction.</summary>
    /// <returns>The variables by which direction packets reach them.</returns>
    /// <exception cref="WeaveException">A feature names what is not there.</exception>
    public IReadOnlyList<ProbeVariable> Weave()
    {
        // Each is asked for once, whichever features name it, and compares what any of them names.
        var asked =
            from feature in options.Features.Probes
            let others = feature.Others.Select(Value).ToList()
            from found in Events(feature.Feature, feature.Kind, feature.Name)
            group (Event: found, Others: others) by (feature.Feature, found.Text);
        foreach (var probe in asked.ToList())
            AddProbe(probe.Key.Feature, probe.First().Event, probe.SelectMany(one => one.Others));
        InsertAll();
        return [.. _probes.SelectMany(VariablesOf)];
    }

    /// <summary>Inserts the calls of all probes. What they keep is found before anything is woven in.</summary>
    private void InsertAll()
    {
        var all = _probes.SelectMany(probe => probe.Event.Places, (probe, place) => (Probe: probe, Place: place))
            .Select(at => (at.Probe, at.Place, Saved: Stops(at.Probe) ? _locals.At(at.Place) : [])).ToList()
            // Methods have a parameter more behind this, which is no local of theirs.
            .Select(at => at with { Saved = Stops(at.Probe) ? [.. at.Saved, _calls.Add(at.Place)] : [] }).ToList();
        foreach (var method in all.GroupBy(at => at.Place.Method))
        {
            method.Key.Body.SimplifyMacros();
            foreach (var (probe, place, saved) in method) Insert(probe, place, saved);
            method.Key.Body.OptimizeMacros();
        }
        _calls.PassChains();
    }

    private static bool Stops(Probe probe) => probe.Type == typeof(StopProbe);

    /// <summary>Makes the probes at the start of a constructor: a method that it calls may come to them.</summary>
    public void Construct(MethodDefinition constructor)
    {
        var first = constructor.Body.Instructions[0];
        var il = constructor.Body.GetILProcessor();
        foreach (var instruction in _probes.SelectMany(Construction).Concat(_locals.Construction()))
            il.InsertBefore(first, instruction);
    }

    private List<ProbedEvent> Events(ProbeFeature feature, Language.EventKind? kind, string name)
    {
        var all = _events.All(variables).Where(e => kind is null || e.Kind == kind).ToList();
        // Of its own accord it is for what is in methods of the service alone, and stops in these, not at their calls.
        var isAll = name.Length == 0;
        var found = all.Where(e => isAll
            ? e.Places.Any(place => place.Method.DeclaringType == service)
                && (feature != ProbeFeature.Break || !e.Name.Contains('.'))
            : e.Name == name).ToList();
        var hasLines = feature is ProbeFeature.Count or ProbeFeature.Break;
        if (found.Count == 0 && hasLines && _events.Line(name) is { } line) found.Add(line);
        // A feature without a name is for all that there is, which may be nothing.
        if (found.Count > 0 || isAll) return found;
        if (hasLines && name.Split(':') is [var file, _])
            throw new WeaveException(
                $"{name}: no code begins on this line; in {file} it does on {string.Join(", ", _events.Lines(file))}");
        throw new WeaveException(
            $"{service.Name} has no {kind?.ToString().ToLowerInvariant() ?? "event"} of {name}: "
            + $"there are {string.Join(", ", all.Select(e => e.Text))}");
    }

    private ProbedValue Value(string name)
    {
        if (_frame.Of(name) is { } value) return value;
        return variables.FirstOrDefault(v => v.Name == name && _events.IsScalar(v)) is { } variable
            ? ServiceEvents.ValueOf(variable)
            : throw new WeaveException(
                $"conditions cannot compare {name}: there are {FrameValues.LengthName}, frame[0] and so on, "
                + string.Join(", ", variables.Where(_events.IsScalar).Select(v => v.Name)));
    }

    private FieldDefinition AddField(string name, TypeReference type)
    {
        var field = new FieldDefinition(name, FieldAttributes.Private, type);
        service.Fields.Add(field);
        return field;
    }

    private void AddProbe(ProbeFeature feature, ProbedEvent found, IEnumerable<ProbedValue> others)
    {
        var of = feature == ProbeFeature.Count ? found.Text : found.Name;
        var name = $"{feature.ToString().ToLowerInvariant()} {of}";
        List<ProbedValue> values =
            [.. (found.Value is { } own ? others.Prepend(own) : others).DistinctBy(value => value.Name)];
        if (values.Count > MostValues)
            throw new WeaveException($"{name}: conditions can name {MostValues} values at most");
        var type = feature switch
        {
            ProbeFeature.Count => typeof(CountProbe),
            ProbeFeature.Trace => typeof(TraceProbe),
            _ => typeof(StopProbe),
        };
        var field = AddField($"DirectionProbe{_probes.Count}", module.ImportReference(type));
        var active = AddField($"DirectionActive{_probes.Count}", module.TypeSystem.Boolean);
        _probes.Add(new Probe(name, found, values, field, active, type));
    }

    private IEnumerable<ProbeVariable> VariablesOf(Probe probe)
    {
        MethodReference Method(string name) => module.ImportReference(probe.Type.GetMethod(name));
        var comparisons = probe.Values.Count > 0 ? options.Comparisons : 0;
        yield return new ProbeVariable(
            probe.Name, VariableKind.Probe, Probes.Probe.SettingWidth, probe.Field, probe.Active,
            Probes.Probe.SettingsWith(comparisons), CountsOf(probe.Type) is { } counts ? Method(counts) : null,
            Method(nameof(Probes.Probe.Write)));
        if (probe.Type != typeof(TraceProbe)) yield break;
        var value = probe.Values[0];
        yield return new ProbeVariable(
            TraceProbe.ValuesPrefix + probe.Event.Name, value.Kind, value.Width, probe.Field, probe.Active,
            TraceProbe.Depth, Method(nameof(TraceProbe.ReadValue)), null);
    }

    /// <summary>The method that reads what a probe has counted; null for one that only stops.</summary>
    private static string? CountsOf(Type probe) =>
        probe == typeof(CountProbe) ? nameof(CountProbe.ReadEvents)
        : probe == typeof(TraceProbe) ? nameof(TraceProbe.ReadCounts)
        : null;

    private IEnumerable<Instruction> Construction(Probe probe)
    {
        yield return Instruction.Create(OpCodes.Ldarg_0);
        yield return Instruction.Create(OpCodes.Ldc_I4, options.Comparisons);
        foreach (var instruction in ArrayOf(
            module.TypeSystem.UInt32, OpCodes.Stelem_I4,
            probe.Values.Select(v => unchecked((int)DirectedVariable.HashOf(v.Name)))))
            yield return instruction;
        foreach (var instruction in ArrayOf(
            module.TypeSystem.Boolean, OpCodes.Stelem_I1,
            probe.Values.Select(v => v.Kind == VariableKind.SignedNumber ? 1 : 0)))
            yield return instruction;
        yield return Instruction.Create(
            OpCodes.Newobj, module.ImportReference(probe.Type.GetConstructors().Single()));
        yield return Instruction.Create(OpCodes.Stfld, probe.Field);
    }

    private static IEnumerable<Instruction> ArrayOf(TypeReference element, OpCode store, IEnumerable<int> values)
    {
        var all = values.ToList();
        yield return Instruction.Create(OpCodes.Ldc_I4, all.Count);
        yield return Instruction.Create(OpCodes.Newarr, element);
        foreach (var (i, value) in all.Index())
        {
            yield return Instruction.Create(OpCodes.Dup);
            yield return Instruction.Create(OpCodes.Ldc_I4, i);
            yield return Instruction.Create(OpCodes.Ldc_I4, value);
            yield return Instruction.Create(store);
        }
    }

    /// <summary>
    /// Inserts the question whether a probe works, and behind it the call of the method that comes to it. What jumped
    /// to a place before an instruction jumps to the question.
    /// </summary>
    private void Insert(Probe probe, ProbePlace place, IReadOnlyList<SavedLocal> locals)
    {
        var goesOn = Instruction.Create(OpCodes.Nop);
        List<Instruction> code =
        [
            .. parts.GoUnlessKnown(place.Method, goesOn),
            .. parts.Load(place.Method), Instruction.Create(OpCodes.Ldfld, probe.Active),
            Instruction.Create(OpCodes.Brfalse, goesOn),
            .. parts.Load(place.Method), Instruction.Create(OpCodes.Call, Pass(probe)),
            .. Stops(probe) ? Stop(probe, place.Method, locals, goesOn) : [],
            goesOn,
        ];
        if (place.IsBefore) place.Method.Body.InsertBefore(place.Instruction, code);
        else place.Method.Body.InsertAfter(place.Instruction, code);
    }

    /// <summary>
    /// The method that loads what the conditions of a probe name and comes to it. It is no part of those with places,
    /// so that these stay small: of a probe that does not work a processor sees a load and a branch.
    /// </summary>
    private MethodDefinition Pass(Probe probe)
    {
        if (_passes.TryGetValue(probe, out var known)) return known;
        var pass = new MethodDefinition(
            $"{probe.Field.Name}Pass", MethodAttributes.Private | MethodAttributes.HideBySig,
            Stops(probe) ? module.TypeSystem.Boolean : module.TypeSystem.Void)
        {
            NoInlining = true,
        };
        var code = pass.Body.Instructions;
        code.Add(Instruction.Create(OpCodes.Ldarg_0));
        code.Add(Instruction.Create(OpCodes.Ldfld, probe.Field));
        for (var i = 0; i < MostValues; i++)
        {
            var value = i < probe.Values.Count
                ? probe.Values[i].Load()
                : [Instruction.Create(OpCodes.Ldc_I4_0), Instruction.Create(OpCodes.Conv_U8)];
            foreach (var instruction in value) code.Add(instruction);
        }
        code.Add(Instruction.Create(
            OpCodes.Callvirt, module.ImportReference(probe.Type.GetMethod(nameof(Probes.Probe.Pass)))));
        if (!Stops(probe)) code.Add(Instruction.Create(OpCodes.Pop));
        code.Add(Instruction.Create(OpCodes.Ret));
        service.Methods.Add(pass);
        return _passes[probe] = pass;
    }

    /// <summary>
    /// Stops the service if a probe says so. Locals are fields meanwhile, so that packets can read and set them.
    /// </summary>
    private IEnumerable<Instruction> Stop(
        Probe probe, MethodDefinition method, IReadOnlyList<SavedLocal> locals, Instruction goesOn) =>
    [
        Instruction.Create(OpCodes.Brfalse, goesOn),
        .. locals.SelectMany(local => local.Save()),
        .. parts.Load(method), Instruction.Create(OpCodes.Ldfld, controller),
        Instruction.Create(OpCodes.Ldc_I4, unchecked((int)DirectedVariable.HashOf(probe.Name))),
        Instruction.Create(
            OpCodes.Callvirt, module.ImportReference(typeof(Controller).GetMethod(nameof(Controller.Stop)))),
        .. locals.SelectMany(local => local.Restore()),
    ];

    /// <summary>A probe that is woven.</summary>
    private sealed record Probe(
        string Name, ProbedEvent Event, IReadOnlyList<ProbedValue> Values, FieldDefinition Field,
        FieldDefinition Active, Type Type);
}
