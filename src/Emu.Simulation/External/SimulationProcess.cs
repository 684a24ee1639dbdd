using System.Diagnostics;
using System.Text;

namespace Emu.Simulation;

/// <summary>
/// A simulator that runs beside us: it answers each stimulus on its standard input with a response,
/// and ends with that input.
/// </summary>
internal sealed class SimulationProcess : IDisposable
{
    private static readonly TimeSpan s_longestAnswer = TimeSpan.FromMinutes(1);
    private static readonly TimeSpan s_longestEnd = TimeSpan.FromSeconds(10);

    private readonly Process _process;
    private readonly Task<string> _error;
    private readonly Timer _watch;
    private readonly string _name;
    private long _askedAt;

    public SimulationProcess(string name, string folder, string program, params IEnumerable<string> arguments)
    {
        _name = name;
        _process = OutsideTool.Start(folder, program, arguments);
        _error = _process.StandardError.ReadToEndAsync();
        _askedAt = Environment.TickCount64;
        _watch = new Timer(_ => EndIfSilent(), null, s_longestAnswer / 10, s_longestAnswer / 10);
    }

    /// <summary>Gives it a stimulus.</summary>
    public void Write(ReadOnlySpan<byte> stimulus)
    {
        Volatile.Write(ref _askedAt, Environment.TickCount64);
        try
        {
            var stream = _process.StandardInput.BaseStream;
            stream.Write(stimulus);
            stream.Flush();
        }
        catch (IOException)
        {
            throw Ended();
        }
    }

    /// <summary>Takes all up to a byte with which a text ends; gives what came before that text.</summary>
    public string ReadPast(byte last, string end = "")
    {
        Span<byte> next = stackalloc byte[1];
        var text = new List<byte>();
        while (true)
        {
            Read(next);
            if (next[0] != last || end.Length > 1 && !EndsWith(text, end)) text.Add(next[0]);
            else return Encoding.UTF8.GetString([.. text.Take(text.Count - Math.Max(0, end.Length - 1))]);
        }
    }

    private static bool EndsWith(List<byte> text, string end) =>
        text.Count >= end.Length - 1
        && text[^(end.Length - 1)..].SequenceEqual(Encoding.ASCII.GetBytes(end[..^1]));

    /// <summary>Takes all bytes of a response.</summary>
    public void Read(Span<byte> response)
    {
        for (var read = 0; read < response.Length;)
        {
            var count = _process.StandardOutput.BaseStream.Read(response[read..]);
            if (count == 0) throw Ended();
            read += count;
        }
        Volatile.Write(ref _askedAt, long.MaxValue);
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _watch.Dispose();
        try
        {
            _process.StandardInput.Close();
        }
        catch (IOException)
        {
            // It has ended already.
        }
        if (!_process.WaitForExit(s_longestEnd)) _process.Kill();
        _process.Dispose();
    }

    private void EndIfSilent()
    {
        if (Environment.TickCount64 - Volatile.Read(ref _askedAt) > s_longestAnswer.TotalMilliseconds) _process.Kill();
    }

    private SimulationException Ended()
    {
        var code = _process.WaitForExit(s_longestEnd) ? $" with exit code {_process.ExitCode}" : "";
        return new SimulationException(
            $"{_name} ended{code}:\n{OutsideTool.First(_error.Wait(s_longestEnd) ? _error.Result : "")}");
    }
}
