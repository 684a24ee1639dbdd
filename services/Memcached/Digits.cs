namespace Emu.Services;

/// <summary>Writes numbers in decimal.</summary>
internal sealed class Digits
{
    private const int MaxLength = 20;

    private readonly byte[] _digits = new byte[MaxLength];
    private int _start;

    /// <summary>The digits of the number written last.</summary>
    public ReadOnlySpan<byte> Text => _digits.AsSpan(_start, Length);

    /// <summary>Their number.</summary>
    public int Length => MaxLength - _start;

    public void Write(ulong number)
    {
        _start = MaxLength;
        do
        {
            _digits[--_start] = (byte)('0' + number % 10);
            number /= 10;
        }
        while (number != 0);
    }
}
