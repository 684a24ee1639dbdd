using System.Diagnostics;
using Emu.Hosting;

namespace Emu.Tool;

/// <summary>
/// Constructs services that are to be compiled. A constructor may do anything: first it is called in a process of its
/// own, so that one that never ends, or takes its process with it, is told to the user as any other mistake.
/// </summary>
internal static class Construction
{
    /// <summary>The text that the process prints when all went well.</summary>
    public const string Done = "constructed";

    /// <summary>More than a large table takes on a busy machine: what takes longer hangs.</summary>
    private static readonly TimeSpan s_limit = TimeSpan.FromSeconds(60);

    /// <summary>Constructs a service.</summary>
    /// <param name="type">Its class.</param>
    /// <param name="arguments">The arguments behind <c>--</c>, or those of its example.</param>
    /// <exception cref="CommandException">
    /// The arguments are wrong, or the constructor fails, takes longer than the limit, or ends its process.
    /// </exception>
    public static Service Of(Type type, IReadOnlyList<string> arguments)
    {
        Try(type, arguments);
        return Call(type, arguments);
    }

    /// <summary>Calls the constructor in this process; what it prints is not the command's output.</summary>
    public static Service Call(Type type, IReadOnlyList<string> arguments)
    {
        var output = Console.Out;
        Console.SetOut(TextWriter.Null);
        try
        {
            return new ServiceArguments(type).Construct(arguments);
        }
        finally
        {
            Console.SetOut(output);
        }
    }

    private static void Try(Type type, IReadOnlyList<string> arguments)
    {
        string[] command =
        [
            typeof(Construction).Assembly.Location,
            ConstructVerb.Name,
            $"{type.Assembly.Location}:{type.Name}",
            "--",
            .. arguments,
        ];
        using var process = Process.Start(
            new ProcessStartInfo("dotnet", command)
            {
                RedirectStandardInput = true,
                RedirectStandardOutput = true,
                RedirectStandardError = true,
            })!;
        process.StandardInput.Close();
        var (output, error) = (process.StandardOutput.ReadToEndAsync(), process.StandardError.ReadToEndAsync());
        if (!process.WaitForExit(s_limit))
        {
            process.Kill(entireProcessTree: true);
            throw CommandException.Failure(
                $"{type.Name}: its constructor has not ended after {s_limit.TotalSeconds:0} seconds");
        }
        if (process.ExitCode == 0 && LastLine(output.Result) == Done) return;
        const string Prefix = "emu: ";
        throw LastLine(error.Result) is { } line && line.StartsWith(Prefix, StringComparison.Ordinal)
            ? new CommandException(process.ExitCode, line[Prefix.Length..])
            : CommandException.Failure(
                $"{type.Name}: its constructor has ended the process, with exit code "
                + $"{process.ExitCode}{Reason(error.Result)}");
    }

    private static string LastLine(string text) => text.TrimEnd().Split('\n')[^1];

    /// <summary>The first line of what the runtime says on a crash.</summary>
    private static string Reason(string error) =>
        error.TrimStart().Split('\n')[0].Trim() is { Length: > 0 } line ? $": {line}" : "";
}
