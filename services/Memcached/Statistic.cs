namespace Emu.Services;

/// <summary>
/// The statistics that <c>stats</c> tells, in memcached's order and by its names: <c>cmd_get</c> is CmdGet here.
/// </summary>
internal enum Statistic : byte
{
    Time,
    Version,
    CmdGet,
    CmdSet,
    CmdFlush,
    CmdTouch,
    GetHits,
    GetMisses,
    DeleteMisses,
    DeleteHits,
    IncrMisses,
    IncrHits,
    DecrMisses,
    DecrHits,
    CasMisses,
    CasHits,
    CasBadval,
    TouchHits,
    TouchMisses,
    LimitMaxbytes,
    Bytes,
    CurrItems,
    TotalItems,
    Evictions,
}
