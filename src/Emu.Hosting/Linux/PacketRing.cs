namespace Emu.Hosting;

/// <summary>
/// The slots of one packet ring, which the kernel and this process hand each other by their status words.
/// </summary>
/// <param name="start">The first slot.</param>
/// <param name="slotLength">Bytes a slot.</param>
/// <param name="count">Slots, a power of two.</param>
internal sealed unsafe class PacketRing(byte* start, int slotLength, int count)
{
    private readonly byte* _start = start;

    /// <summary>The bytes of a slot, its header included.</summary>
    public int SlotLength => slotLength;

    /// <summary>The number of slots.</summary>
    public int Count => count;

    /// <summary>The slot at a position that counts up without end.</summary>
    public PacketSlot* this[ulong position] => (PacketSlot*)(_start + (nint)(position & (ulong)count - 1) * slotLength);

    /// <summary>The status; what the kernel wrote before it is seen after.</summary>
    public static uint Status(PacketSlot* slot) => Volatile.Read(ref slot->Status);

    /// <summary>Hands the slot over; what was written before is seen by the kernel.</summary>
    public static void SetStatus(PacketSlot* slot, uint status) => Volatile.Write(ref slot->Status, status);
}
