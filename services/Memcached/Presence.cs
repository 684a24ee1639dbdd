namespace Emu.Services;

/// <summary>Says if something has to be there.</summary>
internal enum Presence : byte
{
    Forbidden,
    Optional,
    Required,
}
