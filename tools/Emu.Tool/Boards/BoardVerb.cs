using System.CommandLine;
using Emu.Compiler;
using Emu.Compiler.Devices;
using Emu.Compiler.Layouts;
using Emu.Hosting;

namespace Emu.Tool;

/// <summary><c>emu board</c></summary>
internal static class BoardVerb
{
    private const string Name = "board";

    private static readonly Option<string?> s_board =
        new("--board") { Description = "The board or shell: --list has them", HelpName = "BOARD" };

    private static readonly Option<string?> s_out =
        new("--out") { Description = "The folder of the project (build/BOARD-SERVICE)", HelpName = "DIR" };

    private static readonly Option<bool> s_list = new("--list")
    {
        Description = "List the boards, the shells' commits and versions of Vivado they are for, and what was checked",
    };

    private static readonly Option<int?> s_ports =
        HardwareArguments.Number("--ports", "Ports of the service; the board's own number when left out", "N");

    private static readonly Option<int> s_mtu = HardwareArguments.Number(
        "--mtu", $"The most bytes behind an Ethernet header, up to {FrameLength.MaxMtu}", "BYTES",
        FrameLength.DefaultMtu);

    private static readonly Option<bool> s_overClock = new("--over-clock")
    {
        Description = "Write the project also where the estimate says that the board's clock is too fast for the logic",
    };

    private static readonly Option<bool> s_example =
        new("--example") { Description = "Use the example arguments of the service's documentation" };

    /// <summary>Makes the verb.</summary>
    /// <param name="own">The command line before <c>--</c>.</param>
    /// <param name="serviceArguments">The command line behind <c>--</c>.</param>
    public static Command Create(string[] own, string[] serviceArguments)
    {
        var service = new Argument<string?>("service")
        {
            Description = "A service's name (./emu list), or the path of your own project",
            HelpName = "SERVICE",
            Arity = ArgumentArity.ZeroOrOne,
        };
        const string What = "Write a whole project for a board. "
            + "Example: ./emu board LearningSwitch --board opennic --out build/card";
        // A service of these names is given by its path.
        var named = own is [_, BoardTestVerb.Name or BoardBuildVerb.Name, ..] ? [] : own;
        var verb = new Command(Name, ServiceHelp.Description(Name, What, named))
        {
            service, s_board, s_out, s_list, s_ports, s_mtu, s_overClock, s_example,
        };
        verb.Subcommands.Add(BoardTestVerb.Create());
        verb.Subcommands.Add(BoardBuildVerb.Create());
        verb.SetAction(parsed =>
        {
            if (parsed.GetValue(s_list)) List();
            else Write(parsed, parsed.GetValue(service), serviceArguments);
        });
        return verb;
    }

    /// <summary>A service compiled for a board.</summary>
    /// <param name="board">The board.</param>
    /// <param name="type">The service's class.</param>
    /// <param name="arguments">Its arguments.</param>
    /// <param name="ports">Ports of the service.</param>
    /// <param name="mtu">The most bytes behind an Ethernet header.</param>
    /// <exception cref="CommandException">The service does not compile, or the board has no such ports.</exception>
    public static CompiledService Compile(
        Board board, Type type, IReadOnlyList<string> arguments, int ports, int mtu)
    {
        if (!board.Ports.Contains(ports))
            throw CommandException.Failure(
                $"{board.Name} cannot carry {type.Name}: it has {string.Join(" or ", board.Ports)} ports, not {ports}");
        var options = new HardwareOptions
        {
            BusBits = board.BusBits,
            Ports = ports,
            Device = Device.Of(board.Device),
            ClockMHz = board.ClockMhz,
            Mtu = mtu,
        };
        var compiled = ServiceCompiler.Fastest(type, arguments, options, null, MeasuringFrames.For(arguments, null))
            .Fastest.Compiled;
        // A project is held to a run of the service, so its arguments have to say all of it.
        if (ServiceCompiler.Compile(type, arguments, compiled.Options, compiled.Layout).Verilog != compiled.Verilog)
            throw CommandException.Failure(
                $"{board.Name}: {type.Name} is another circuit each time that it is constructed with these arguments, "
                + "so no run could be held to the card: give it what it draws at random (TcpPing: --key)");
        return compiled;
    }

    private static void Write(ParseResult parsed, string? name, IReadOnlyList<string> given)
    {
        if (name is null)
            throw CommandException.Usage($"{Name}: name a service (./emu list), or the path of your own project");
        var board = BoardCatalog.Find(parsed.GetValue(s_board));
        var type = ServiceCatalog.Find(name);
        var arguments = parsed.GetValue(s_example) ? new ServiceArguments(type).ExampleArguments : given;
        var mtu = HardwareArguments.In("--mtu", parsed.GetValue(s_mtu), FrameLength.MinMtu, FrameLength.MaxMtu);
        var compiled = Compile(board, type, arguments, parsed.GetValue(s_ports) ?? board.Ports[0], mtu);
        var slow = CircuitWarnings.OfTiming(compiled.Circuit, compiled.Options).FirstOrDefault();
        if (slow is not null && !parsed.GetValue(s_overClock))
            throw CommandException.Failure(
                $"{board.Name} cannot carry {type.Name} at its clock: {slow.Number} {slow.File}:{slow.Line}: "
                + $"{slow.Message}; --over-clock writes the project all the same");

        var folder = parsed.GetValue(s_out) ?? Path.Combine("build", $"{board.Name}-{type.Name}");
        var project = new BoardProject(board, name, arguments, compiled);
        project.Write(folder);
        Console.Out.WriteLine(
            $"{type.Name} for {board.Name}: {project.Files.Count} files in {folder}; "
            + $"{folder}/README.md says how to go on");
        if (slow is not null) Console.Error.WriteLine($"emu: {slow.Number} {slow.File}:{slow.Line}: {slow.Message}");
    }

    private static void List()
    {
        foreach (var board in BoardCatalog.All)
        {
            var place = board.Commit is { } commit
                ? $"at {commit[..12]}"
                : $"(its repository is not open; read in {board.Copy})";
            var state = board.State.Count == 0 ? "nothing" : string.Join(", ", board.State);
            Console.Out.WriteLine($"{board.Name,-14} {board.Title}");
            Console.Out.WriteLine(
                $"{"",-14} {board.BusBits} bits at {board.ClockMhz} MHz, {string.Join(" or ", board.Ports)} ports; "
                + $"{board.Shell} {place}, "
                + $"Vivado {board.Vivado}");
            Console.Out.WriteLine($"{"",-14} checked: {state}; not built");
        }
    }
}
