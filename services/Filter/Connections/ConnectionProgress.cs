namespace Emu.Services;

/// <summary>What has been seen of a connection.</summary>
[Flags]
internal enum ConnectionProgress : byte
{
    None = 0,

    /// <summary>A packet from the other side.</summary>
    Answered = 1,

    /// <summary>TCP: it began by a SYN; without, it was there before the filter was.</summary>
    BegunBySyn = 2,

    /// <summary>TCP: an answer to the answer, so that the handshake is over.</summary>
    Confirmed = 4,

    /// <summary>TCP: a FIN from the side that began it.</summary>
    FinFromFirst = 8,

    /// <summary>TCP: a FIN from the other.</summary>
    FinFromSecond = 16,

    /// <summary>TCP: a RST.</summary>
    Reset = 32,
}
