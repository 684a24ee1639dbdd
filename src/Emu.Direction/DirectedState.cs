namespace Emu.Direction;

/// <summary>The variables of a service, by their numbers; a class of its own for each service.</summary>
public abstract class DirectedState
{
    /// <summary>Reads an element, and has the controller show its bits.</summary>
    /// <remarks>
    /// Each variable is shown where it is read: a circuit has no register in which one of them stands first.
    /// </remarks>
    /// <param name="variable">The number of the variable, from 0.</param>
    /// <param name="index">The element; one that the variable has.</param>
    /// <param name="controller">The controller, whose <see cref="Controller.Show"/> takes the bits.</param>
    public abstract void Read(int variable, int index, Controller controller);

    /// <summary>Writes an element.</summary>
    /// <param name="variable">The number of a variable that may be written.</param>
    /// <param name="index">The element; one that the variable has.</param>
    /// <param name="bits">The bits, no more than the variable is wide.</param>
    /// <returns>False if the element cannot be that; it is then what it was.</returns>
    public abstract bool Write(int variable, int index, UInt128 bits);

    /// <summary>
    /// The elements of an array; of an array of arrays those of all, if each has as many. A woven service counts by it.
    /// </summary>
    public static int ElementsOf(Array? array) => array switch
    {
        null => 0,
        Array[] inner => inner.All(one => one is not null && one.Length == inner[0].Length)
            ? inner.Sum(one => one.Length)
            : 0,
        _ => array.Length,
    };
}
