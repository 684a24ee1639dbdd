using System.CommandLine;
using Emu.Hosting;
using Emu.Tool;
using Spectre.Console;

if (Console.IsOutputRedirected)
{
    // Into a file or a pipe go plain lines.
    AnsiConsole.Profile.Capabilities.Ansi = false;
    AnsiConsole.Profile.Capabilities.ColorSystem = ColorSystem.NoColors;
    AnsiConsole.Profile.Width = 120;
}

OptionalAssemblies.Find();
var (own, service) = CommandLine.Split(args);
return CommandLine.Invoke(Create, own);

RootCommand Create()
{
    var root = new RootCommand(
        "Emu: network services as C# classes, on Linux interfaces, in Mininet and in hardware. Example: ./emu demo");
    root.Subcommands.Add(DemoVerb.Create());
    root.Subcommands.Add(TestVerb.Create());
    root.Subcommands.Add(BenchVerb.Create());
    root.Subcommands.Add(FuzzVerb.Create());
    root.Subcommands.Add(ListVerb.Create());
    root.Subcommands.Add(NewVerb.Create());
    root.Subcommands.Add(RunVerb.Create(own, service));
    root.Subcommands.Add(CompileVerb.Create(own, service));
    root.Subcommands.Add(CheckVerb.Create(own, service));
    root.Subcommands.Add(SimulateVerb.Create(own, service));
    root.Subcommands.Add(BoardVerb.Create(own, service));
    root.Subcommands.Add(RegistersVerb.Create());
    root.Subcommands.Add(WeaveVerb.Create());
    root.Subcommands.Add(DirectVerb.Create());
    root.Subcommands.Add(DapVerb.Create());
    root.Subcommands.Add(DoctorVerb.Create());
    root.Subcommands.Add(DocsVerb.Create());
    root.Subcommands.Add(CompletionVerb.Create());
    root.Subcommands.Add(ConstructVerb.Create(service));
    KnownValues.AddTo(root);
    return root;
}
