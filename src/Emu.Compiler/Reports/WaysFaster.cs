namespace Emu.Compiler.Reports;

/// <summary>The advice for each cause that docs/layouts.md lists: a change for the author, and its cost.</summary>
public static class WaysFaster
{
    /// <summary>By words of the cause; the first that fits counts.</summary>
    private static readonly (string Cause, string Instead)[] s_ways =
    [
        ("periodic work runs between frames",
            "do it in Process when frame.Time says that it is due, if frames come often enough, or let no event wait"),
        ("places by one frame, and it has one write port",
            "write it once, behind the branches, with a value that these choose: a choice for each bit"),
        ("is called twice by one frame",
            "give the method what both calls ask for, so that one call does it; or two objects, a call each"),
        ("takes as long as it takes", "take a module of a fixed latency, which takes a call in every cycle"),
        ("decides which frames the slow path takes",
            "let what is rare be known from the header, and let a result choose between values only"),
        ("takes a call every", "take a module that takes a call in every cycle or two, or several objects"),
        ("how many bytes a checksum covers depends on another checksum",
            "compute both over lengths that the header says, and compare the sums afterwards"),
        ("a loop over the payload, or a checksum, depends on",
            "let the loop compare with constants or with the header, and use what it finds with the state behind it"),
        ("a loop goes over bytes that were", "go over the bytes first, and write or move them behind the loop"),
        ("bytes that a loop has written are", "move the bytes first, or write in the loop what is to be there"),
        ("bytes are moved to the back by a distance", "a distance of a few values is to be a branch for each"),
        ("bytes are moved by a distance that is computed, and by another", "take all bytes out by one Frame.Remove"),
        ("bytes are moved of a frame that was made anew", "write the bytes where they are to be"),
        ("bytes are looked at with which the frame may have been filled up", "look at them before it is filled up"),
        ("bytes that were written are moved by a distance", "write them behind the move, or where they do not move"),
        ("bytes are looked at that were moved by a distance", "look at them before they are moved"),
        ("bytes are looked at that may have been written", "look at them before they are written"),
        ("bytes that were written at an offset that is computed", "write what is at constant offsets first"),
        ("bytes are moved behind a write at an offset", "move them first, and write where they are then"),
        ("bytes that come of a table may be", "write them first, or behind the last byte that comes of the table"),
        ("bytes come of tables at more than", "choose index, place and length by branches, and copy at one place"),
        ("bytes come of a table that a frame writes",
            "write the table in the slow path alone: in a loop, or in a method that is [Cold]"),
        ("bytes come of a table where others", "let one service do one of the two, or copy the table byte by byte"),
        ("writes are at offsets that are computed", "write fewer bytes, or those at one place by one loop"),
        ("a header is longer than its least",
            "where such frames are common, compare the header's length with the few values that it has, and look "
            + "behind it in each branch: a choice of bytes for each"),
        ("a loop has no constant bound",
            "drop frames for which it would take many turns, or give it a constant bound, such as i < 8: each turn has "
            + "logic of its own"),
        ("a parser reads at a place that is not behind the last",
            "let it read forwards: each byte once, and none behind the frame's last"),
        ("at an offset that is computed",
            "choose the offset of up to four constants, by branches or ?: a choice of bytes for each read"),
        ("covers bytes that were moved or filled up",
            "write the checksum before the bytes are moved, or update it (RFC 1624)"),
        ("a copy is sent before the frame is cut", "send it before the move, or behind Resize"),
        ("a copy is sent that does not begin with", "send the frame from its first byte on"),
        ("more copies are sent than", "send equal copies by one Send to all their ports"),
        ("frames follow a deferred one",
            "let the first two beats of a frame say whether it is deferred, or take a longer --interval"),
        ("an event waits for a frame", "only frames that wait go the slow path: let few of them"),
        ("is marked as cold", "take [Cold] away where such frames are common: all frames then have its logic"),
        ("bytes are moved in more than", "let fewer conditions decide by how many bytes the frame's bytes move"),
        ("bytes are moved behind more than", "move what is behind a header, and not what is far behind it"),
        ("not all up to the frame's end", "move all bytes up to the frame's end; what is left over is cut by Resize"),
        ("it is not cut behind them", "cut the frame by Resize behind the bytes that were moved"),
        ("is read before it is cut", "read before the move, or behind Resize"),
        ("changes its length again", "give it its last length at once"),
        ("or more cycles after it is read,",
            "let what is written depend on less of what was read: a comparison beside the sum, not behind it; a longer "
            + "--interval has time for it"),
        ("has written there, and more than",
            "ask by --interval for it, which costs a comparison and a choice for each bit; or keep fewer bits in an "
            + "entry"),
        ("waits until that has written",
            "only frames that meet in a row wait: spread them, by more rows or a better hash; or let what is written "
            + "depend on less of what was read"),
        ("the time is divided", "use frame.Time >> 30 where about a second will do: bits cost nothing"),
        ("one more engine",
            "ask for it by --engines, or by --lut for as many as line rate needs and LUTs are there"),
        ("engines work on several",
            "let frames share what is only added to, a Counter or a field with +=, and the service can have several "
            + "engines (--engines)"),
        ("one frame at a time",
            "only a pipeline works on several: see why there is none, or take a turn of the longest loop away"),
        ("a pipeline takes",
            "nothing: the engine is the faster for these frames; should others be common, give a capture with them by "
            + "--frames, or ask for --layout pipeline"),
        ("an engine takes",
            "nothing: the pipeline is the faster for these frames, so what bounds it stands beside this"),
        ("the bus", "a wider bus (--bus) takes more bytes a cycle"),
    ];

    /// <summary>The advice for a cause; null where there is none.</summary>
    public static string? For(string cause) =>
        s_ways.FirstOrDefault(way => cause.Contains(way.Cause, StringComparison.Ordinal)).Instead;
}
