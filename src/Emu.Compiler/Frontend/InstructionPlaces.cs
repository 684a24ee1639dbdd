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
    private readonly HashSet<(int Method, int Offset)> _pauses = [.. pauses.Select(p => (p.Method, p.Offset))];
    private readonly Dictionary<SourceLocation, (int Method, int Offset)> _places =
        new(ReferenceEqualityComparer.Instance);

    private readonly Dictionary<(int Method, int Offset), bool> _isSoft = [];

    /// <summary>True if a pause is added in front of an instruction.</summary>
    public bool HasPause(MethodBase method, int offset) => _pauses.Contains((method.MetadataToken, offset));

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

    /// <summary>The instruction of the program itself, which may have called a library.</summary>
    private (int Method, int Offset)? PlaceOf(SourceLocation? location) =>
        location is not null && _places.TryGetValue(location.Own, out var place) ? place : null;
}
