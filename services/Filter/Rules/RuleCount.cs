namespace Emu.Services;

/// <summary>
/// The packets that a rule has matched, or a policy has decided on, and their bytes, IP header included.
/// </summary>
internal sealed class RuleCount
{
    public ulong Packets { get; private set; }

    public ulong Bytes { get; private set; }

    public void Add(ulong bytes) => (Packets, Bytes) = (Packets + 1, Bytes + bytes);

    public void Set(ulong packets, ulong bytes) => (Packets, Bytes) = (packets, bytes);

    public void Clear() => Set(0, 0);

    /// <summary>As iptables-save writes it.</summary>
    public override string ToString() => $"[{Packets}:{Bytes}]";
}
