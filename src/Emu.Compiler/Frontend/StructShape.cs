using System.Reflection;

namespace Emu.Compiler;

/// <summary>The instance fields of a struct.</summary>
internal sealed class StructShape
{
    private static readonly Dictionary<Type, StructShape> s_shapes = [];

    private StructShape(Type type)
    {
        Type = type;
        Fields = type.GetFields(BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic);
    }

    public Type Type { get; }

    public IReadOnlyList<FieldInfo> Fields { get; }

    public static StructShape Of(Type type)
    {
        lock (s_shapes)
        {
            if (!s_shapes.TryGetValue(type, out var shape)) s_shapes[type] = shape = new StructShape(type);
            return shape;
        }
    }

    public int IndexOf(FieldInfo field)
    {
        for (var i = 0; i < Fields.Count; i++)
        {
            if (Fields[i].MetadataToken == field.MetadataToken && Fields[i].Module == field.Module) return i;
        }
        throw new InvalidOperationException($"{field.Name} is no field of {Type}");
    }
}
