namespace Emu.Compiler.Verilog;

/// <summary>A declared vector, and which of its bits something reads.</summary>
internal sealed class VerilogSignal(string name, int width)
{
    private readonly bool[] _isRead = new bool[width];

    public string Name { get; } = name;

    public int Width { get; } = width;

    /// <summary>Its bits from <paramref name="low"/> on, as an expression that is now printed.</summary>
    public string Read(int low, int count)
    {
        _isRead.AsSpan(low, count).Fill(true);
        return Bits(low, count);
    }

    /// <summary>The bits that nothing reads, as expressions, the highest first.</summary>
    public IEnumerable<string> Unread()
    {
        for (var end = Width; end > 0;)
        {
            var low = end;
            while (low > 0 && !_isRead[low - 1]) low--;
            if (low < end) yield return Bits(low, end - low);
            end = low - 1;
        }
    }

    /// <summary>The length of such an expression, at most.</summary>
    public int Length => Name.Length + 10;

    /// <summary>Its bits from <paramref name="low"/> on, which are not read by that.</summary>
    public string Bits(int low, int count) =>
        count == Width ? Name
        : count == 1 ? $"{Name}[{low}]"
        : $"{Name}[{low + count - 1}:{low}]";
}
