namespace Emu.Direction.Weaving;

/// <summary>The direction that is woven into a service.</summary>
/// <param name="Features">The commands that it obeys.</param>
/// <param name="Key">The key that it shares with directors.</param>
/// <param name="Address">
/// The address of direction frames; null for the parameter <c>mac</c> of its constructor.
/// </param>
/// <param name="BootCount">Another number for each start, where targets can be told one.</param>
public sealed record WeaveOptions(DirectionFeatures Features, UInt128 Key, MacAddress? Address, uint BootCount = 0);
