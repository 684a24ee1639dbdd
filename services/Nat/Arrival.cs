using Emu.Protocols;

namespace Emu.Services;

/// <summary>The facts about a packet before it is translated.</summary>
/// <param name="flow">
/// Its ends; of an ICMP error those of the packet that it quotes, seen the way that the error goes.
/// </param>
/// <param name="flags">Those of a TCP segment.</param>
/// <param name="isError">True if it is an ICMP error.</param>
/// <param name="isFromInside">True if it comes from the inside.</param>
/// <param name="isToInside">True if it goes to the inside:
/// with <paramref name="isFromInside"/> it turns round here.</param>
internal readonly struct Arrival(Flow flow, TcpFlags flags, bool isError, bool isFromInside, bool isToInside)
{
    public Flow Flow { get; } = flow;

    public TcpFlags Flags { get; } = flags;

    public bool IsError { get; } = isError;

    public bool IsFromInside { get; } = isFromInside;

    public bool IsToInside { get; } = isToInside;

    /// <summary>True if it makes a mapping where there is none: an error (RFC 5508 §3.2) or a reset does not.</summary>
    public bool MayBegin => !IsError && (Flags & TcpFlags.Rst) == 0;
}
