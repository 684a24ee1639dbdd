namespace Emu.Compiler.Devices;

/// <summary>A data file of a family that is another one with all delays scaled.</summary>
/// <param name="Name">The name on the command line.</param>
/// <param name="Title">The name to people.</param>
/// <param name="Base">The family whose delays are scaled.</param>
/// <param name="Factor">The factor of all delays.</param>
/// <param name="Source">Where the factor is from.</param>
internal sealed record ScaledDevice(string Name, string Title, string Base, double Factor, string Source);
