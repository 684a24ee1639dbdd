using Emu.Compiler.IR;

namespace Emu.Compiler.Passes;

/// <summary>The obstacles to a region's being the walk of a parser that can be cleared away.</summary>
internal readonly record struct ParseObstacle
{
    /// <summary>True if the blocks form a loop which no read at another place interrupts.</summary>
    public bool GoesRound { get; init; }

    /// <summary>True if what is used behind has more bits than a fold gives.</summary>
    public bool IsWide { get; init; }

    /// <summary>A step's first block and a read to which it leads that begins another walk.</summary>
    public (Block Root, Block To)? Anew { get; init; }

    /// <summary>A step's first block and a read to which it leads at its own place.</summary>
    public (Block Root, Block To)? Stays { get; init; }

    /// <summary>The obstacles of two forms of a turn; where both have one, that of the other.</summary>
    public ParseObstacle Or(ParseObstacle other) => new()
    {
        GoesRound = GoesRound || other.GoesRound,
        IsWide = IsWide || other.IsWide,
        Anew = other.Anew ?? Anew,
        Stays = other.Stays ?? Stays,
    };
}
