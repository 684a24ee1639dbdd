using System.Reflection;
using Emu.Clocked;
using Emu.Compiler.IR;

namespace Emu.Compiler.Frontend;

/// <summary>
/// The instructions of a program that its operations come from: those in front of which a pause is added, and those in
/// front of which one may be, since their code is soft wherever it is used.
/// </summary>
/// <param name="pauses">The pauses that are added.</param>
internal sealed class InstructionPlaces(IReadOnlyList<ScheduledPause> pauses)
{
    private readonly HashSet<(int Method, int Offset)> _pauses =
        [.. pauses.Where(p => p.Count == 1).Select(p => (p.Method, p.Offset))];

    private readonly HashSet<(int Method, int Offset)> _serial =
        [.. pauses.Where(p => p.Count > 1).Select(p => (p.Method, p.Offset))];

    private readonly Dictionary<(int Method, int Offset), int> _divisions = [];
    private readonly Dictionary<SourceLocation, (int Method, int Offset)> _places =
        new(ReferenceEqualityComparer.Instance);

    private readonly Dictionary<(int Method, int Offset), bool> _isSoft = [];

    /// <summary>True if a pause is added in front of an instruction.</summary>
    public bool HasPause(MethodBase method, int offset) => _pauses.Contains((method.MetadataToken, offset));

    /// <summary>Notes a division of numbers of so many bits; true if it is spread over cycles.</summary>
    public bool Divides(SourceLocation? location, int width)
    {
        if (location is null || !_places.TryGetValue(location, out var place)) return false;
        _divisions[place] = width;
        return _serial.Contains(place);
    }

    /// <summary>Notes the instruction that a location is of.</summary>
    public void Note(SourceLocation location, MethodBase method, int offset) =>
        _places[location] = (method.MetadataToken, offset);

    /// <summary>Notes how code is taken at one use of an instruction.</summary>
    public void Note(SourceLocation? location, bool isSoft)
    {
        if (PlaceOf(location) is { } place) _isSoft[place] = _isSoft.GetValueOrDefault(place, true) && isSoft;
    }

    /// <summary>
    /// The pause that can be added in front of an operation; null where its code is hard, or there is one already.
    /// </summary>
    /// <param name="location">The operation's.</param>
    /// <param name="reason">What does not fit without it.</param>
    public ScheduledPause? PauseAt(SourceLocation? location, string reason) =>
        PlaceOf(location) is { } place && _isSoft.GetValueOrDefault(place) && !_pauses.Contains(place)
            ? new ScheduledPause(place.Method, place.Offset, location!.Own.ToString(), reason)
            : null;

    /// <summary>
    /// The pauses over which a division can be spread; null where its code is hard, or that is no instruction of the
    /// program, but of what it calls.
    /// </summary>
    /// <param name="location">The division's.</param>
    /// <param name="reason">What does not fit without them.</param>
    public ScheduledPause? DivisionAt(SourceLocation? location, string reason) =>
        PlaceOf(location) is { } place && _isSoft.GetValueOrDefault(place) && !_serial.Contains(place)
        && _divisions.TryGetValue(place, out var width)
            ? new ScheduledPause(place.Method, place.Offset, location!.Own.ToString(), reason) { Count = width }
            : null;

    /// <summary>The instruction of the program itself, which may have called a library.</summary>
    private (int Method, int Offset)? PlaceOf(SourceLocation? location) =>
        location is not null && _places.TryGetValue(location.Own, out var place) ? place : null;
}
