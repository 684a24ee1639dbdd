namespace Emu.Protocols;

/// <summary>What an ARP packet does (RFC 826; IANA "ARP Parameters").</summary>
public enum ArpOperation : ushort
{
    /// <summary>Asks for the hardware address of the target protocol address.</summary>
    Request = 1,

    /// <summary>Answers such a question.</summary>
    Reply = 2,
}
