using Emu.Compiler.Diagnostics;
using Emu.Compiler.Elaboration;
using Emu.Compiler.IR;
using Emu.Compiler.Metadata;
using Emu.Compiler.Refusals;

namespace Emu.Compiler.Frontend;

/// <summary>Reads and writes what pointers point to, and makes values of live objects.</summary>
internal sealed partial class Storage(SsaBuilder builder, StateMap state, ThreadContext? thread)
{
    /// <summary>The value of a type whose bits are all 0.</summary>
    public static AbstractValue Default(Type type)
    {
        if (Types.Width(type) is { } width) return new Scalar(new Constant(width, 0));
        if (Types.IsSpan(type)) return new SpanValue(null, true, new Constant(32, 0), new Constant(32, 0));
        if (!type.IsValueType) return new Reference((object?)null);
        var shape = StructShape.Of(type);
        return new Struct(shape, [
            .. shape.Parts.Select(part =>
                part.Type.IsByRef ? new Reference((object?)null) : Default(part.Type)),
        ]);
    }

    /// <summary>The compile-time form of a live value.</summary>
    public static AbstractValue OfLive(object? value, Type type)
    {
        if (Types.Width(type) is { } width) return new Scalar(new Constant(width, Types.Bits(value!)));
        if (!type.IsValueType) return new Reference(value);
        if (Types.IsSpan(type)) return Default(type);
        var shape = StructShape.Of(type);
        return new Struct(
            shape, [.. shape.Parts.Select(part => OfLive(part.Of(type, value), part.Type))]);
    }

    public AbstractValue Load(StorageLocation location)
    {
        switch (location)
        {
            case LocalLocation local:
                return Part(builder.Read(local.Slot), local.Path);
            case ConstantLocation constant:
                return Part(constant.Value, constant.Path);
            case FrameLocation frame:
                return new Scalar(builder.Emit(Opcode.FrameRead, 8, frame.Offset));
            case FieldLocation field:
                return LoadField(field);
            case ElementLocation element:
                return LoadElement(element);
            case LocalElementLocation { Array: var array } element:
                return Choose(
                    [.. Enumerable.Range(0, array.Length).Select(i => Load(array.At(i, element.Type, element.Path)))],
                    element.Index);
            default:
                throw new InvalidOperationException($"{location} cannot be read");
        }
    }

    public void Store(StorageLocation location, AbstractValue value)
    {
        switch (location)
        {
            case LocalLocation local:
                builder.Write(
                    local.Slot, local.Path.Count == 0 ? value : With(builder.Read(local.Slot), local.Path, 0, value));
                break;
            case FrameLocation frame:
                builder.Emit(Opcode.FrameWrite, 1, frame.Offset, ((Scalar)value).Value);
                break;
            case FieldLocation or ElementLocation when builder.Current is null:
                break;
            case FieldLocation field:
                RequireOwn(field.Owner);
                StoreLeaves(location.Type, location.Path, value,
                    (path, leaf) =>
                        builder.Emit(Opcode.RegisterWrite, 1, Registers(field, path), WithSelector(field.Owner, leaf)),
                    (path, reference) => StoreChoice(field, path, reference));
                break;
            case ElementLocation element:
                RequireOwn(element.Array);
                StoreLeaves(location.Type, location.Path, value,
                    (path, leaf) => builder.Emit(
                        Opcode.MemoryWrite,
                        1,
                        Memories(element, path),
                        WithSelector(element.Array, element.Index, leaf)),
                    (path, reference) => StoreChoice(element, path, reference));
                break;
            case LocalElementLocation { Array: var array } element:
                for (var i = 0; i < array.Length; i++)
                {
                    var here = array.At(i, element.Type, element.Path);
                    Store(here, Choose([Load(here), value], Equal(element.Index, i)));
                }
                break;
            default:
                throw RefuseConstant();
        }
    }

    private Value Equal(Value index, int number) =>
        builder.Emit(Opcode.Equal, 1, index, SsaBuilder.Constant(index.Width, (UInt128)number));

    private CompileException RefuseConstant() =>
        new(Refusal.WrittenStatic.Number, Refusal.WrittenStatic.Reason, builder.Location);

    /// <summary>The part of a struct that a path leads to.</summary>
    public static AbstractValue Part(AbstractValue value, IReadOnlyList<int> path) =>
        path.Aggregate(value, (part, index) => ((Struct)part).Fields[index]);

    private static Struct With(AbstractValue value, IReadOnlyList<int> path, int depth, AbstractValue part)
    {
        var whole = (Struct)value;
        var fields = whole.Fields.ToArray();
        fields[path[depth]] = depth + 1 == path.Count ? part : With(fields[path[depth]], path, depth + 1, part);
        return whole with { Fields = fields };
    }

    private AbstractValue LoadField(FieldLocation location)
    {
        // Only behind a fault, where nothing is done any more.
        if (location.Owner.Candidates.Contains(null)) return Default(location.Type);
        return IsConstant(location) ? LoadConstant(location, location.Path) : LoadLeaves(
            location.Type,
            location.Path,
            (path, width) =>
                builder.Emit(Opcode.RegisterRead, width, Registers(location, path), WithSelector(location.Owner)),
            path => IsChoice(location, path) ? LoadChoice(location, path) : LoadConstant(location, path));
    }

    /// <summary>True for a field that nothing writes; not one of an object that is made in the translation.</summary>
    private bool IsConstant(FieldLocation location) =>
        location.Info.IsInitOnly && (thread is null || !location.Owner.Candidates.Any(Objects.IsMade));

