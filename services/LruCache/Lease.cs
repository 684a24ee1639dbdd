namespace Emu.Services;

/// <summary>A note of a request, kept until its answer comes.</summary>
/// <param name="Effect">What it does.</param>
/// <param name="Hash">The hash of its key.</param>
/// <param name="Version">The version of that key when it passed.</param>
internal readonly record struct Lease(Effect Effect, uint Hash, uint Version);
