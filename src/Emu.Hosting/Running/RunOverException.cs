namespace Emu.Hosting;

/// <summary>No frame will come any more, so an event that waits for one does not end.</summary>
/// <param name="message">The reason.</param>
public sealed class RunOverException(string message) : InvalidOperationException(message);