    /// <summary>Loads the value that the constructor left in a field that nothing writes.</summary>
    private AbstractValue LoadConstant(FieldLocation location, IReadOnlyList<int> path)
    {
        var values = location.Owner.Candidates.Select(owner =>
                Part(OfLive(location.Info.GetValue(owner), location.Info.FieldType), path))
            .ToList();
        for (var i = 0; i < values.Count; i++)
        {
            if (values[i] is Reference reference) state.MeetHidden(location.Info, reference.Target);
            Meet(location.Owner.Candidates[i]!, Refusal.CleanName(location.Info.Name), values[i]);
            if (values[i] is Reference { Target: var found })
                NoteRead(PointsToSets.KeyOf(location.Info, path), location.Owner.Candidates[i]!, found);
        }
        return Choose(values, location.Owner.Selector);
    }

    private AbstractValue LoadElement(ElementLocation location)
    {
        if (location.Array.Candidates.Contains(null)) return Default(location.Type);
        return LoadLeaves(
            location.Type,
            location.Path,
            (path, width) =>
                builder.Emit(
                    Opcode.MemoryRead,
                    width,
                    Memories(location, path),
                    WithSelector(location.Array, location.Index)),
            path => IsChoice(location, path) ? LoadChoice(location, path) : LoadObject(location, path));
    }

    private Reference LoadObject(ElementLocation location, IReadOnlyList<int> path)
    {
        if (!location.Array.IsKnown)
            throw new CompileException(
                DiagnosticNumber.UnknownObject,
                "an object is taken out of one of several arrays; use one array, "
                + "and the index of the object in it", builder.Location);
        var array = (Array)location.Array.Target!;
        var type = array.GetType().GetElementType()!;
        var elements = Enumerable.Range(0, array.Length)
            .Select(i => ((Reference)Part(OfLive(array.GetValue(i), type), path)).Target).ToList();
        if (elements.Count == 0) return new Reference((object?)null);
        for (var i = 0; i < elements.Count; i++)
        {
            state.Meet(array, $"{i}", elements[i]);
            NoteRead(PointsToSets.KeyOf(array, path), array, elements[i]);
        }
        return location.Index is Constant constant
            ? new Reference(elements[constant.Bits < (UInt128)elements.Count ? (int)constant.Bits : 0])
            : new Reference(elements, location.Index).With(elements);
    }

    private void Meet(object owner, string member, AbstractValue value)
    {
        if (value is Reference reference) state.Meet(owner, member, reference.Target);
        if (value is not Struct whole) return;
        for (var i = 0; i < whole.Fields.Count; i++)
            Meet(owner, $"{member}.{Refusal.CleanName(whole.Shape.Parts[i].Name)}", whole.Fields[i]);
    }

    /// <summary>Chooses one of several known values by a selector.</summary>
    private AbstractValue Choose(List<AbstractValue> values, Value? selector)
    {
        if (selector is null) return values[0];
        if (values.All(v => v is Reference { IsKnown: true }))
        {
            var targets = values.Select(v => ((Reference)v).Target).ToList();
            return targets.All(t => ReferenceEquals(t, targets[0])) ? values[0] : new Reference(targets, selector);
        }
        if (values[0] is Struct shape)
            return shape with
            {
                Fields =
                [
                    .. shape.Fields.Select((_, i) => Choose([.. values.Select(v => ((Struct)v).Fields[i])], selector)),
                ],
            };
        return new Scalar(builder.Choose([.. values.Select(value => ((Scalar)value).Value)], selector));
    }

    private static AbstractValue LoadLeaves(
        Type type, IReadOnlyList<int> path, Func<IReadOnlyList<int>, int, Value> load,
        Func<IReadOnlyList<int>, AbstractValue> loadObject)
    {
        if (Types.Width(type) is { } width) return new Scalar(load(path, width));
        if (!type.IsValueType) return loadObject(path);
        var shape = StructShape.Of(type);
        return new Struct(
            shape, [.. shape.Parts.Select((part, i) => LoadLeaves(part.Type, [.. path, i], load, loadObject))]);
    }

    private void StoreLeaves(
        Type type, IReadOnlyList<int> path, AbstractValue value, Action<IReadOnlyList<int>, Value> store,
        Action<IReadOnlyList<int>, Reference> storeObject)
    {
        switch (value)
        {
            case Scalar scalar:
                store(path, scalar.Value);
                break;
            case Struct whole:
                for (var i = 0; i < whole.Fields.Count; i++)
                    StoreLeaves(whole.Shape.Parts[i].Type, [.. path, i], whole.Fields[i], store, storeObject);
                break;
            case var target when thread?.Shared.Objects.AsReference(target) is { } reference:
                storeObject(path, reference);
                break;
            default:
                throw RefuseObject($"a {type.Name}");
        }
    }

    private CompileException RefuseObject(string what) => new(
        DiagnosticNumber.KeptObject,
        thread is not null
            ? Refusal.ClockedObject($"a field or an element that holds {what}").Reason
            : $"{what} cannot be kept from one frame to the next: objects are fixed when the service is "
                + "constructed, keep an index instead",
        builder.Location);

    private List<StateElement> Registers(FieldLocation location, IReadOnlyList<int> path) =>
        [.. location.Owner.Candidates.Select(owner => state.Register(owner!, location.Info, path))];

    private List<StateElement> Memories(ElementLocation location, IReadOnlyList<int> path) =>
        [.. location.Array.Candidates.Select(array => state.Memory((Array)array!, path))];

    private void RequireOwn(Reference owner)
    {
        if (owner.Candidates.Any(state.IsStatic)) throw RefuseConstant();
    }

    private static IEnumerable<Value> WithSelector(Reference owner, params IEnumerable<Value> operands) =>
        owner.Selector is null ? operands : operands.Append(owner.Selector);
}
