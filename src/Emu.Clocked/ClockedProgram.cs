using System.Reflection;
using System.Runtime.Loader;
using KiwiSystem;

namespace Emu.Clocked;

/// <summary>
/// A program of the clock level: the class with a method marked <c>[Kiwi.HardwareEntryPoint]</c>, loaded so that its
/// static fields are as its initialisers leave them, whatever ran before.
/// </summary>
public sealed class ClockedProgram
{
    private const BindingFlags Statics =
        BindingFlags.Static | BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.DeclaredOnly;

    private readonly string _path;
    private readonly string? _class;

    private ClockedProgram(string path, string? className, MethodInfo entry, AssemblyLoadContext context)
    {
        (_path, _class, Entry, Context) = (path, className, entry, context);
        var fields = FieldsOf(entry.Module.Assembly).ToList();
        Ports = PortsOf(fields);
        Parameters = ParametersOf(fields);
        CheckWidths(entry.Module.Assembly);
        if (Ports.Concat(Parameters).GroupBy(port => port.Name).FirstOrDefault(same => same.Count() > 1) is { } twice)
        {
            var all = string.Join(" and ", twice.Select(port => $"{port.Field.DeclaringType!.Name}.{port.Field.Name}"));
            throw Refuse($"two ports have the name {twice.Key}, {all}; give one another name");
        }
    }

    /// <summary>The method at which it begins: static, without parameters or with those of <c>Main</c>.</summary>
    public MethodInfo Entry { get; }

    /// <summary>The ports, in the order of their fields.</summary>
    public IReadOnlyList<ClockedPort> Ports { get; }

    /// <summary>The fields whose number may be given where the circuit is made, in their order.</summary>
    public IReadOnlyList<ClockedPort> Parameters { get; }

    /// <summary>
    /// The pauses that the compiler has added in soft regions; null where no compiler has looked at the program.
    /// </summary>
    public IReadOnlyList<ScheduledPause>? Schedule { get; private init; }

    /// <summary>The kind of pauses with which each thread begins.</summary>
    internal Kiwi.PauseControl PauseMode =>
        Entry.GetCustomAttribute<Kiwi.HardwareEntryPointAttribute>()!.Control;

    /// <summary>The name of the module: the entry point's, or its class's.</summary>
    public string Name => Legal(
        Entry.GetCustomAttribute<Kiwi.HardwareEntryPointAttribute>()!.Name ?? Entry.DeclaringType!.Name);

    /// <summary>Loads a program.</summary>
    /// <param name="path">The path of an assembly.</param>
    /// <param name="className">The class with the entry point; null where the assembly has one only.</param>
    /// <exception cref="ClockedException">It has no entry point, several, or ports that are none.</exception>
    public static ClockedProgram Load(string path, string? className = null)
    {
        path = Path.GetFullPath(path);
        var context = new ProgramContext(path);
        return Load(path, className, context, context.Program());
    }

    /// <summary>A name as an identifier of Verilog.</summary>
    private static string Legal(string name)
    {
        var letters = string.Concat(name.Select(letter => char.IsAsciiLetterOrDigit(letter) ? letter : '_'));
        return char.IsAsciiDigit(letters[0]) ? "_" + letters : letters;
    }

    /// <summary>The program as it is run on .NET: one with several threads is woven.</summary>
    /// <param name="allowsCoroutines">False for threads of the operating system, whatever the program is.</param>
    internal ClockedProgram ToRun(bool allowsCoroutines)
    {
        if (ThreadWeaver.Weave(_path, Schedule ?? [], allowsCoroutines) is not var (woven, hasCoroutines))
            return Again();
        var context = new ProgramContext(_path);
        var program = Load(_path, _class, context, context.Woven(woven), Schedule);
        program.HasCoroutines = hasCoroutines;
        return program;
    }

    /// <summary>True if threads that it starts are coroutines.</summary>
    internal bool HasCoroutines { get; private set; }

    /// <summary>
    /// Finds the assemblies that the program uses, at any time while it runs: a context that nobody holds is unloaded,
    /// and finds nothing more.
    /// </summary>
    internal AssemblyLoadContext Context { get; }

