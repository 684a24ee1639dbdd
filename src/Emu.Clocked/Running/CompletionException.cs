namespace Emu.Clocked;

/// <summary>Ends a thread that says that it is done, or has failed.</summary>
internal sealed class CompletionException : Exception;
