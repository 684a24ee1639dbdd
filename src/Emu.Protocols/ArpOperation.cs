namespace Emu.Protocols;

/// <summary>The operation of an ARP packet (RFC 826; IANA "ARP Parameters").</summary>
public enum ArpOperation : ushort
{
    /// <summary>Asks for the hardware address of the target protocol address.</summary>
    Request = 1,

    /// <summary>Answers such a question.</summary>
    Reply = 2,
}