    private static ClockedProgram Load(
        string path, string? className, AssemblyLoadContext context, Assembly assembly,
        IReadOnlyList<ScheduledPause>? schedule = null)
    {
        var entries = EntriesOf(assembly).Where(e => className is null || e.DeclaringType!.Name == className).ToList();
        return entries switch
        {
            [var entry] => new ClockedProgram(path, className, Checked(entry), context)
            {
                Schedule = schedule,
            },
            [] => throw Refuse(
                $"{Path.GetFileName(path)} has no method with [Kiwi.HardwareEntryPoint]"
                + $"{(className is null ? "" : $" in {className}")}; mark the one at which the circuit begins"),
            _ => throw Refuse(
                $"{Path.GetFileName(path)} has several entry points; name the class of one: "
                + string.Join(", ", entries.Select(e => e.DeclaringType!.Name))),
        };
    }

    /// <summary>The same program, with static fields as its initialisers leave them.</summary>
    public ClockedProgram Again() => Scheduled(Schedule);

    /// <summary>The same program, loaded anew, with the pauses that the compiler has added.</summary>
    public ClockedProgram Scheduled(IReadOnlyList<ScheduledPause>? schedule)
    {
        var context = new ProgramContext(_path);
        return Load(_path, _class, context, context.Program(), schedule);
    }

    /// <summary>The classes of an assembly that have an entry point; none of a file that is no assembly.</summary>
    public static IReadOnlyList<string> ClassesOf(string path)
    {
        try
        {
            var context = new ProgramContext(Path.GetFullPath(path));
            List<string> classes = [.. EntriesOf(context.Program()).Select(entry => entry.DeclaringType!.Name)];
            GC.KeepAlive(context);
            return classes;
        }
        catch (ClockedException)
        {
            return [];
        }
    }

    private static IEnumerable<MethodInfo> EntriesOf(Assembly assembly)
    {
        // The types of other assemblies need not be there.
        var own = typeof(Kiwi).Assembly.GetName().Name;
        if (!assembly.GetReferencedAssemblies().Any(reference => reference.Name == own)) return [];
        return assembly.GetTypes()
            .SelectMany(type => type.GetMethods(Statics | BindingFlags.Instance))
            .Where(method => method.IsDefined(typeof(Kiwi.HardwareEntryPointAttribute)));
    }

    private static MethodInfo Checked(MethodInfo entry) =>
        entry.IsStatic && (entry.ReturnType == typeof(void) || entry.ReturnType == typeof(int))
        && entry.GetParameters().All(p => p.ParameterType == typeof(string[]))
            ? entry
            : throw Refuse(
                $"{entry.DeclaringType!.Name}.{entry.Name} is not a static method without parameters and with no "
                + "result, or a number; mark one that is");

    private static List<ClockedPort> PortsOf(IEnumerable<FieldInfo> fields) =>
    [
        .. fields.Where(field => field.IsDefined(typeof(Kiwi.PortAttribute)))
            .Select(field => Port(field, [.. field.GetCustomAttributes<Kiwi.PortAttribute>()])),
    ];

    private static List<ClockedPort> ParametersOf(IEnumerable<FieldInfo> fields) =>
    [
        .. from field in fields
           let attribute = field.GetCustomAttribute<Kiwi.RtlParameterAttribute>()
           let width = WidthOf(field.FieldType)
           where attribute is not null && width is not null && field is
               { IsStatic: true, IsInitOnly: false, IsLiteral: false }
           select new ClockedPort(attribute.Name, width.Value, true, field),
    ];

    private IEnumerable<FieldInfo> FieldsOf(Assembly assembly)
    {
        // The entry point's class is first; others follow in the order of the assembly.
        foreach (var type in assembly.GetTypes().OrderBy(type => type == Entry.DeclaringType ? 0 : 1))
        {
            if (type.ContainsGenericParameters || type != Entry.DeclaringType && HasEntry(type)) continue;
            foreach (var field in type.GetFields(Statics | BindingFlags.Instance).OrderBy(f => f.MetadataToken))
                yield return field;
        }
    }

    private static bool HasEntry(Type type) => type.GetMethods(Statics | BindingFlags.Instance)
        .Any(method => method.IsDefined(typeof(Kiwi.HardwareEntryPointAttribute)));

