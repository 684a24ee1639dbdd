using System.Reflection;
using Emu.Compiler.Diagnostics;
using Emu.Compiler.IR;
using Emu.Compiler.Metadata;
using Emu.Compiler.Rtl;
using Emu.Compiler.Verilog;

namespace Emu.Compiler.Elaboration;

/// <summary>The cores of a service: one for each object and each static method that has a module.</summary>
/// <param name="components">Compiles programs of the clock level; null where none can be called.</param>
internal sealed class CoreMap(ComponentCompiler? components)
{
    private const int MostCycles = 255;

    private readonly Dictionary<object, VerilogCore> _ofObjects = new(ReferenceEqualityComparer.Instance);
    private readonly Dictionary<MethodInfo, VerilogCore> _ofMethods = [];

    /// <summary>The objects whose state is inside a module.</summary>
    public IReadOnlyCollection<object> Objects => _ofObjects.Keys;

    /// <summary>The core of a method.</summary>
    /// <param name="method">Marked by an attribute.</param>
    /// <param name="target">The object that it is called on; null of a static method.</param>
    /// <param name="path">The name of the object.</param>
    /// <exception cref="CompileException">The method, the file or a port is not as it has to be.</exception>
    public VerilogCore Of(MethodInfo method, object? target, string path)
    {
        if (target is null)
        {
            return _ofMethods.TryGetValue(method, out var known)
                ? known
                : _ofMethods[method] = Made(method, null, path);
        }
        if (!_ofObjects.TryGetValue(target, out var core)) return _ofObjects[target] = Made(method, target, path);
        if (core.Name == NameOf(method, path)) return core;
        throw Refuse(method, $"its object has one already, {core.Name}, which would know nothing of its calls; "
            + "give what both do to one method");
    }

    private static string NameOf(MethodInfo method, string path) =>
        path.Length == 0 ? method.Name : $"{path}.{method.Name}";

    private VerilogCore Made(MethodInfo method, object? target, string path)
    {
        var attribute = method.GetCustomAttribute<CoreAttribute>()!;
        var cycles = CyclesOf(method, attribute);
        Check(method, attribute);
        var (inputs, outputs) = Ports(method);
        var (module, text) = attribute is ClockedAttribute clocked
            ? ComponentOf(method, clocked)
            : ModuleOf(method, (VerilogAttribute)attribute);
        var header = VerilogHeader.Of(text, module)
            ?? throw Refuse(method, $"{((VerilogAttribute)attribute).File} has no module {module}; name it by Module");
        var wanted = VerilogHeader.Wanted(inputs, outputs, attribute.Latency == 0);
        var pins = attribute is ClockedAttribute ? header.Beyond(wanted) : [];
        if (!header.Has(wanted, pins.Count))
            throw Refuse(method, $"module {module} has the ports {header}, and not {wanted}; wrap it in one that does");
        var model = attribute is ClockedAttribute program ? ModelOf(method, program, module, pins) : null;
        // The service may run on .NET later.
        var constructed = new ObjectCopy().Of(target);
        return new VerilogCore(
            NameOf(method, path), module, text, inputs, outputs,
            () => new LiveCore(method, constructed, attribute.Latency, cycles))
        {
            Latency = attribute.Latency,
            Interval = attribute.Interval,
            ResetCycles = attribute.ResetCycles,
            HasState = target is not null,
            Pins = pins,
            Model = model,
        };
    }

    private (string Module, string Text) ComponentOf(MethodInfo method, ClockedAttribute attribute) =>
        components is null
            ? throw Refuse(method, "only a service calls programs of the clock level")
            : components(attribute.Program, problem => Refuse(method, problem));

    /// <summary>The program at the pins: it has each, the other way round.</summary>
    private PinModel? ModelOf(
        MethodInfo method, ClockedAttribute attribute, string module, IReadOnlyList<CorePin> pins)
    {
        if (pins.Count == 0)
            return attribute.Model is null
                ? null
                : throw Refuse(method, $"module {module} has no pins for {attribute.Model.Name}; leave the Model out");
        var wanted = VerilogHeader.AtPins(pins);
        if (attribute.Model is null)
            throw Refuse(
                method, $"module {module} has the pins {string.Join(", ", pins.Select(pin => pin.Name))} beside the "
                + $"ports of a call; name what stands there in a simulation, a program with the ports {wanted}, by "
                + "Model, or wrap the module in one without them");
        var (name, text) = components!(attribute.Model, problem => Refuse(method, problem));
        var header = VerilogHeader.Of(text, name)!;
        return header.Has(wanted)
            ? new PinModel(name, text)
            : throw Refuse(method, $"its model {name} has the ports {header}, and not {wanted}; give it those");
    }

