namespace Emu.Testing;

/// <summary>
/// What a test expected did not happen: a packet differs, a command failed or took too long, a network could not be made. The message
/// is written for the person who reads the test's report.
/// </summary>
/// <param name="message">What was expected and what happened; may have several lines.</param>
public sealed class TestFailedException(string message) : Exception(message);
