namespace Emu.Services;

/// <summary>The words behind an option that belong to it.</summary>
internal enum OptionValue
{
    None,

    /// <summary>One, which may hang on the option: <c>--dport=80</c>.</summary>
    Needed,

    /// <summary>One, if the next word is no option.</summary>
    Optional,
}
