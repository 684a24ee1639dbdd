namespace Emu.Direction.Probes;

/// <summary>
/// An object that is woven in at the places of an event. It does nothing until direction packets have set it, and has
/// no loop, so that a circuit takes frames as fast with it as without.
/// </summary>
public abstract class Probe
{
    private protected Probe(int comparisons, uint[] names, bool[] areSigned) =>
        Condition = new Condition(comparisons, names, areSigned);

    /// <summary>
    /// Bits of a setting: all that a packet has, of which a setting takes those that it knows. So no width is checked.
    /// </summary>
    internal const int SettingWidth = 128;

    /// <summary>The settings of a probe whose condition may have a number of comparisons.</summary>
    internal static int SettingsWith(int comparisons) =>
        (int)ProbeSetting.Table + Condition.SettingsWith(comparisons);

    private protected Condition Condition { get; }

    /// <summary>True while it works. The service keeps it in a field of its own, and asks that first.</summary>
    public bool IsActive { get; private set; }

    /// <summary>Comes to a place of the event while it works.</summary>
    /// <param name="first">The value that is read or written, or the first of those that conditions name.</param>
    /// <param name="second">Another value that conditions name; 0 where there is none.</param>
    /// <param name="third">As <paramref name="second"/>.</param>
    /// <param name="fourth">As <paramref name="second"/>.</param>
    /// <returns>True if the service is to stop there.</returns>
    public abstract bool Pass(ulong first, ulong second, ulong third, ulong fourth);

    /// <summary>Changes a setting.</summary>
    /// <returns>False if it cannot be that; nothing has changed.</returns>
    public bool Write(int number, UInt128 bits)
    {
        // There are few, so that a circuit compares few bits.
        var setting = (ProbeSetting)(byte)number;
        if (setting >= ProbeSetting.Table) return Condition.Set(setting - ProbeSetting.Table, bits);
        if (setting == ProbeSetting.Active) IsActive = (bits & 1) != 0;
        else if (setting == ProbeSetting.Most) return Begin((uint)bits);
        else Clear();
        return true;
    }

    private protected abstract bool Begin(uint most);

    private protected abstract void Clear();
}
