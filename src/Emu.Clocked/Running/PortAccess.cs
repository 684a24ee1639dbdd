using System.Linq.Expressions;
using System.Reflection;

namespace Emu.Clocked;

/// <summary>Code that reads and writes the field of a port, or the cell that stands for it.</summary>
internal static class PortAccess
{
    /// <summary>Writes an input.</summary>
    public static Action<ulong> Setter(FieldInfo field)
    {
        var bits = Expression.Parameter(typeof(ulong));
        Expression value = field.FieldType == typeof(bool)
            ? Expression.NotEqual(bits, Expression.Constant(0UL))
            : Expression.Convert(bits, field.FieldType);
        return Expression.Lambda<Action<ulong>>(Expression.Assign(Place(field), value), bits).Compile();
    }

    /// <summary>Reads an output, its low bits.</summary>
    public static Func<ulong> Getter(FieldInfo field, int width)
    {
        Expression value = Place(field);
        value = field.FieldType == typeof(bool)
            ? Expression.Condition(value, Expression.Constant(1UL), Expression.Constant(0UL))
            : Expression.Convert(value, typeof(ulong));
        if (width < 64) value = Expression.And(value, Expression.Constant((1UL << width) - 1));
        return Expression.Lambda<Func<ulong>>(value).Compile();
    }

    private static MemberExpression Place(FieldInfo field)
    {
        var cell = field.DeclaringType!.GetField(
            ThreadWeaver.CellOf(field.Name), BindingFlags.Static | BindingFlags.Public | BindingFlags.NonPublic);
        return cell is null
            ? Expression.Field(null, field)
            : Expression.Property(Expression.Field(null, cell), nameof(Cell<>.Value));
    }
}
