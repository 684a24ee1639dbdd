namespace Emu.Protocols;

/// <summary>Sends the echo replies of an <see cref="IPHost"/>: where they are counted, or limited.</summary>
public interface IEchoApplication
{
    /// <summary>Sends a reply by the verdict on its frame; without one it is dropped.</summary>
    /// <param name="reply">The frame, in which the request has been made its reply.</param>
    /// <param name="isIPv6">True if it is one of ICMPv6 (RFC 4443 §4.2), false for ICMP (RFC 792).</param>
    void Send(ref Frame reply, bool isIPv6);
}
