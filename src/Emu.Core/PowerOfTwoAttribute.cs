using System.ComponentModel.DataAnnotations;
using System.Globalization;
using System.Numerics;

namespace Emu;

/// <summary>
/// The values of an option of a service: powers of two, as the sizes of tables are. On a parameter of its constructor
/// or a property of its settings, beside <see cref="RangeAttribute"/> for other ranges; the command line refuses other
/// values, and <c>--help</c> says which ones there are.
/// </summary>
/// <param name="least">The smallest, a power of two.</param>
/// <param name="most">The largest, a power of two.</param>
[AttributeUsage(AttributeTargets.Parameter | AttributeTargets.Property)]
public sealed class PowerOfTwoAttribute(long least, long most) : ValidationAttribute
{
    /// <summary>The smallest.</summary>
    public long Least { get; } = least;

    /// <summary>The largest.</summary>
    public long Most { get; } = most;

    /// <summary>True if 0 is allowed, too: there is none of it.</summary>
    public bool OrZero { get; init; }

    /// <inheritdoc/>
    public override bool IsValid(object? value)
    {
        if (value is null) return true;
        var number = Convert.ToInt64(value, CultureInfo.InvariantCulture);
        return number == 0 ? OrZero : BitOperations.IsPow2(number) && number >= Least && number <= Most;
    }

    /// <inheritdoc/>
    public override string FormatErrorMessage(string name) => $"{name}: {this}";

    /// <summary>The values in words: <c>a power of two, 4 to 1048576</c>.</summary>
    public override string ToString() =>
        string.Create(
            CultureInfo.InvariantCulture, $"a power of two, {Least} to {Most}{(OrZero ? ", or 0" : "")}");
}
