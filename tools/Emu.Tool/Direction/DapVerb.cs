using System.CommandLine;
using System.Net;
using System.Net.Sockets;
using Emu.Direction.Directing;
using Emu.Direction.Editing;
using Emu.Direction.Weaving;
using Emu.Hosting;

namespace Emu.Tool;

/// <summary><c>emu dap</c></summary>
internal static class DapVerb
{
    private static readonly Option<int?> s_listen = new("--listen")
    {
        Description = "Serve editors over TCP on the loopback address, one after another; 0 chooses a port",
        HelpName = "TCP-PORT",
    };

    /// <summary>Makes the verb.</summary>
    public static Command Create()
    {
        var verb = new Command(
            "dap",
            "Be the debug adapter of an editor, over stdin and stdout or over TCP: it attaches to a directed service "
            + "(docs/direction.md). Example: sudo ./emu dap --listen 4711")
        {
            s_listen,
        };
        s_listen.Validators.Add(result =>
        {
            // What is no number at all, the parser says.
            if (result.Tokens is [var token] && int.TryParse(token.Value, out var port)
                && port is < 0 or > IPEndPoint.MaxPort)
                result.AddError($"--listen: a TCP port from 0 to {IPEndPoint.MaxPort}");
        });
        verb.SetAction((parsed, cancel) => parsed.GetValue(s_listen) is { } port
            ? ListenAsync(port, cancel)
            : Task.FromResult(ServeStandardStreams()));
        return verb;
    }

    private static int ServeStandardStreams()
    {
        using var output = Console.OpenStandardOutput();
        // Standard output is for messages alone.
        Console.SetOut(Console.Error);
        if (new DebugAdapter(Console.OpenStandardInput(), output, Attach).Run() is { } why)
            throw CommandException.Failure($"dap: {why}");
        return 0;
    }

    private static async Task<int> ListenAsync(int port, CancellationToken cancel)
    {
        using var listener = new TcpListener(IPAddress.Loopback, port);
        try
        {
            listener.Start();
        }
        catch (SocketException exception)
        {
            throw CommandException.Failure($"--listen {port}: {exception.Message}");
        }
        Console.Out.WriteLine($"ready: editors are served at {listener.LocalEndpoint}");
        try
        {
            while (true)
            {
                using var client = await listener.AcceptTcpClientAsync(cancel);
                client.NoDelay = true;
                await using var stream = client.GetStream();
                await using var stop = cancel.Register(client.Close);
                var adapter = new DebugAdapter(stream, stream, Attach);
                if (await Task.Run(adapter.Run, CancellationToken.None) is { } why)
                    await Console.Error.WriteLineAsync($"dap: {why}");
            }
        }
        catch (OperationCanceledException)
        {
            return 0;
        }
    }

    private static DebugTarget Attach(AttachArguments arguments)
    {
        try
        {
            var key = DirectionArguments.ReadKey("key", arguments.Key);
            var to = DirectionArguments.ReadAddress("to", arguments.To);
            var type = ServiceCatalog.Find(arguments.Service);
            var source = SourceMap.Of(type.Assembly.Location, type.FullName!);
            var port = DirectVerb.OpenInterface("port", arguments.Port);
            var session = new DirectorSession(key, to, DirectVerb.Director, DirectVerb.NewSession);
            var link = new PortLink(port, PortLink.TriesFor(arguments.Timeout));
            return new DebugTarget(source, session, link, HostClock.Now, port);
        }
        catch (Exception exception) when (exception is CommandException or WeaveException)
        {
            throw new DebugAdapterException(exception.Message);
        }
    }
}
