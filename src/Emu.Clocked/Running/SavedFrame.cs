namespace Emu.Clocked;

/// <summary>
/// The variables of a call that pauses, kept while the thread does not run. A woven program has a class derived from it
/// for each method.
/// </summary>
public abstract class SavedFrame
{
    /// <summary>The number of the call at which the method goes on.</summary>
    public int Place;
}