    private static (string Module, string Text) ModuleOf(MethodInfo method, VerilogAttribute attribute) =>
        (attribute.Module ?? Path.GetFileNameWithoutExtension(attribute.File), TextOf(method, attribute.File));

    private static void Check(MethodInfo method, CoreAttribute attribute)
    {
        if (attribute.Latency is < 0 or > MostCycles || attribute.Interval is < 1 or > MostCycles
            || attribute.ResetCycles < 1)
            throw Refuse(
                method, $"Latency is from 0 to {MostCycles}, Interval from 1 to {MostCycles}, ResetCycles 1 or more");
    }

    /// <summary>The method that gives the cycles of a handshake; null without one.</summary>
    private static MethodInfo? CyclesOf(MethodInfo method, CoreAttribute attribute)
    {
        if (attribute.Latency != 0) return null;
        var cycles = attribute.Cycles is null
            ? null
            : method.DeclaringType!.GetMethod(
                attribute.Cycles, BindingFlags.Static | BindingFlags.Public | BindingFlags.NonPublic);
        var operands = method.GetParameters().Where(p => !p.IsOut).Select(p => p.ParameterType);
        return cycles?.ReturnType == typeof(int)
            && cycles.GetParameters().Select(p => p.ParameterType).SequenceEqual(operands)
                ? cycles
                : throw Refuse(method, "it has neither a Latency nor Cycles, the name of a static method of its "
                    + "operands that gives an int; say one of them");
    }

    private static (List<CorePort> Inputs, List<CorePort> Outputs) Ports(MethodInfo method)
    {
        CorePort Port(string name, Type type) => Number.KeyWidth(type) is { } width
            ? new CorePort(PortName(Netlist.SnakeCase(name)), width)
            : throw Refuse(method, $"{name} is a {type.Name}; take numbers, or structs of one number");

        var parameters = method.GetParameters();
        if (parameters.FirstOrDefault(p => p.ParameterType.IsByRef && !p.IsOut) is { } reference)
            throw Refuse(method, $"{reference.Name} is a reference; take its value, and give the new one by out");
        List<CorePort> outputs =
        [
            .. method.ReturnType == typeof(void) ? [] : new[] { Port("result", method.ReturnType) },
            .. parameters.Where(p => p.IsOut).Select(p => Port(p.Name!, p.ParameterType.GetElementType()!)),
        ];
        if (outputs.Count == 0 || outputs.Sum(port => port.Width) >= Value.MaxWidth)
            throw Refuse(method, $"its results have to have from 1 to {Value.MaxWidth - 1} bits together");
        return ([.. parameters.Where(p => !p.IsOut).Select(p => Port(p.Name!, p.ParameterType))], outputs);
    }

    private static string PortName(string name) => VerilogNames.IsKeyword(name) ? name + "_" : name;

    private static string TextOf(MethodInfo method, string file)
    {
        var assembly = method.DeclaringType!.Assembly;
        var names = assembly.GetManifestResourceNames()
            .Where(name => name == file || name.EndsWith($".{file}", StringComparison.Ordinal)).ToList();
        if (names is not [var only])
        {
            var found = names.Count == 0 ? "no resource of its assembly is" : "several resources of its assembly are";
            throw Refuse(
                method,
                $"{found} called {file}; have one, as by <EmbeddedResource Include=\"{file}\" /> in the project");
        }
        using var reader = new StreamReader(assembly.GetManifestResourceStream(only)!);
        return reader.ReadToEnd().ReplaceLineEndings("\n");
    }

    private static CompileException Refuse(MethodInfo method, string problem) =>
        new(DiagnosticNumber.VerilogCore, $"{method.Name} cannot be a module of its own: {problem}", null);
}