    /// <summary>A port: of several attributes the one that says more than a name gives the direction.</summary>
    private static ClockedPort Port(FieldInfo field, Kiwi.PortAttribute[] attributes)
    {
        var attribute = Array.Find(
            attributes, one => one is not (Kiwi.InputNameAttribute or Kiwi.OutputNameAttribute)) ?? attributes[0];
        var name = Array.Find(attributes, one => one.Name is not null)?.Name ?? field.Name;
        var what = $"{field.DeclaringType!.Name}.{field.Name}";
        if (!field.IsStatic || field.IsInitOnly || field.IsLiteral)
            throw Refuse($"the port {what} is not a static field that can change; make it one");
        var width = WidthOf(field.FieldType) ?? throw Refuse(
            $"the port {what} is a {field.FieldType.Name}; a port is bool or a whole number of up to 64 bits");
        if (field.GetCustomAttribute<Kiwi.HwWidthAttribute>() is { Width: var bits })
        {
            if (bits < 1 || bits > width)
                throw Refuse($"the port {what} has {width} bits, HwWidth says {bits}; take fewer");
            width = bits;
        }
        return new ClockedPort(name, width, attribute.IsInput, field);
    }

    /// <summary>A field that is no port has the bits of its type: another width would change nothing.</summary>
    private void CheckWidths(Assembly assembly)
    {
        var fields = assembly.GetTypes().Where(type => type == Entry.DeclaringType || !HasEntry(type))
            .SelectMany(type => type.GetFields(Statics | BindingFlags.Instance));
        foreach (var field in fields.Where(field => !field.IsDefined(typeof(Kiwi.PortAttribute))))
        {
            if (field.GetCustomAttribute<Kiwi.HwWidthAttribute>() is not { Width: var bits }) continue;
            var width = WidthOf(field.FieldType.IsArray ? field.FieldType.GetElementType()! : field.FieldType);
            if (bits == width) continue;
            throw Refuse(
                $"HwWidth({bits}) is for a port, and {field.DeclaringType!.Name}.{field.Name} is none, so it has all "
                + $"bits of its type {field.FieldType.Name}; leave HwWidth out"
                + (bits > 0 && bits < width
                    ? $", and mask what is written to it with 0x{(1UL << bits) - 1:X} where {bits} bits are meant"
                    : ""));
        }
    }

    private static ClockedException Refuse(string reason, Exception? cause = null) =>
        new(ClockedException.Program, reason, cause);

    private static int? WidthOf(Type type) => Type.GetTypeCode(type) switch
    {
        TypeCode.Boolean => 1,
        TypeCode.Byte or TypeCode.SByte => 8,
        TypeCode.Char or TypeCode.Int16 or TypeCode.UInt16 => 16,
        TypeCode.Int32 or TypeCode.UInt32 => 32,
        TypeCode.Int64 or TypeCode.UInt64 => 64,
        _ => null,
    };

    /// <summary>Its own copy of the program; the clock and .NET are shared.</summary>
    private sealed class ProgramContext(string path) : AssemblyLoadContext("clocked", isCollectible: true)
    {
        private readonly AssemblyDependencyResolver? _dependencies =
            File.Exists(Path.ChangeExtension(path, ".deps.json")) ? new AssemblyDependencyResolver(path) : null;

        public Assembly Program()
        {
            try
            {
                return LoadFromAssemblyPath(path);
            }
            catch (Exception exception) when (exception is IOException or BadImageFormatException)
            {
                throw Refuse($"{path} is no assembly that can be loaded: {exception.Message}", exception);
            }
        }

        public Assembly Woven(byte[] program) => LoadFromStream(new MemoryStream(program));

        protected override Assembly? Load(AssemblyName name)
        {
            if (name.Name == typeof(Kiwi).Assembly.GetName().Name) return typeof(Kiwi).Assembly;
            var beside = _dependencies?.ResolveAssemblyToPath(name)
                ?? Path.Combine(Path.GetDirectoryName(path)!, name.Name + ".dll");
            return File.Exists(beside) && name.Name?.StartsWith("System", StringComparison.Ordinal) != true
                ? LoadFromAssemblyPath(beside)
                : null;
        }
    }
}
