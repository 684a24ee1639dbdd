namespace Emu.Protocols;

/// <summary>
/// The frame of every answer from one address. The parts that all answers share have been added up: their checksums
/// are that sum and the rest.
/// </summary>
internal abstract class TcpReplyFrame
{
    /// <summary>True if it is one of IPv6.</summary>
    public abstract bool IsIPv6 { get; }

    /// <summary>Makes a frame the one that carries an answer, and replies with it.</summary>
    /// <param name="frame">The frame that is answered.</param>
    /// <param name="answer">The segment.</param>
    /// <param name="peer">The address that it goes to, as a number.</param>
    public abstract void Reply(ref Frame frame, TcpHeader answer, UInt128 peer);
}
