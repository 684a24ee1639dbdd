namespace Emu.Services;

/// <summary>Writes the answers of the text protocol.</summary>
internal sealed class TextAnswer(Items items, Message message)
{
    private readonly TextReplies _replies = new();
    private readonly Digits _digits = new();

    /// <summary>An outcome by its line; of an increment or a decrement, the new number.</summary>
    public void Append(Outcome outcome)
    {
        if (outcome == Outcome.Counted) AppendNumber(items.Number);
        message.Append(_replies[outcome]);
    }

    /// <summary>VALUE, key, flags, length and unique number; the value in a line of its own.</summary>
    public void AppendItem(ReadOnlySpan<byte> key, bool showsUnique)
    {
        var item = items.CurrentItem;
        message.Append("VALUE "u8);
        message.Append(key);
        AppendWord(item.Flags);
        AppendWord((uint)items.CurrentLength);
        if (showsUnique) AppendWord(item.Unique);
        message.Append("\r\n"u8);
        items.ReadValue(message.Extend(items.CurrentLength));
        message.Append("\r\n"u8);
    }

    private void AppendWord(ulong number)
    {
        message.Append((byte)' ');
        AppendNumber(number);
    }

    private void AppendNumber(ulong number)
    {
        _digits.Write(number);
        message.Append(_digits.Text);
    }
}
