using Emu.Protocols;

namespace Emu.Services;

/// <summary>What is known of a packet before it is translated.</summary>
/// <param name="flow">Its ends; of an ICMP error those of the packet that it quotes, seen the way that the error goes.</param>
/// <param name="flags">Those of a TCP segment.</param>
/// <param name="isError">Whether it is an ICMP error.</param>
/// <param name="isFromInside">Where it comes from.</param>
/// <param name="isToInside">Where it goes: with <paramref name="isFromInside"/> it turns round here.</param>
internal readonly struct Arrival(Flow flow, TcpFlags flags, bool isError, bool isFromInside, bool isToInside)
{
    public Flow Flow { get; } = flow;

    public TcpFlags Flags { get; } = flags;

    public bool IsError { get; } = isError;

    public bool IsFromInside { get; } = isFromInside;

    public bool IsToInside { get; } = isToInside;

    /// <summary>Whether it makes a mapping where there is none: an error (RFC 5508 §3.2) or a reset does not.</summary>
    public bool MayBegin => !IsError && (Flags & TcpFlags.Rst) == 0;
}
