namespace Emu.Protocols;

/// <summary>A cursor over the options of an IPv4 header (RFC 791 §3.1), 40 steps at most.</summary>
/// <example><code>
/// var options = ip.Options;
/// while (options.MoveNext())
///     if (options.Type is IPv4OptionType.LooseSourceRoute or IPv4OptionType.StrictSourceRoute) frame.Drop();
/// </code></example>
public ref struct IPv4Options
{
    private OptionCursor _cursor;

    internal IPv4Options(Span<byte> options) => _cursor = new OptionCursor(options);

    /// <summary>
    /// The type of the option at the cursor; the end of the list before the first and behind the last.
    /// </summary>
    public readonly IPv4OptionType Type => (IPv4OptionType)_cursor.Type;

    /// <summary>
    /// The bytes of the option at the cursor, its own type and length bytes included; 0 where there is none.
    /// </summary>
    public readonly int Length => _cursor.Length;

    /// <summary>The whole option at the cursor, from which its pointer counts; empty where there is none.</summary>
    public readonly Span<byte> Bytes => _cursor.Option;

    /// <summary>The bytes behind the length byte of the option at the cursor; empty where there is none.</summary>
    public readonly Span<byte> Data => _cursor.Data;

    /// <summary>
    /// True if the walk has ended at an option whose length byte is missing, below 2 or beyond the header.
    /// </summary>
    public readonly bool IsMalformed => _cursor.IsMalformed;

    /// <summary>Goes on to the next option, no-operations included.</summary>
    /// <returns>True if there is one; false at the end of the list, of the header, or at a malformed option.</returns>
    public bool MoveNext() => _cursor.MoveNext();
}
