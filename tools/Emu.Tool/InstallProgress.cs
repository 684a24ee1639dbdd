namespace Emu.Tool;

/// <summary>
/// Shows how far an installation is, from the status lines of apt (<c>APT::Status-Fd</c>): on a terminal in one line,
/// which goes at the end; in a log a line for each quarter.
/// </summary>
/// <param name="output">The terminal or the log.</param>
/// <param name="isTerminal">True for a terminal.</param>
internal sealed class InstallProgress(TextWriter output, bool isTerminal)
{
    private const int Quarter = 25;

    private int _shown;
    private int _next = Quarter;

    /// <summary>
    /// Takes a line of apt: <c>pmstatus:PACKAGE:PERCENT:TEXT</c>, <c>dlstatus</c> alike; others are left.
    /// </summary>
    public void Read(string? line)
    {
        if (line?.Split(':', 4) is not [("pmstatus" or "dlstatus") and var stage, _, var share, var text]
            || !double.TryParse(share, out var percent))
            return;
        var what = stage == "dlstatus" ? "fetching" : "installing";
        if (isTerminal)
        {
            var shown = $"emu: {what}, {percent:0} %: {text}";
            output.Write($"\r{shown.PadRight(_shown)}");
            _shown = Math.Max(_shown, shown.Length);
        }
        else if (stage == "pmstatus" && percent >= _next)
        {
            output.WriteLine($"emu: installing, {percent:0} %");
            _next = (int)(percent / Quarter) * Quarter + Quarter;
        }
    }

    /// <summary>Takes the line away.</summary>
    public void End()
    {
        if (_shown > 0) output.Write($"\r{new string(' ', _shown)}\r");
        _shown = 0;
    }
}
