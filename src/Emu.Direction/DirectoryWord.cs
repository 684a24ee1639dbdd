namespace Emu.Direction;

/// <summary>The words of a variable in the directory of a <see cref="ControllerMemory"/>.</summary>
internal enum DirectoryWord
{
    /// <summary>The hash of its name, and its number.</summary>
    Name,

    /// <summary>Its form, its width, its right to be written, and its elements, as in a packet.</summary>
    Shown,

    /// <summary>
    /// The parts of its name, with an empty one behind the last: their number, and the first pair of words.
    /// </summary>
    Parts,
}
