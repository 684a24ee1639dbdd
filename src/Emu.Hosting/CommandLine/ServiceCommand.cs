using System.CommandLine;

namespace Emu.Hosting;

/// <summary>
/// The command line of a service that is a program of its own: <c>return ServiceCommand.Run&lt;MyService&gt;(args);</c>
/// </summary>
public static class ServiceCommand
{
    /// <summary>
    /// Runs a service as the command line says: the options of <c>emu run</c>, then <c>--</c>,
    /// then the service's arguments.
    /// </summary>
    /// <returns>The exit code: 0 done; 1 it did not work out; 2 wrong use.</returns>
    public static int Run<TService>(string[] args)
        where TService : Service
    {
        var (own, service) = CommandLine.Split(args);
        return CommandLine.Invoke(() => Create(typeof(TService), service), own);
    }

    private static RootCommand Create(Type type, string[] serviceArguments)
    {
        var run = new RunCommand();
        var command = new RootCommand(RunCommand.Description(type));
        run.AddTo(command);
        command.SetAction(parsed => run.Execute(parsed, type, serviceArguments));
        return command;
    }
}
