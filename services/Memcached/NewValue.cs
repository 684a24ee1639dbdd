namespace Emu.Services;

/// <summary>The value that a command makes, of its own and of the item that is there.</summary>
internal sealed class NewValue(StringCache cache)
{
    private readonly byte[] _bytes = new byte[2 * Items.MaxValueLength];
    private readonly Digits _digits = new();
    private int _length;

    /// <summary>The value put together last.</summary>
    public ReadOnlySpan<byte> Bytes => _bytes.AsSpan(0, _length);

    /// <summary>The number that the last increment or decrement made.</summary>
    public ulong Number { get; set; }

    /// <summary>Adds to an item that is a number, modulo 2⁶⁴, or takes from it, down to 0.</summary>
    /// <returns>False if it is no number.</returns>
    public bool TryCount(in Command command, int item)
    {
        var text = _bytes.AsSpan(0, cache.ValueLengthOf(item));
        cache.ReadValue(item, 0, text);
        var number = Services.Number.Read(text);
        if (!number.IsUnsigned) return false;
        var before = number.Unsigned;
        Number = command.Operation == Operation.Increment ? before + command.Delta
            : before > command.Delta ? before - command.Delta
            : 0;
        return true;
    }

    /// <summary>Puts the value together.</summary>
    /// <param name="operation">The operation.</param>
    /// <param name="given">The command's own value.</param>
    /// <param name="item">The item that is there, or none.</param>
    public void Compose(Operation operation, ReadOnlySpan<byte> given, int item)
    {
        var old = item == StringCache.None ? 0 : cache.ValueLengthOf(item);
        _length = old + given.Length;
        switch (operation)
        {
            case Operation.Append:
                cache.ReadValue(item, 0, _bytes.AsSpan(0, old));
                given.CopyTo(_bytes.AsSpan(old));
                break;
            case Operation.Prepend:
                given.CopyTo(_bytes);
                cache.ReadValue(item, 0, _bytes.AsSpan(given.Length, old));
                break;
            case Operation.Increment or Operation.Decrement:
                // A number that has got shorter keeps its length, by blanks behind it.
                _digits.Write(Number);
                _length = Math.Max(old, _digits.Length);
                _bytes.AsSpan(0, _length).Fill((byte)' ');
                _digits.Text.CopyTo(_bytes);
                break;
            default:
                given.CopyTo(_bytes);
                _length = given.Length;
                break;
        }
    }
}
