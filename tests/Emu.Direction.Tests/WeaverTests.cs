using Emu.Compiler;
using Emu.Compiler.Layouts;
using Emu.Direction.Weaving;
using Emu.Fuzz;
using Emu.Hosting;
using Emu.Testing;
using Microsoft.CodeAnalysis;
using Mono.Cecil;

namespace Emu.Direction.Tests;

/// <summary>Services into which direction is woven.</summary>
public sealed class WeaverTests : IDisposable
{
    /// <summary>All features, for all that there is.</summary>
    internal const string Everything = "print,set,count,trace,break,watch";

    /// <summary>One type of each assembly with services.</summary>
    private static readonly Type[] s_services =
    [
        typeof(Services.Dns), typeof(Services.Filter), typeof(Services.Host), typeof(Services.IcmpEcho),
        typeof(Services.LearningSwitch), typeof(Services.LruCache), typeof(Services.Memcached), typeof(Services.Nat),
        typeof(Services.TcpPing), typeof(Samples.Router),
    ];

    private readonly Woven _woven = new();

    /// <summary>The services and samples that can be constructed from their example.</summary>
    public static TheoryData<string> Services =>
    [
        .. s_services.SelectMany(type => type.Assembly.GetExportedTypes())
            .Where(type => type.IsSubclassOf(typeof(Service)) && !type.IsAbstract).Select(type => type.FullName!),
    ];

    public void Dispose() => _woven.Dispose();

    [Theory]
    [MemberData(nameof(Services))]
    public void A_woven_service_does_with_frames_what_it_did(string name)
    {
        var service = Find(name);
        var woven = _woven.Load(service, Everything);
        Woven.CompileAll(woven);
        DoesTheSame(service, woven, service);
    }

    /// <summary>Runs a service and what is woven of it.</summary>
    internal static void DoesTheSame(Type service, Type woven, Type documented)
    {
        var frames = FrameSequence.Random(300);
        ServiceRun Run(Type type) => new(Construct(type, documented), start: frames[0].Time);
        var (before, after) = (Run(service), Run(woven));
        foreach (var frame in frames)
        {
            Assert.Equal(
                before.Receive(frame.Port, frame.Bytes, frame.Time).Select(sent => sent.ToString()),
                after.Receive(frame.Port, frame.Bytes, frame.Time).Select(sent => sent.ToString()));
        }
    }

    [Fact]
    public void Woven_with_nothing_a_service_is_the_same_circuit()
    {
        var woven = _woven.Load(typeof(Services.LearningSwitch), "");
        Assert.Equal(VerilogOf(typeof(Services.LearningSwitch)), VerilogOf(woven));
    }

    /// <summary>The words that a controller writes are 0 at first: a reset needs no copy of its memory.</summary>
    [Fact]
    public void A_reset_leaves_the_directory_of_variables_alone() =>
        Assert.DoesNotContain(
            "memory_words_at_reset", VerilogOf(_woven.Load(typeof(Services.LearningSwitch), "print:Forwarded")));

    /// <summary>A label, <c>Direction.Point</c>, is in neither code nor circuit.</summary>
    [Theory]
    [InlineData(OptimizationLevel.Debug)]
    [InlineData(OptimizationLevel.Release)]
    public void A_label_costs_nothing_where_it_is_not_woven(OptimizationLevel level)
    {
        string Verilog(string label)
        {
            var assembly = SourceAssembly.Load(SourceAssembly.Parse(
                "Labelled", level,
                [("Labelled.cs", $$"""
                    public sealed class Labelled : Service
                    {
                        public override void Process(ref Frame frame)
                        {
                            if (frame.Bytes[13] == 1) { {{label}} frame.Reply(); }
                        }
                    }
                    """)]));
            return VerilogOf((Service)Activator.CreateInstance(assembly.GetType("Labelled")!)!);
        }

        Assert.Equal(Verilog(""), Verilog("Direction.Point(\"one\");"));
    }

    [Fact]
    public void Variables_have_the_names_that_they_have_in_CSharp()
    {
        using var module = ModuleDefinition.ReadModule(typeof(Services.LearningSwitch).Assembly.Location);
        var variables = StateVariables.Of(module.GetType(typeof(Services.LearningSwitch).FullName));
        Assert.Equal(
            [
                "Stations[].Key", "Stations[].Value", "Stations[].Expiry", "Stations[].IsPermanent",
                "Stations._lifetime", "Stations._nanosecondsPerTick", "Stations._turn", "Stations.Capacity",
                "Forwarded", "Flooded", "Reserved",
            ],
            variables.Select(variable => variable.Name));
        Assert.Equal(
            ["Stations._lifetime", "Stations._nanosecondsPerTick", "Stations.Capacity"],
            variables.Where(variable => !variable.IsAssigned).Select(variable => variable.Name));
    }

    /// <summary>It makes no difference in which class a variable is assigned, and through what.</summary>
    [Fact]
    public void What_another_class_or_a_view_assigns_can_be_set()
    {
        using var module = ModuleDefinition.ReadModule(typeof(OwnedService).Assembly.Location);
        var variables = StateVariables.Of(module.GetType(typeof(OwnedService).FullName));
        Assert.Equal(
            ["_fixed[]", "_part.Limit", "_read[]"],
            variables.Where(variable => !variable.IsAssigned).Select(variable => variable.Name).Order());
        Assert.Equal(
            ["_filled[]", "_named", "_part.Level", "_viewed[]"],
            variables.Where(variable => variable.IsAssigned).Select(variable => variable.Name).Order());
    }

