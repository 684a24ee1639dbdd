using System.Collections;

namespace Emu.Compiler.IR;

/// <summary>The blocks at which a block may go on: none, one or two, without a list of them.</summary>
/// <param name="first">The first; null for none.</param>
/// <param name="second">The second; null for none.</param>
public readonly struct Successors(Block? first, Block? second = null) : IReadOnlyList<Block>
{
    private readonly Block? _first = first;
    private readonly Block? _second = second;

    /// <inheritdoc/>
    public int Count => _first is null ? 0 : _second is null ? 1 : 2;

    /// <inheritdoc/>
    public Block this[int index] =>
        (index == 0 ? _first : index == 1 ? _second : null) ?? throw new ArgumentOutOfRangeException(nameof(index));

    /// <summary>True if a block is one of them.</summary>
    public bool Contains(Block block) => block is not null && (block == _first || block == _second);

    /// <summary>Goes over them.</summary>
    public Enumerator GetEnumerator() => new(this);

    /// <summary>One of them; null behind the last.</summary>
    internal Block? At(int index) => index switch { 0 => _first, 1 => _second, _ => null };

    IEnumerator<Block> IEnumerable<Block>.GetEnumerator()
    {
        if (_first is not null) yield return _first;
        if (_second is not null) yield return _second;
    }

    IEnumerator IEnumerable.GetEnumerator() => ((IEnumerable<Block>)this).GetEnumerator();

    /// <summary>Goes over the blocks.</summary>
    /// <param name="successors">The blocks.</param>
    public struct Enumerator(Successors successors)
    {
        private int _next;

        /// <summary>The block at which it is.</summary>
        public readonly Block Current => successors.At(_next - 1)!;

        /// <summary>Goes on; false behind the last.</summary>
        public bool MoveNext() => successors.At(_next++) is not null;
    }
}
