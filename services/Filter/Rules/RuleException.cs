namespace Emu.Services;

/// <summary>
/// A rule or a command that is refused; the message says what is wrong with it and what to write instead.
/// </summary>
public sealed class RuleException : ArgumentException
{
    /// <param name="message">
    /// One sentence, without the place: whoever knows the file and the line puts them before it.
    /// </param>
    public RuleException(string message) : base(message)
    {
    }

    /// <summary>The same refusal, with where it was met.</summary>
    /// <param name="place">A file and a line, or an argument.</param>
    /// <param name="refused">Why.</param>
    public RuleException(string place, RuleException refused) : base($"{place}: {refused?.Message}", refused)
    {
    }
}
