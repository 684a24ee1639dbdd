namespace Emu.Tool;

/// <summary>The lines of a file of NetFPGA up to a barrier.</summary>
internal sealed class NetFpgaPart
{
    /// <summary>Beats, and the times that frames wait for.</summary>
    public List<string> Lines { get; } = [];

    /// <summary>Frames of these lines.</summary>
    public int Frames { get; set; }

    /// <summary>
    /// The frames that have to have left at the barrier since the one before, of the file's port; of registers' file,
    /// of each port.
    /// </summary>
    public List<int> Expected { get; } = [];

    /// <summary>Accesses to registers, in order; a read of expectations has its value.</summary>
    public List<RegisterAccess> Accesses { get; } = [];

    /// <summary>Those of them that are reads with values to expect.</summary>
    public List<RegisterAccess> Reads { get; } = [];
}
