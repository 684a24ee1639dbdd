namespace Emu.Testing;

/// <summary>
/// A failed test: a packet differs, a command failed or took too long, a network could not be made. The message is
/// written for the person who reads the test's report.
/// </summary>
/// <param name="message">The expected and the actual result; may have several lines.</param>
public sealed class TestFailedException(string message) : Exception(message);
