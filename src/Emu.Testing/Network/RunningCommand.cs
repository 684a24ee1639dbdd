using System.Diagnostics;
using System.Text;

namespace Emu.Testing;

/// <summary>
/// A command in the background, in a process group of its own, with all that it has printed.
/// Safe for use by several threads.
/// </summary>
public sealed class RunningCommand : IDisposable
{
    /// <summary>The limit of a wait: for what hangs, and not for what is slow on a busy machine.</summary>
    internal static readonly TimeSpan DefaultTimeout = TimeSpan.FromMinutes(10);

    /// <summary>The wait for the last words of a command ended by force: others may hold its output open.</summary>
    private static readonly TimeSpan s_lastWords = TimeSpan.FromSeconds(2);

    private readonly Process _process;
    private readonly string _command;
    private readonly Lock _lock = new();
    private readonly List<string> _lines = [];
    private readonly StringBuilder _output = new();
    private readonly StringBuilder _error = new();
    private int _openStreams = 2;
    private bool _disposed;

    private RunningCommand(Process process, string command)
    {
        _process = process;
        _command = command;
        process.OutputDataReceived += (_, e) => Collect(_output, e.Data);
        process.ErrorDataReceived += (_, e) => Collect(_error, e.Data);
        process.Start();
        process.StandardInput.Close();
        process.BeginOutputReadLine();
        process.BeginErrorReadLine();
    }

    /// <summary>The process, which leads its group.</summary>
    public int ProcessId => _process.Id;

    /// <summary>True if it has ended.</summary>
    public bool HasExited => _process.HasExited;

    /// <summary>The standard output so far, in whole lines.</summary>
    public string Output { get { lock (_lock) return _output.ToString(); } }

    /// <summary>The standard error so far, in whole lines.</summary>
    public string Error { get { lock (_lock) return _error.ToString(); } }

    /// <summary>
    /// Waits until it has printed a line that starts with <paramref name="start"/>, on either stream.
    /// </summary>
    /// <param name="start">Compared by code, case included.</param>
    /// <param name="timeout">10 minutes when left out.</param>
    /// <param name="cancellationToken">Ends the wait; the command goes on.</param>
    /// <returns>The line.</returns>
    /// <exception cref="TestFailedException">
    /// It has ended without, or <paramref name="timeout"/> has passed.
    /// </exception>
    public string WaitForLine(string start, TimeSpan? timeout = null, CancellationToken cancellationToken = default)
    {
        string? found = null;
        Wait.Until(() => (found = Find(start)) is not null || IsOver, timeout ?? DefaultTimeout, cancellationToken);
        return found ?? Find(start) ?? throw Failed(IsOver
            ? $"ended with exit code {_process.ExitCode} before it printed a line that starts with '{start}'"
            : $"printed no line that starts with '{start}' in time");
    }

    /// <summary>
    /// Waits until it has ended; ends it by force if that takes longer than <paramref name="timeout"/>.
    /// </summary>
    /// <param name="timeout">10 minutes when left out.</param>
    /// <param name="cancellationToken">Ends the wait, and the command by force.</param>
    /// <exception cref="TestFailedException"><paramref name="timeout"/> has passed.</exception>
    /// <exception cref="OperationCanceledException"><paramref name="cancellationToken"/> asked for it.</exception>
    public CommandResult WaitForExit(TimeSpan? timeout = null, CancellationToken cancellationToken = default)
    {
        try
        {
            if (Wait.Until(() => IsOver, timeout ?? DefaultTimeout, cancellationToken)) return Result;
        }
        catch (OperationCanceledException)
        {
            Kill();
            throw;
        }
        Kill();
        throw Failed($"took longer than {(timeout ?? DefaultTimeout).TotalSeconds} s and was ended by force");
    }

    /// <summary>
    /// Asks it to end as Ctrl-C does, and ends it by force if it has not after <paramref name="grace"/>.
    /// </summary>
    /// <param name="grace">10 minutes when left out.</param>
    public CommandResult Stop(TimeSpan? grace = null)
    {
        if (!_process.HasExited) _ = Libc.Kill(-_process.Id, Libc.Interrupt);
        if (!Wait.Until(() => IsOver, grace ?? DefaultTimeout)) Kill();
        return Result;
    }

    /// <summary>Ends it by force, with all of its process group, if it has not ended yet.</summary>
    public void Dispose()
    {
        if (_disposed) return;
        _disposed = true;
        if (!IsOver) Kill();
        _process.Dispose();
    }

    /// <summary>
    /// Starts a command as the leader of a new session, so that Ctrl-C in a terminal reaches only the
    /// owner, which then decides.
    /// </summary>
    /// <exception cref="TestFailedException">It cannot be started.</exception>
    internal static RunningCommand Start(string program, IEnumerable<string> arguments)
    {
        string[] line = [program, .. arguments];
        // A job in the background of a script ignores Ctrl-C, and so would all that it starts.
        var information = new ProcessStartInfo("setsid", ["env", "--default-signal=INT", .. line])
        {
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        var text = string.Join(' ', line);
        try
        {
            return new RunningCommand(new Process { StartInfo = information }, text);
        }
        catch (System.ComponentModel.Win32Exception e)
        {
            throw new TestFailedException($"'{text}' cannot be started: {e.Message}");
        }
    }

    /// <summary>
    /// Ended, and all that it printed has been read: the streams may outlast the process in its children.
    /// </summary>
    private bool IsOver => _process.HasExited && Volatile.Read(ref _openStreams) == 0;

    private CommandResult Result => new(_command, _process.ExitCode, Output, Error);

    private void Collect(StringBuilder text, string? line)
    {
        lock (_lock)
        {
            if (line is null)
            {
                _openStreams--;
                return;
            }
            text.Append(line).Append('\n');
            _lines.Add(line);
        }
    }

    private string? Find(string start)
    {
        lock (_lock) return _lines.Find(line => line.StartsWith(start, StringComparison.Ordinal));
    }

    /// <summary>
    /// The group too: a number stays taken for as long as its group has a member,
    /// so the children that hold the streams are met.
    /// </summary>
    private void Kill()
    {
        _ = Libc.Kill(-_process.Id, Libc.ForceKill);
        _process.Kill();
        if (!_process.WaitForExit(DefaultTimeout)) throw Failed("cannot be ended, not even by force");
        Wait.Until(() => IsOver, s_lastWords);
    }

    private TestFailedException Failed(string what) => new($"'{_command}' {what}\n{Output}{Error}".TrimEnd());
}
