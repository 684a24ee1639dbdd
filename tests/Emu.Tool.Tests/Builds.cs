namespace Emu.Tool.Tests;

/// <summary>
/// Tests that build projects of the repository: one after the other, since they write the same files.
/// </summary>
[CollectionDefinition(nameof(Builds))]
public sealed class Builds;
