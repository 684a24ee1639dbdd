using Emu.Compiler.IR;
using Emu.Compiler.Rewriting;
using Emu.Compiler.Rtl;

namespace Emu.Compiler.Scheduling;

/// <summary>
/// A write to a memory by the frame some stages ahead, as seen by a frame that may have read before that write. Values
/// stand for it until the schedule says in which stage each is looked at.
/// </summary>
internal sealed class ForwardedWrite
{
    /// <summary>Makes the values that stand for a write.</summary>
    /// <param name="memory">The memory that is written.</param>
    /// <param name="distance">The number of stages that the other frame is ahead.</param>
    /// <param name="update">The write of every frame: its constant parts need no value that stands for them.</param>
    /// <param name="addressWidth">The address width of the memory's RAM, in bits.</param>
    /// <param name="width">The width of the RAM's words, in bits.</param>
    /// <param name="isOutsideLoop">True if the data do not depend on what the memory held.</param>
    public ForwardedWrite(
        Memory memory, int distance, MemoryUpdate update, int addressWidth, int width, bool isOutsideLoop)
    {
        (Memory, Distance, IsOutsideLoop) = (memory, distance, isOutsideLoop);
        Happens = StandIn("written", 1);
        Address = update.Index is Constant index
            ? new Constant(addressWidth, index.Bits)
            : StandIn("index", addressWidth);
        Data = update.Data is Constant data ? new Constant(width, data.Bits) : StandIn("data", width);
    }

    /// <summary>The memory that is written.</summary>
    public Memory Memory { get; }

    /// <summary>The number of stages that the other frame is ahead.</summary>
    public int Distance { get; }

    /// <summary>True if an operation on the data may be done before it is known whether these data count.</summary>
    public bool IsOutsideLoop { get; }

    /// <summary>True if there is such a frame and it writes; of width 1.</summary>
    public Value Happens { get; }

    /// <summary>The address that it writes.</summary>
    public Value Address { get; }

    /// <summary>The data that it writes, in the bits that the memory needs.</summary>
    public Value Data { get; }

    /// <summary>The parts that are not constant.</summary>
    public IEnumerable<Wire> StandIns => new[] { Happens, Address, Data }.OfType<Wire>();

    private Wire StandIn(string what, int width) =>
        new($"{Netlist.SnakeCase(Memory.Name)}_{what}_{Distance}_ahead", FoldingBuilder.Zero(width));
}
