using Emu.Compiler.IR;
using Emu.Compiler.Rewriting;
using Emu.Compiler.Rtl;

namespace Emu.Compiler.Scheduling;

/// <summary>
/// What the frame some stages ahead writes to a memory, as a frame sees it that may have read before that was written. Values stand for it until the
/// schedule says in which stage each is looked at.
/// </summary>
internal sealed class WriteAhead
{
    /// <summary>Makes the values that stand for a write.</summary>
    /// <param name="memory">What is written.</param>
    /// <param name="distance">How many stages ahead the frame is.</param>
    /// <param name="update">What every frame writes: what is constant in it needs nothing that stands for it.</param>
    /// <param name="addressWidth">Of the memory's RAM, in bits.</param>
    /// <param name="width">Of the RAM's words, in bits.</param>
    /// <param name="isOutsideLoop">Whether the data come from nothing that depends on what the memory held.</param>
    public WriteAhead(Memory memory, int distance, MemoryUpdate update, int addressWidth, int width, bool isOutsideLoop)
    {
        (Memory, Distance, IsOutsideLoop) = (memory, distance, isOutsideLoop);
        Happens = StandIn("written", 1);
        Address = update.Index is Constant index ? new Constant(addressWidth, index.Bits) : StandIn("index", addressWidth);
        Data = update.Data is Constant data ? new Constant(width, data.Bits) : StandIn("data", width);
    }

    /// <summary>What is written.</summary>
    public Memory Memory { get; }

    /// <summary>How many stages ahead the frame is.</summary>
    public int Distance { get; }

    /// <summary>Whether an operation on the data may be done before it is known whether these data count.</summary>
    public bool IsOutsideLoop { get; }

    /// <summary>Whether there is such a frame and it writes; of width 1.</summary>
    public Value Happens { get; }

    /// <summary>Where.</summary>
    public Value Address { get; }

    /// <summary>What; in the bits that the memory needs.</summary>
    public Value Data { get; }

    /// <summary>What is not constant.</summary>
    public IEnumerable<Wire> StandIns => new[] { Happens, Address, Data }.OfType<Wire>();

    private Wire StandIn(string what, int width) => new($"{Netlist.SnakeCase(Memory.Name)}_{what}_{Distance}_ahead", ValueFactory.Zero(width));
}