    /// <summary>Of a name that a service and its host have, the service's counter has it, as in a run.</summary>
    [Fact]
    public void A_counter_of_a_family_gives_way_to_one_of_the_service()
    {
        using var module = ModuleDefinition.ReadModule(typeof(NamesakeService).Assembly.Location);
        var variables = StateVariables.Of(module.GetType(typeof(NamesakeService).FullName))
            .ToDictionary(variable => variable.Name, variable => variable.Path.Count);
        Assert.True(variables["Malformed"] < variables["Host.Malformed"]);
        Assert.Contains("BadChecksum", variables.Keys);
        Assert.DoesNotContain("Host.BadChecksum", variables.Keys);
    }

    [Theory]
    [InlineData("print,draw", "unknown feature 'draw'")]
    [InlineData("print:Stations[].Kee", "LearningSwitch has no variable Stations[].Kee: there are Stations[].Key")]
    [InlineData("break:LearningSwitch.cs:1", "no code begins on this line; in LearningSwitch.cs it does on")]
    [InlineData("watch:Forwarde", "LearningSwitch has no writes of Forwarde: there are writes Forwarded")]
    [InlineData("status:Forwarded", "'status:Forwarded': status has no name")]
    [InlineData("set:Forwarded+Flooded", "names behind '+' are for conditions, which set has not")]
    public void Features_that_are_not_there_are_refused(string features, string message) =>
        Assert.Contains(
            message,
            Assert.Throws<WeaveException>(() => _woven.Load(typeof(Services.LearningSwitch), features)).Message);

    [Fact]
    public void A_woven_assembly_is_refused()
    {
        _woven.Load(typeof(Services.LearningSwitch), "print");
        Refused(Path.Combine(_woven.Folder, "LearningSwitch.dll"), "is woven already");
    }

    [Fact]
    public void An_assembly_without_a_PDB_is_refused()
    {
        var copy = Path.Combine(_woven.Folder, "LearningSwitch.dll");
        File.Copy(typeof(Services.LearningSwitch).Assembly.Location, copy);
        Refused(copy, "has no PDB");
    }

    [Fact]
    public void A_signed_assembly_is_refused()
    {
        var copy = Path.Combine(_woven.Folder, "LearningSwitch.dll");
        using (var module = ModuleDefinition.ReadModule(
            typeof(Services.LearningSwitch).Assembly.Location, new ReaderParameters { ReadSymbols = true }))
        {
            module.Assembly.Name.PublicKey = new byte[160];
            module.Write(copy, new WriterParameters { WriteSymbols = true });
        }
        Refused(copy, "is signed");
    }

    [Fact]
    public void What_is_no_assembly_is_refused()
    {
        var file = Path.Combine(_woven.Folder, "Text.dll");
        File.WriteAllText(file, "text");
        Refused(file, "is no .NET assembly");
    }

    [Fact]
    public void A_service_without_an_address_needs_one()
    {
        var options = new WeaveOptions(DirectionFeatures.Parse("print"), DirectedCounter.Key, null);
        var refusal = Assert.Throws<WeaveException>(() => ServiceWeaver.Weave(
            typeof(Services.LearningSwitch).Assembly.Location, typeof(Services.LearningSwitch).FullName!,
            _woven.Folder, options));
        Assert.Contains("--direct-address", refusal.Message);
    }

    [Fact]
    public void A_circuit_shows_nothing_of_what_is_woven_in_but_counters()
    {
        var woven = _woven.Load(typeof(Services.LearningSwitch), "count:writes Forwarded");
        var shown = HardwareCompiler.Compile(Construct(woven, typeof(Services.LearningSwitch)), new HardwareOptions())
            .Circuit.Registers.Select(register => register.Name).ToList();
        Assert.Contains("Forwarded.Value", shown);
        Assert.Contains("Stations.turn", shown);
        Assert.Equal(
            [
                "DirectionController.Done", "DirectionController.Limited", "DirectionController.Refused",
                "DirectionController.Unauthenticated",
            ],
            shown.Where(name => name.StartsWith("Direction", StringComparison.Ordinal)
                && !name.EndsWith(".high", StringComparison.Ordinal)));
    }

    internal static Type Find(string name) =>
        s_services.Select(type => type.Assembly.GetType(name)).First(type => type is not null)!;

    /// <summary>Constructs a service, or a woven one, as the example of the service says.</summary>
    internal static Service Construct(Type type, Type service)
    {
        var arguments = new ServiceArguments(service);
        return new ServiceArguments(type).Construct(arguments.Example.Length > 0 ? arguments.ExampleArguments : []);
    }

    private static string VerilogOf(Type type) => VerilogOf(Construct(type, typeof(Services.LearningSwitch)));

    private static string VerilogOf(Service service) =>
        HardwareCompiler.Compile(service, new HardwareOptions()).Verilog;

    private void Refused(string assembly, string message)
    {
        var options = new WeaveOptions(
            DirectionFeatures.Parse("print"), DirectedCounter.Key, DirectedCounter.Address);
        var refusal = Assert.Throws<WeaveException>(() => ServiceWeaver.Weave(
            assembly, typeof(Services.LearningSwitch).FullName!, Path.Combine(_woven.Folder, "out"), options));
        Assert.Contains(message, refusal.Message);
        Assert.DoesNotContain('\n', refusal.Message);
    }
}
