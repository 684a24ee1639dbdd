using Emu.Compiler.IR;
using Emu.Compiler.Refusals;

namespace Emu.Compiler.Frontend;

/// <summary>
/// Fields and elements that refer to one of several objects while a circuit runs: they hold the number of the object in
/// their set.
/// </summary>
internal sealed partial class Storage
{
    private PointsToSets Objects => thread!.Shared.Objects;

    private bool IsChoice(FieldLocation location, IReadOnlyList<int> path) =>
        thread is not null && Objects.Of(PointsToSets.KeyOf(location.Info, path)) is not null;

    /// <summary>True as well for elements of one of several arrays.</summary>
    private bool IsChoice(ElementLocation location, IReadOnlyList<int> path) =>
        thread is not null
        && (!location.Array.IsKnown || Objects.Of(PointsToSets.KeyOf((Array)location.Array.Target!, path)) is not null);

    private void NoteRead(string key, object owner, object? target)
    {
        if (thread is not null) Objects.Read(key, thread.Number, owner, target);
    }

    private Reference LoadChoice(FieldLocation location, IReadOnlyList<int> path)
    {
        var set = SetOf(location, path, []);
        var number = builder.Emit(
            Opcode.RegisterRead, PointsToSets.WidthOf(set), Choices(location, path, set), WithSelector(location.Owner));
        return Chosen(set, number);
    }

    private Reference LoadChoice(ElementLocation location, IReadOnlyList<int> path)
    {
        var set = SetOf(location, path, []);
        var number = builder.Emit(
            Opcode.MemoryRead, PointsToSets.WidthOf(set), Choices(location, path, set),
            WithSelector(location.Array, location.Index));
        return Chosen(set, number);
    }

    private static Reference Chosen(IReadOnlyList<object?> set, Value number) =>
        number is Constant { Bits: var known } && known < (UInt128)set.Count
            ? new Reference(set[(int)known])
            : new Reference([.. set], number).With([.. set]);

    private void StoreChoice(FieldLocation location, IReadOnlyList<int> path, Reference value)
    {
        var set = SetOf(location, path, value.Candidates);
        if (path.Count > 0 || location.Type.IsSubclassOf(typeof(Delegate))) NoteUnshared();
        builder.Emit(
            Opcode.RegisterWrite, 1, Choices(location, path, set),
            WithSelector(location.Owner, builder.NumberIn(set, value)));
    }

    private void StoreChoice(ElementLocation location, IReadOnlyList<int> path, Reference value)
    {
        var set = SetOf(location, path, value.Candidates);
        NoteUnshared();
        builder.Emit(
            Opcode.MemoryWrite, 1, Choices(location, path, set),
            WithSelector(location.Array, location.Index, builder.NumberIn(set, value)));
    }

    private void NoteUnshared()
    {
        if (thread!.HasPaused) Objects.Unshared ??= builder.Location;
    }

    /// <summary>The set of a field: with what its objects hold now, and what it is given.</summary>
    private IReadOnlyList<object?> SetOf(FieldLocation location, IReadOnlyList<int> path, IEnumerable<object?> given)
    {
        foreach (var owner in location.Owner.Candidates)
        {
            var now = Now(location, owner!, path);
            if (now is not null) state.Meet(owner!, Refusal.CleanName(location.Info.Name), now);
        }
        return Objects.With(
            PointsToSets.KeyOf(location.Info, path),
            location.Owner.Candidates.Select(owner => Now(location, owner!, path)).Concat(given));
    }

    /// <summary>The set of an array's elements likewise.</summary>
    private IReadOnlyList<object?> SetOf(ElementLocation location, IReadOnlyList<int> path, IEnumerable<object?> given)
    {
        foreach (var array in location.Array.Candidates.Cast<Array>())
            for (var i = 0; i < array.Length; i++) state.Meet(array, $"{i}", Now(array, i, path));
        return Objects.With(
            PointsToSets.KeyOf((Array)location.Array.Target!, path),
            location.Array.Candidates.Cast<Array>().SelectMany(array => Now(array, path)).Concat(given));
    }

    private List<StateElement> Choices(FieldLocation location, IReadOnlyList<int> path, IReadOnlyList<object?> set) =>
    [
        .. location.Owner.Candidates.Select(owner => state.Choice(
            owner!, location.Info, path, PointsToSets.WidthOf(set),
            PointsToSets.IndexOf(set, Now(location, owner!, path)))),
    ];

    private List<StateElement> Choices(ElementLocation location, IReadOnlyList<int> path, IReadOnlyList<object?> set) =>
    [
        .. location.Array.Candidates.Cast<Array>().Select(array => state.Choice(
            array, path, PointsToSets.WidthOf(set),
            Now(array, path).Select(target => PointsToSets.IndexOf(set, target)))),
    ];

    /// <summary>The object that a field refers to before the program begins.</summary>
    private static object? Now(FieldLocation location, object owner, IReadOnlyList<int> path) =>
        Target(Part(OfLive(location.Info.GetValue(owner), location.Info.FieldType), path));

    private static object? Now(Array array, int index, IReadOnlyList<int> path) =>
        Target(Part(OfLive(array.GetValue(index), array.GetType().GetElementType()!), path));

    private static IEnumerable<object?> Now(Array array, IReadOnlyList<int> path) =>
        Enumerable.Range(0, array.Length).Select(i => Now(array, i, path));

    private static object? Target(AbstractValue value) => ((Reference)value).Target;
}
