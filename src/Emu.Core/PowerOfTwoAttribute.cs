using System.ComponentModel.DataAnnotations;
using System.Globalization;
using System.Numerics;

namespace Emu;

/// <summary>A number that is a power of two between two others, as the size of a table is.</summary>
/// <param name="minimum">The least, a power of two.</param>
/// <param name="maximum">The most, a power of two.</param>
/// <example><code>
/// [PowerOfTwo(4, 1 &lt;&lt; 20)]
/// public int Entries { get; init; } = 64;
/// </code></example>
[AttributeUsage(AttributeTargets.Property | AttributeTargets.Parameter)]
public sealed class PowerOfTwoAttribute(int minimum, int maximum) : ValidationAttribute
{
    /// <summary>The least.</summary>
    public int Minimum => minimum;

    /// <summary>The most.</summary>
    public int Maximum => maximum;

    /// <summary>True if it may be 0 as well.</summary>
    public bool OrZero { get; init; }

    /// <inheritdoc/>
    public override bool IsValid(object? value) =>
        value is int number
        && (number == 0 ? OrZero : number >= minimum && number <= maximum && BitOperations.IsPow2(number));

    /// <inheritdoc/>
    public override string FormatErrorMessage(string name) =>
        string.Create(CultureInfo.InvariantCulture, $"{name} must be {this}.");

    /// <summary>The requirement in words: a power of two, 4 to 64, or 0.</summary>
    public override string ToString() =>
        string.Create(CultureInfo.InvariantCulture, $"a power of two, {minimum} to {maximum}")
        + (OrZero ? ", or 0" : "");
}
