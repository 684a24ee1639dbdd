using System.Reflection;
using Emu.Compiler.Diagnostics;
using Emu.Compiler.IR;

namespace Emu.Compiler.Elaboration;

/// <summary>A number of each entry of a table that <see cref="ControlAttribute"/> shows.</summary>
/// <param name="Name">From C#: the path of the arrays and of the number in their elements.</param>
/// <param name="Memories">One for each array, all of the same length: the entries of the first come first.</param>
internal sealed record ControlColumn(string Name, IReadOnlyList<Memory> Memories);

/// <summary>
/// The arrays behind the properties of a service that are marked <see cref="ControlAttribute"/>, as tables: the
/// elements of an array of equal arrays are entries of one table. A number that is the same in all entries and never
/// written is not shown, since it has no memory.
/// </summary>
internal sealed class ControlTables
{
    private readonly ILookup<object, (string Path, Memory Memory)> _memories;
    private readonly HashSet<object> _seen = new(ReferenceEqualityComparer.Instance);
    private readonly List<ControlColumn> _columns = [];

    private ControlTables(ILookup<object, (string Path, Memory Memory)> memories) => _memories = memories;

    /// <summary>Finds them.</summary>
    /// <param name="service">Constructed.</param>
    /// <param name="memories">
    /// The memories that circuits have, with the array that each stands for and the place in its elements.
    /// </param>
    public static IReadOnlyList<ControlColumn> Of(
        Service service, IEnumerable<(object Array, string Path, Memory Memory)> memories)
    {
        var tables = new ControlTables(
            memories.ToLookup(m => m.Array, m => (m.Path, m.Memory), ReferenceEqualityComparer.Instance));
        foreach (var property in service.GetType().GetProperties()
            .Where(p => p.GetCustomAttribute<ControlAttribute>() is not null))
            tables.Visit(Read(service, property));
        return tables._columns;
    }

    private static object? Read(Service service, PropertyInfo property)
    {
        if (property.PropertyType.IsByRefLike)
        {
            throw new CompileException(
                DiagnosticNumber.NoService,
                $"{property.Name} of {service.GetType().Name} is a span, which lasts no longer than a method; "
                + "[Control] marks what can be read between two frames: a number, an array, or a block that is an "
                + "IControlTable",
                null);
        }
        try
        {
            return property.GetValue(service);
        }
        catch (TargetInvocationException exception)
        {
            var cause = exception.InnerException ?? exception;
            throw new CompileException(
                DiagnosticNumber.FailedConstructor,
                $"{property.Name} of {service.GetType().Name} threw {cause.GetType().Name}: {cause.Message}; "
                + "[Control] marks what can be read at any time",
                null,
                cause);
        }
    }

    private void Visit(object? target)
    {
        if (target is null or string or Delegate or Type or Service
            || target.GetType().IsPrimitive || !_seen.Add(target))
            return;
        switch (target)
        {
            case Array array when array.GetType().GetElementType()!.IsValueType:
                Add([array]);
                break;
            case Array { Length: > 0 } array
                when array.Cast<object?>()
                    .All(e => e is Array inner && inner.Length == ((Array)array.GetValue(0)!).Length):
                List<Array> inner = [.. array.Cast<Array>()];
                // An array that is shared or that holds objects is no part of one table.
                if (inner.TrueForAll(a => a.GetType().GetElementType()!.IsValueType && _seen.Add(a))) Add(inner);
                break;
            case Array array:
                foreach (var element in array) Visit(element);
                break;
            default:
                for (var type = target.GetType(); type is not null; type = type.BaseType)
                {
                    const BindingFlags Own = BindingFlags.Instance | BindingFlags.Public
                        | BindingFlags.NonPublic | BindingFlags.DeclaredOnly;
                    foreach (var field in type.GetFields(Own)
                        .Where(f => !f.FieldType.IsValueType && !f.FieldType.IsPointer))
                        Visit(field.GetValue(target));
                }
                break;
        }
    }

    private void Add(List<Array> arrays)
    {
        foreach (var path in arrays.SelectMany(a => _memories[a]).Select(m => m.Path).Distinct())
        {
            List<Memory> memories =
            [
                .. arrays.SelectMany(a => _memories[a]).Where(m => m.Path == path).Select(m => m.Memory),
            ];
            if (memories.Count == arrays.Count) _columns.Add(new ControlColumn(NameOf(memories), memories));
            else _columns.AddRange(memories.Select(m => new ControlColumn(m.Name, [m])));
        }
    }

    /// <summary>
    /// The part of the path that all share: <c>Stations.ways.Expiry</c> for <c>Stations.ways.0.Expiry</c> and its like.
    /// </summary>
    private static string NameOf(List<Memory> memories)
    {
        var paths = memories.Select(m => m.Name.Split('.')).ToList();
        return memories.Count == 1
            ? memories[0].Name
            : string.Join('.', paths[0].Where((part, i) => paths.TrueForAll(p => i < p.Length && p[i] == part)));
    }
}
