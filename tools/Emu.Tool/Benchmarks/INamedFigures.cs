namespace Emu.Tool;

/// <summary>Figures of a circuit: fewer is better, of everything.</summary>
internal interface INamedFigures
{
    /// <summary>The name that tells it from others.</summary>
    string Name { get; }

    /// <summary>The figures by name.</summary>
    IEnumerable<(string Name, long? Value)> All { get; }
}
