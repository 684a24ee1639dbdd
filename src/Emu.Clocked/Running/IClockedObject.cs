namespace Emu.Clocked;

/// <summary>Something whose writes are seen by other threads only behind the clock edge.</summary>
public interface IClockedObject
{
    /// <summary>The edge: what was written is seen.</summary>
    void Commit();
}
