using System.Globalization;

namespace Emu.Clocked;

/// <summary>
/// The text of a program: a woven program calls it in place of <see cref="Console"/> and
/// <see cref="System.Diagnostics.Debug"/>. Text goes to the cycle of the run.
/// </summary>
public static class ProgramText
{
    /// <summary>Prints a truth value.</summary>
    public static void Write(bool value) => Print(value.ToString());

    /// <summary>Prints a character.</summary>
    public static void Write(char value) => Print(value.ToString());

    /// <summary>Prints a number.</summary>
    public static void Write(int value) => Print(value.ToString(CultureInfo.InvariantCulture));

    /// <summary>Prints a number.</summary>
    public static void Write(uint value) => Print(value.ToString(CultureInfo.InvariantCulture));

    /// <summary>Prints a number.</summary>
    public static void Write(long value) => Print(value.ToString(CultureInfo.InvariantCulture));

    /// <summary>Prints a number.</summary>
    public static void Write(ulong value) => Print(value.ToString(CultureInfo.InvariantCulture));

    /// <summary>Prints an object.</summary>
    public static void Write(object? value) => Print(Convert.ToString(value, CultureInfo.InvariantCulture));

    /// <summary>Prints text.</summary>
    public static void Write(string? value) => Print(value);

    /// <summary>Prints text with a value in it.</summary>
    public static void Write(string format, object? arg0) => Write(format, [arg0]);

    /// <summary>Prints text with values in it.</summary>
    public static void Write(string format, object? arg0, object? arg1) => Write(format, [arg0, arg1]);

    /// <summary>Prints text with values in it.</summary>
    public static void Write(string format, object? arg0, object? arg1, object? arg2) =>
        Write(format, [arg0, arg1, arg2]);

    /// <summary>Prints text with values in it.</summary>
    public static void Write(string format, params object?[] arg) =>
        Print(string.Format(CultureInfo.InvariantCulture, format, arg));

    /// <summary>Prints text with values in it.</summary>
    public static void Write(string format, params ReadOnlySpan<object?> arg) =>
        Print(string.Format(CultureInfo.InvariantCulture, format, arg));

    /// <summary>Ends a line.</summary>
    public static void WriteLine() => Print("\n");

    /// <summary>Prints a truth value and ends the line.</summary>
    public static void WriteLine(bool value) => Line(() => Write(value));

    /// <summary>Prints a character and ends the line.</summary>
    public static void WriteLine(char value) => Line(() => Write(value));

    /// <summary>Prints a number and ends the line.</summary>
    public static void WriteLine(int value) => Line(() => Write(value));

    /// <summary>Prints a number and ends the line.</summary>
    public static void WriteLine(uint value) => Line(() => Write(value));

    /// <summary>Prints a number and ends the line.</summary>
    public static void WriteLine(long value) => Line(() => Write(value));

    /// <summary>Prints a number and ends the line.</summary>
    public static void WriteLine(ulong value) => Line(() => Write(value));

    /// <summary>Prints an object and ends the line.</summary>
    public static void WriteLine(object? value) => Line(() => Write(value));

    /// <summary>Prints text and ends the line.</summary>
    public static void WriteLine(string? value) => Line(() => Write(value));

    /// <summary>Prints text with a value in it and ends the line.</summary>
    public static void WriteLine(string format, object? arg0) => WriteLine(format, [arg0]);

    /// <summary>Prints text with values in it and ends the line.</summary>
    public static void WriteLine(string format, object? arg0, object? arg1) => WriteLine(format, [arg0, arg1]);

    /// <summary>Prints text with values in it and ends the line.</summary>
    public static void WriteLine(string format, object? arg0, object? arg1, object? arg2) =>
        WriteLine(format, [arg0, arg1, arg2]);

    /// <summary>Prints text with values in it and ends the line.</summary>
    public static void WriteLine(string format, params object?[] arg) => Line(() => Write(format, arg));

    /// <summary>Prints text with values in it and ends the line.</summary>
    public static void WriteLine(string format, params ReadOnlySpan<object?> arg)
    {
        Write(format, arg);
        WriteLine();
    }

    /// <summary>Says where a condition does not hold; the program goes on.</summary>
    public static void Assert(bool condition, string place) => Assert(condition, null, place);

    /// <summary>Says where a condition does not hold, and what is wrong; the program goes on.</summary>
    public static void Assert(bool condition, string? message, string place)
    {
        if (!condition)
            Print($"Assertion failed at {place}{(string.IsNullOrEmpty(message) ? "" : $": {message}")}\n");
    }

    /// <summary>Says where a condition does not hold, and what is wrong; the program goes on.</summary>
    public static void Assert(bool condition, string? message, string? detail, string place) =>
        Assert(condition, message, place);

    /// <summary>Says what is wrong.</summary>
    public static void Fail(string? message, string place) => Assert(false, message, place);

    /// <summary>Says what is wrong.</summary>
    public static void Fail(string? message, string? detail, string place) => Assert(false, message, place);

    private static void Line(Action write)
    {
        write();
        WriteLine();
    }

    private static void Print(string? text)
    {
        if (CycleClock.Current is { } clock) clock.Print(text ?? "");
        else Console.Out.Write(text);
    }
}
