using System.Reflection;

namespace Emu.Compiler.Frontend;

/// <summary>A method with the structure of its arguments: calls with one key can be done by one procedure.</summary>
/// <param name="Method">The method.</param>
/// <param name="Structure">What <see cref="ValueMap"/> tells of the arguments.</param>
internal sealed record CallKey(MethodBase Method, IReadOnlyList<object?> Structure)
{
    public bool Equals(CallKey? other) =>
        other is not null && Method.Equals(other.Method) && Structure.SequenceEqual(other.Structure);

    public override int GetHashCode() =>
        Structure.Aggregate(Method.GetHashCode(), (hash, part) => HashCode.Combine(hash, part));
}
